"""Frozen sessions in the admin: listed, and erased where a law demands it."""

from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from shareview.admins.base import ReadOnlyAdmin
from shareview.admins.forms import EraseForm
from shareview.admins.proof import addresses_of, prove
from shareview.admins.site import actor_of
from shareview.shares.erase import erase_snapshot
from shareview.shares.models import Share
from shareview.snapshots.models import Snapshot


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnlyAdmin):
    """What was frozen cannot be changed; it can be erased, with every share of it."""

    list_display = ("title", "session_id", "shown_digest", "frozen_at", "message_count", "share_count")
    search_fields = ("title", "session_id", "digest")
    date_hierarchy = "frozen_at"
    ordering = ("-frozen_at",)
    fields = (
        "title",
        "session_id",
        "digest",
        "app",
        "model",
        "started_at",
        "exported_at",
        "frozen_at",
        "message_count",
    )
    readonly_fields = fields
    actions = ("erase",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Snapshot]:
        snapshots: QuerySet[Snapshot] = super().get_queryset(request)
        return snapshots.annotate(share_count=Count("shares"))

    def has_erase_permission(self, request: HttpRequest) -> bool:
        """Whether somebody may erase."""
        return bool(request.user.has_perm("snapshots.delete_snapshot"))

    @admin.display(description=gettext_lazy("digest"))
    def shown_digest(self, snapshot: Snapshot) -> str:
        return snapshot.digest[:12]

    @admin.display(description=gettext_lazy("shares"), ordering="share_count")
    def share_count(self, snapshot: Snapshot) -> int:
        return int(getattr(snapshot, "share_count", 0))

    @admin.action(description=gettext_lazy("Erase for good"), permissions=["erase"])
    def erase(self, request: HttpRequest, queryset: QuerySet[Snapshot]) -> HttpResponse | None:
        """Asks twice, then erases; the answer is the proof, for nothing is left to look it up by."""
        snapshot = Snapshot.objects.filter(pk__in=queryset.values("pk")).first()
        if snapshot is None or queryset.count() != 1:
            self.message_user(request, _("One at a time is erased."), messages.WARNING)
            return None
        form = EraseForm(request.POST if "confirmed" in request.POST else None, digest=snapshot.digest)
        shares = list(Share.objects.filter(snapshot=snapshot))
        context = {**self.admin_site.each_context(request), "title": _("Erase for good"), "opts": Snapshot._meta}
        if not (form.is_bound and form.is_valid()):
            return TemplateResponse(
                request, "admins/erase.html", {**context, "form": form, "snapshot": snapshot, "shares": shares}
            )
        now = timezone.now()
        asked = [(share, addresses_of(share)) for share in shares]
        erase_snapshot(snapshot, reason=form.cleaned_data["reason"], actor=actor_of(request), now=now)
        self.message_user(request, _("Erased. Copies in backups must be erased there."), messages.SUCCESS)
        proofs = [(share, prove(share.public_id, kinds, now=timezone.now())) for share, kinds in asked]
        return TemplateResponse(request, "admins/proof.html", {**context, "proofs": proofs, "is_erased": True})
