"""Shares in Django's admin: listed, opened, revoked."""

from typing import TYPE_CHECKING, cast

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from shareview.shares.models import Share, ShareQuerySet
from shareview.shares.revoke import revoke_shares
from shareview.shares.trace_admin import AnnotationTraceAdmin

__all__ = ["AnnotationTraceAdmin", "ShareAdmin"]

if TYPE_CHECKING:
    ShareModelAdmin = admin.ModelAdmin[Share]
else:
    ShareModelAdmin = admin.ModelAdmin


@admin.register(Share)
class ShareAdmin(ShareModelAdmin):
    """Nothing of a share can be edited here; it can be revoked."""

    list_display = ("public_id", "shown_title", "recipient", "shown_state", "created_at", "expires_at", "views")
    list_select_related = ("snapshot",)
    search_fields = ("public_id", "title", "recipient", "snapshot__title", "snapshot__session_id")
    date_hierarchy = "created_at"
    actions = ("revoke",)
    fields = (
        "public_id", "shown_title", "recipient", "watermark", "shown_state", "created_at", "expires_at", "revoked_at",
        "revoke_reason", "views", "shown_link", "shown_traces",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description=_("state"))
    def shown_state(self, share: Share) -> str:
        return share.state(timezone.now())

    @admin.display(description=_("link"))
    def shown_link(self, share: Share) -> str:
        return share.link()

    @admin.display(description=_("annotation traces"))
    def shown_traces(self, share: Share) -> str:
        address = reverse("admin:snapshots_annotationtrace_changelist")
        count = share.snapshot.traces.count()
        return format_html('<a href="{}?snapshot__id__exact={}">{}</a>', address, share.snapshot_id, count)

    @admin.action(description=_("Revoke the selected links at once"), permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[Share]) -> None:
        reason = f"revoked in the admin by {request.user.get_username()}"
        # The admin takes its query set from the model's manager, whose kind its stubs do not know.
        ended = revoke_shares(cast("ShareQuerySet", queryset), reason=reason, now=timezone.now())
        self.message_user(request, ngettext("%d link ended.", "%d links ended.", ended) % ended, messages.SUCCESS)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Share | None = None) -> bool:
        return False
