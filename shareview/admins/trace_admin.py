"""Traces of annotating and judging in Django's admin: read, never changed."""

from typing import ClassVar

from django.contrib import admin
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from shareview.admins.base import ReadOnlyAdmin
from shareview.snapshots.models import AnnotationTrace


@admin.register(AnnotationTrace)
class AnnotationTraceAdmin(ReadOnlyAdmin):
    """What a model was asked about an answer, what it said, and what it cost."""

    list_display = (
        "made_at", "snapshot", "message_id", "purpose", "model", "prompt_version", "error_code", "input_tokens",
        "output_tokens", "latency_ms",
    )  # fmt: skip
    list_display_links = ("made_at", "message_id")
    list_select_related = ("snapshot",)
    list_filter = ("purpose", "error_code", "provider", "model")
    search_fields = ("message_id", "snapshot__title", "snapshot__session_id", "snapshot__digest")
    date_hierarchy = "made_at"
    fields = (
        "snapshot", "message_id", "purpose", "made_at", "provider", "model", "prompt_version", "prompt_sha256",
        "span_count", "block_count", "input_tokens", "output_tokens", "latency_ms", "error_code", "shown_faults",
        "shown_calls",
    )  # fmt: skip
    readonly_fields = fields

    class Media:
        css: ClassVar = {"all": ["admins/admin.css", "admins/trace.css"]}

    @admin.display(description=_("faults"))
    def shown_faults(self, trace: AnnotationTrace) -> str:
        return "; ".join(trace.faults) or "–"

    @admin.display(description=_("calls"))
    def shown_calls(self, trace: AnnotationTrace) -> str:
        return render_to_string("admins/trace_calls.html", {"calls": trace.calls})
