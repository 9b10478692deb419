"""Stops in the admin: everything of a session, an owner, a recipient or an origin, ended and blocked at once."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from shareview.admins.base import ReadOnlyAdmin
from shareview.admins.forms import ReasonForm, StopForm
from shareview.admins.site import actor_of
from shareview.shares.models import Stop, StopKind
from shareview.shares.stops import NoSuchStopError, release, shares_of, stop_everything

_SHOWN = 30


@admin.register(Stop)
class StopAdmin(ReadOnlyAdmin):
    """A stop is made by a form that first says what it ends, and lifted by an action."""

    list_display = ("kind", "value", "shown_standing", "reason", "stopped_at", "stopped_by", "ended", "lifted_at")
    list_display_links = ("value",)
    list_filter = ("kind", ("lifted_at", admin.EmptyFieldListFilter))
    search_fields = ("value", "reason", "stopped_by")
    date_hierarchy = "stopped_at"
    actions = ("release",)

    @admin.display(description=gettext_lazy("stands"), boolean=True)
    def shown_standing(self, stop: Stop) -> bool:
        return stop.lifted_at is None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("shares.add_stop"))

    def has_release_permission(self, request: HttpRequest) -> bool:
        """Whether somebody may let stopped things be published again."""
        return bool(request.user.has_perm("shares.change_stop"))

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Asks what is to be stopped and why, says which links that ends, then stops it."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = StopForm(request.POST) if request.method == "POST" else StopForm(initial=request.GET.dict())
        context = {
            **self.admin_site.each_context(request),
            "title": _("Stop everything of …"),
            "opts": Stop._meta,
            "form": form,
        }
        if not form.is_bound or not form.is_valid():
            return TemplateResponse(request, "admins/stop.html", context)
        kind, value = StopKind(form.cleaned_data["kind"]), form.cleaned_data["value"]
        if "confirmed" not in request.POST:
            shares = shares_of(kind, value).filter(revoked_at__isnull=True).select_related("snapshot")
            count = shares.count()
            asked = {
                "kind": kind.label,
                "value": value,
                "shares": shares[:_SHOWN],
                "count": count,
                "more": max(0, count - _SHOWN),
            }
            return TemplateResponse(request, "admins/stop_confirm.html", context | asked)
        stop = stop_everything(
            kind, value, reason=form.cleaned_data["reason"], actor=actor_of(request), now=timezone.now()
        )
        text = ngettext("Stopped; %d link ended.", "Stopped; %d links ended.", stop.ended) % stop.ended
        self.message_user(request, text, messages.SUCCESS)
        return HttpResponseRedirect(reverse("admin:shares_stop_changelist"))

    @admin.action(description=gettext_lazy("Release: let it be published again"), permissions=["release"])
    def release(self, request: HttpRequest, queryset: QuerySet[Stop]) -> HttpResponse | None:
        """Asks why, then lifts the stops."""
        stops = list(queryset.filter(lifted_at__isnull=True))
        form = ReasonForm(request.POST if "confirmed" in request.POST else None)
        if stops and not (form.is_bound and form.is_valid()):
            context = {
                **self.admin_site.each_context(request),
                "title": _("Release"),
                "opts": Stop._meta,
                "form": form,
                "stops": stops,
            }
            return TemplateResponse(request, "admins/release.html", context)
        for stop in stops:
            try:
                release(stop, reason=form.cleaned_data["reason"], actor=actor_of(request), now=timezone.now())
            except NoSuchStopError:
                continue  # Somebody else was faster; it is released.
        self.message_user(request, ngettext("%d stop released.", "%d stops released.", len(stops)) % len(stops))
        return None
