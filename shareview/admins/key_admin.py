"""Keys of the API in the admin: made, shown once, ended."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from shareview.admins.base import ReadOnlyAdmin
from shareview.admins.forms import KeyForm, ReasonForm
from shareview.admins.site import actor_of
from shareview.shares.api_keys import KeyTerms, KeyTermsError, end_api_keys, make_api_key
from shareview.shares.models import ApiKey, Scope
from shareview.shares.roles import Role, acts_on_all_shares


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnlyAdmin):
    """A key is made by a form and ended by an action; its secret is shown once, and is stored nowhere."""

    list_display = (
        "public_id", "name", "owner", "shown_scopes", "shown_standing", "created_at", "expires_at", "last_used_at",
    )  # fmt: skip
    fields = ("public_id", "name", "owner", "shown_scopes", "created_at", "expires_at", "ended_at", "last_used_at")
    readonly_fields = ("shown_scopes",)
    list_select_related = ("owner",)
    list_filter = (("ended_at", admin.EmptyFieldListFilter), ("owner", admin.RelatedOnlyFieldListFilter))
    search_fields = ("public_id", "name", "owner__username")
    actions = ("end",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiKey]:
        keys: QuerySet[ApiKey] = super().get_queryset(request)
        return keys if acts_on_all_shares(request.user) else keys.filter(owner=request.user.pk)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        return not lookup.startswith("secret_hash") and super().lookup_allowed(lookup, value, request)

    @admin.display(description=gettext_lazy("may"))
    def shown_scopes(self, key: ApiKey) -> str:
        return ", ".join(key.scopes)

    @admin.display(description=gettext_lazy("stands"), boolean=True)
    def shown_standing(self, key: ApiKey) -> bool:
        return key.ended_at is None and (key.expires_at is None or key.expires_at > timezone.now())

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("shares.add_apikey"))

    def has_end_permission(self, request: HttpRequest) -> bool:
        """Whether somebody may end keys (their own, or all)."""
        return bool(request.user.has_perm("shares.change_apikey"))

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Asks what the key is for, makes it, and shows it once."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = KeyForm(_owners(request), request.POST or None, initial={"owner": request.user.pk})
        context = {**self.admin_site.each_context(request), "title": _("New API key"), "opts": ApiKey._meta}
        if form.is_valid():
            asked = form.cleaned_data
            scopes = [Scope(scope) for scope in asked["scopes"]]
            terms = KeyTerms(asked["name"], asked["owner"], scopes, asked["expires_at"])
            try:
                key, text = make_api_key(terms, actor=actor_of(request), now=timezone.now())
            except KeyTermsError as error:
                form.add_error(None, str(error))
            else:
                # The page of the form's answer itself: a message would lie in a cookie.
                return TemplateResponse(request, "admins/key_made.html", {**context, "key": key, "text": text})
        return TemplateResponse(request, "admins/key.html", {**context, "form": form})

    @admin.action(description=gettext_lazy("End: refuse it from now on"), permissions=["end"])
    def end(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> HttpResponse | None:
        """Asks why, then ends the keys."""
        keys = list(queryset.filter(ended_at__isnull=True))
        form = ReasonForm(request.POST if "confirmed" in request.POST else None)
        if keys and not (form.is_bound and form.is_valid()):
            context = {**self.admin_site.each_context(request), "title": _("End API keys"), "opts": ApiKey._meta}
            return TemplateResponse(request, "admins/key_end.html", {**context, "form": form, "keys": keys})
        reason = form.cleaned_data["reason"] if keys else ""
        count = end_api_keys(keys, reason=reason, actor=actor_of(request), now=timezone.now())
        self.message_user(request, ngettext("%d key ended.", "%d keys ended.", count) % count, messages.SUCCESS)
        return None


def _owners(request: HttpRequest) -> QuerySet[User]:
    """Whose key somebody may make: their own, and an admin anybody's who may publish."""
    if not acts_on_all_shares(request.user):
        return User.objects.filter(username=request.user.get_username())
    may_publish = Q(groups__name__in=[Role.PUBLISHER, Role.ADMIN]) | Q(is_superuser=True)
    return User.objects.filter(may_publish, is_active=True).distinct().order_by("username")
