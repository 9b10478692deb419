"""Shares in the admin: listed, searched, opened; changed by actions that say what will happen and ask why."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final, TypeAlias, cast

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from shareview.admins.base import ReadOnlyAdmin
from shareview.admins.charts import LIST_DAYS, PAGE_DAYS, sparkline, view_chart
from shareview.admins.proof import addresses_of, addresses_of_token, prove
from shareview.admins.share_actions import SHARE_ACTIONS, ShareAction
from shareview.admins.share_filters import ReadersFilter, StateFilter
from shareview.admins.site import actor_of
from shareview.admins.trial import trial_address
from shareview.admins.words import moment_words, state_words
from shareview.shares.embed_snippets import embed_snippet, embedding_origins
from shareview.shares.models import AuditEntry, Share, ShareQuerySet, ShareState, StopKind, ViewDay
from shareview.shares.revoke import UnknownShareError, share_of_link
from shareview.shares.roles import acts_on_all_shares, sees_all_shares
from shareview.shares.terms import TermsError
from shareview.shares.view_counts import views_by_day

_SHOWN: Final = 30
"""How many shares a page about several of them names."""
_PROVED: Final = 10
_SECRETS: Final = frozenset({"nonce", "token_hash", "password"})
_HISTORY: Final = 50


_FIELDS: Final = (
    (None, ("public_id", "shown_title", "shown_state", "shown_link", "shown_session", "shown_digest")),
    (
        gettext_lazy("Who may read, and when"),
        (
            "recipient", "watermark", "shown_protection", "starts_at", "expires_at", "paused_at", "shown_embeds",
            "preview",
        ),
    ),
    (
        gettext_lazy("What became of it"),
        (
            "owner", "created_at", "revoked_at", "revoke_reason", "views", "crawler_views", "last_viewed_at",
            "shown_traces",
        ),
    ),
)  # fmt: skip
_AdminAction: TypeAlias = Callable[["ShareAdmin", HttpRequest, QuerySet[Share]], HttpResponse | None]


def _as_admin_action(action: ShareAction) -> _AdminAction:
    @admin.action(description=action.title, permissions=["act"])
    def act(self: "ShareAdmin", request: HttpRequest, queryset: QuerySet[Share]) -> HttpResponse | None:
        return self.ask_or_do(request, cast("ShareQuerySet", queryset), action)

    act.__name__ = action.name
    return act


@admin.register(Share)
class ShareAdmin(ReadOnlyAdmin):
    """Nothing of a share can be edited here; what can be done to it are actions."""

    list_display = (
        "shown_name", "shown_state", "recipient", "shown_session", "owner", "shown_embeds", "shown_published",
        "shown_end", "shown_views", "shown_last_view",
    )  # fmt: skip
    list_display_links = ("shown_name",)
    list_select_related = ("snapshot", "owner")
    list_filter = (
        StateFilter,
        ReadersFilter,
        ("owner", admin.RelatedOnlyFieldListFilter),
        "expires_at",
        "last_viewed_at",
    )
    list_per_page = 50
    search_fields = ("public_id", "title", "recipient", "snapshot__title", "snapshot__session_id")
    search_help_text = gettext_lazy("Title, recipient, session or id; or paste a whole link.")
    date_hierarchy = "created_at"
    actions = tuple(_as_admin_action(action) for action in SHARE_ACTIONS)
    actions_selection_counter = True
    change_form_template = "admins/share.html"

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [name for _title, fields in _FIELDS for name in fields]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        hidden = set() if self._may_see_link(request, obj) else {"shown_link"}
        hidden |= set() if request.user.has_perm("snapshots.view_annotationtrace") else {"shown_traces"}
        return [(title, {"fields": [name for name in fields if name not in hidden]}) for title, fields in _FIELDS]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Share]:
        since = timezone.now().date() - timedelta(days=LIST_DAYS)
        days = Prefetch("view_days", ViewDay.objects.filter(day__gt=since), to_attr="recent_days")
        shares: QuerySet[Share] = super().get_queryset(request).prefetch_related("embeds", days)
        return shares if sees_all_shares(request.user) else shares.filter(owner=request.user.pk)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Share], search_term: str
    ) -> tuple[QuerySet[Share], bool]:
        """A link or its token finds its share, an old link the share that has another one now."""
        try:
            return queryset.filter(pk=share_of_link(search_term).pk), False
        except UnknownShareError:
            return super().get_search_results(request, queryset, search_term)

    def _may_see_link(self, request: HttpRequest, share: Share | None) -> bool:
        may: bool = request.user.has_perm("shares.see_link")
        return may and (share is None or _is_theirs(request, share))

    def has_act_permission(self, request: HttpRequest) -> bool:
        """Whether somebody may do anything to shares (their own, or all)."""
        return bool(request.user.has_perm("shares.change_share"))

    @admin.display(description=gettext_lazy("share"), ordering="public_id")
    def shown_name(self, share: Share) -> str:
        return format_html('<strong>{}</strong><br><span dir="auto">{}</span>', share.public_id, share.shown_title[:80])

    @admin.display(description=gettext_lazy("title"))
    def shown_title(self, share: Share) -> str:
        return share.shown_title

    @admin.display(description=gettext_lazy("state"))
    def shown_state(self, share: Share) -> str:
        state = share.state(timezone.now())
        lock = format_html("<br>{}", _("password")) if share.password else ""
        return format_html('<span class="share-state" data-state="{}">{}</span>{}', state, state_words(state), lock)

    @admin.display(description=gettext_lazy("session"), ordering="snapshot__session_id")
    def shown_session(self, share: Share) -> str:
        address = reverse("admin:shares_share_changelist")
        session = share.snapshot.session_id
        return format_html('<a href="{}?snapshot__session_id={}">{}</a>', address, session, session)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        # What a link or a password is derived from could be found out a letter at a time.
        if lookup.split("__", maxsplit=1)[0] in _SECRETS:
            return False
        return lookup == "snapshot__session_id" or super().lookup_allowed(lookup, value, request)

    @admin.display(description="SHA-256")
    def shown_digest(self, share: Share) -> str:
        return format_html("<code>{}</code>", share.snapshot.digest)

    @admin.display(description=gettext_lazy("link"))
    def shown_link(self, share: Share) -> str:
        link = share.link()
        return format_html('<a href="{}" rel="noreferrer" target="_blank">{}</a>', link, link)

    @admin.display(description=gettext_lazy("password"))
    def shown_protection(self, share: Share) -> str:
        return _("asked for") if share.password else _("none")

    @admin.display(description=gettext_lazy("embed origins"))
    def shown_embeds(self, share: Share) -> str:
        return format_html_join(", ", "{}", ((origin,) for origin in share.embed_origins())) or "–"

    @admin.display(description=gettext_lazy("views"), ordering="views")
    def shown_views(self, share: Any) -> str:
        days = views_by_day(share.recent_days, timezone.now().date(), LIST_DAYS)
        return render_to_string("admins/sparkline.html", {"line": sparkline(days), "share": share})

    @admin.display(description=gettext_lazy("published"), ordering="created_at")
    def shown_published(self, share: Share) -> str:
        return moment_words(share.created_at)

    @admin.display(description=gettext_lazy("expires"), ordering="expires_at")
    def shown_end(self, share: Share) -> str:
        return moment_words(share.expires_at)

    @admin.display(description=gettext_lazy("last view"), ordering="last_viewed_at")
    def shown_last_view(self, share: Share) -> str:
        return moment_words(share.last_viewed_at)

    @admin.display(description=gettext_lazy("annotation traces"))
    def shown_traces(self, share: Share) -> str:
        address = reverse("admin:snapshots_annotationtrace_changelist")
        count = share.snapshot.traces.count()
        return format_html('<a href="{}?snapshot__id__exact={}">{}</a>', address, share.snapshot_id, count)

    def ask_or_do(self, request: HttpRequest, queryset: ShareQuerySet, action: ShareAction) -> HttpResponse | None:
        """The page that says what will happen and asks why; once that was answered, does it."""
        now = timezone.now()
        # Without the list's order and pre-loading, which a query that changes rows cannot have.
        chosen = Share.objects.filter(pk__in=queryset.values_list("pk", flat=True)).select_related("snapshot")
        if not acts_on_all_shares(request.user):
            chosen = chosen.filter(owner=request.user.pk)
        able = [share for share in chosen if share.state(now) in action.states]
        if not able:
            self.message_user(request, _("None of these links is in a state for that."), messages.WARNING)
            return None
        dates = {"starts_at": able[0].starts_at, "expires_at": able[0].expires_at} if len(able) == 1 else {}
        form = action.form(request.POST if "confirmed" in request.POST else None, initial=dates)
        if form.is_bound and form.is_valid():
            return self._do(request, able, action, form.cleaned_data)
        context = {
            **self.admin_site.each_context(request),
            "title": action.title,
            "opts": self.model._meta,
            "action": action,
            "form": form,
            "shares": able[:_SHOWN],
            "count": len(able),
            "more": max(0, len(able) - _SHOWN),
            "left": len(chosen) - len(able),
            "selected": [share.pk for share in able],
        }
        return TemplateResponse(request, "admins/confirm.html", context)

    def _do(
        self, request: HttpRequest, able: list[Share], action: ShareAction, answers: dict[str, Any]
    ) -> HttpResponse | None:
        keys = [share.pk for share in able]
        old_tokens = [(share.public_id, share.token()) for share in able[:_PROVED]]
        try:
            done = action.run(Share.objects.filter(pk__in=keys), answers, actor_of(request), timezone.now())
        except TermsError as error:
            self.message_user(request, str(error), messages.ERROR)
            return None
        text = ngettext("%(title)s: done to %(count)d link.", "%(title)s: done to %(count)d links.", done)
        self.message_user(request, text % {"title": action.title, "count": done}, messages.SUCCESS)
        if action.name == "rotate":
            self._show_new_links(request, keys, old_tokens)
        if action.name == "revoke":
            ids = ",".join(str(key) for key in keys[:_PROVED])
            return HttpResponseRedirect(f"{reverse('admin:shares_share_proof')}?shares={ids}")
        if len(keys) == 1:
            return HttpResponseRedirect(reverse("admin:shares_share_change", args=keys))
        return None

    def _show_new_links(self, request: HttpRequest, keys: list[int], old_tokens: list[tuple[str, str]]) -> None:
        now = timezone.now()
        for share in Share.objects.filter(pk__in=keys[:_SHOWN]):
            self.message_user(
                request, _("New link of %(id)s: %(link)s") % {"id": share.public_id, "link": share.link()}
            )
        for public_id, token in old_tokens:
            proof = prove(public_id, addresses_of_token(token), now=now)
            statuses = ", ".join(str(status) for kind in proof.kinds for status in kind.statuses)
            level = messages.SUCCESS if proof.is_gone else messages.ERROR
            self.message_user(
                request,
                _("The old link of %(id)s answers %(statuses)s.") % {"id": public_id, "statuses": statuses},
                level,
            )

    def _snippet(self, share: Share) -> dict[str, Any]:
        """How a page of another site shows the share, and where that works."""
        origins = embedding_origins(share, settings.SHAREVIEW_BASE_URL, now=timezone.now())
        if not origins:
            return {"embeds_nowhere": True, "has_origins": bool(share.embed_origins())}
        snippet = embed_snippet(share, settings.SHAREVIEW_BASE_URL)
        return {"snippet": snippet, "snippet_origins": origins, "trial_address": trial_address(share)}

    def get_urls(self) -> list[URLPattern]:
        own = [path("proof/", self.admin_site.admin_view(self.proof), name="shares_share_proof")]
        return own + super().get_urls()

    def proof(self, request: HttpRequest) -> HttpResponse:
        """What every address of ended shares answers, asked now."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        keys = [
            int(key) for key in request.GET.get("shares", "").split(",")[:_PROVED] if key.isdecimal() and len(key) < 18
        ]
        shares = [get_object_or_404(self.get_queryset(request).select_related("snapshot"), pk=key) for key in keys]
        now = timezone.now()
        ended = [share for share in shares if share.state(now) is not ShareState.LIVE]
        context = {
            **self.admin_site.each_context(request),
            "title": _("Proof that the link has ended"),
            "opts": self.model._meta,
            "proofs": [(share, prove(share.public_id, addresses_of(share), now=now)) for share in ended],
            "live": [share for share in shares if share not in ended],
        }
        return TemplateResponse(request, "admins/proof.html", context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        share = self.get_object(request, object_id)
        beside = self._beside(request, share) if isinstance(share, Share) else {}
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **beside})

    def _beside(self, request: HttpRequest, share: Share) -> dict[str, Any]:
        now = timezone.now()
        state = share.state(now)
        may_act = self.has_act_permission(request) and _is_theirs(request, share)
        stops = [
            (StopKind.SESSION, share.snapshot.session_id),
            (StopKind.OWNER, share.owner.username if share.owner else ""),
        ]
        stops += [
            (StopKind.RECIPIENT, share.recipient),
            *((StopKind.ORIGIN, origin) for origin in share.embed_origins()),
        ]
        return {
            **(self._snippet(share) if self._may_see_link(request, share) else {}),
            "share_actions": [action for action in SHARE_ACTIONS if may_act and state in action.states],
            "share_stops": [stop for stop in stops if stop[1]] if request.user.has_perm("shares.add_stop") else [],
            "is_ended": state is not ShareState.LIVE,
            "chart": view_chart(views_by_day(share.view_days.all(), now.date(), PAGE_DAYS)),
            "chart_days": PAGE_DAYS,
            "trail": AuditEntry.objects.filter(subject=share.public_id)[:_HISTORY],
        }


def _is_theirs(request: HttpRequest, share: Share) -> bool:
    """Whether a share is one that somebody may change: their own, or any for an admin."""
    return share.owner_id == request.user.pk or acts_on_all_shares(request.user)
