"""The audit trail in the admin: read, searched, taken along as CSV; never changed."""

import csv
import json
from collections.abc import Iterator
from typing import Final

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpRequest, StreamingHttpResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext_lazy

from shareview.admins.base import ReadOnlyAdmin
from shareview.admins.site import actor_of
from shareview.shares.audit import auditing
from shareview.shares.models import AuditAction, AuditEntry

_COLUMNS: Final = (
    "number",
    "at",
    "actor",
    "address",
    "action",
    "subject",
    "reason",
    "details",
    "previous_hash",
    "hash",
)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""With these a spreadsheet takes a cell for a formula (OWASP, "CSV Injection")."""


def safe_cell(value: object) -> str:
    """``value`` as a cell that no spreadsheet runs: a sign in front makes a text of a formula."""
    text = value.isoformat() if hasattr(value, "isoformat") else str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


class _Echo:
    def write(self, line: str) -> str:
        """The line itself, for the answer to take."""
        return line


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    """Who did what to which share, when, from where, and why."""

    list_display = ("number", "at", "actor", "action", "subject", "reason", "address")
    list_filter = ("action",)
    search_fields = ("actor", "subject", "reason", "address")
    date_hierarchy = "at"
    change_list_template = "admins/trail.html"
    fields = (*_COLUMNS[:7], "shown_details", *_COLUMNS[8:])
    readonly_fields = fields

    @admin.display(description=gettext_lazy("details"))
    def shown_details(self, entry: AuditEntry) -> str:
        return json.dumps(entry.details, ensure_ascii=False, indent=1)

    def get_urls(self) -> list[URLPattern]:
        own = [path("export.csv", self.admin_site.admin_view(self.export), name="shares_auditentry_export")]
        return own + super().get_urls()

    def export(self, request: HttpRequest) -> StreamingHttpResponse:
        """The entries that the list shows with the same search and filters, oldest first, as CSV."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            entries = self.get_changelist_instance(request).get_queryset(request).order_by("number")
        except IncorrectLookupParameters:
            raise BadRequest from None
        with auditing(actor_of(request), now=timezone.now()) as audit:
            entries = entries.filter(number__lte=audit.number)
            audit.add(AuditAction.EXPORT, "audit trail", details={"filters": sorted(request.GET)})

        def lines() -> Iterator[str]:
            writer = csv.writer(_Echo(), quoting=csv.QUOTE_ALL)
            yield writer.writerow(_COLUMNS)
            for entry in entries.iterator(chunk_size=1_000):
                cells = {name: getattr(entry, name) for name in _COLUMNS}
                cells["details"] = json.dumps(entry.details, ensure_ascii=False)
                yield writer.writerow([safe_cell(cell) for cell in cells.values()])

        name = f"audit-trail-{timezone.now():%Y-%m-%d}.csv"
        return StreamingHttpResponse(
            lines(),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )
