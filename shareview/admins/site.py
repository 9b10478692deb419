"""The admin site: who may enter, and what it has beside lists and pages of rows."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.contrib.admin import AdminSite
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext_lazy as _

from shareview.admins.second_factor import SignInForm, is_let_in, may_enrol, second_factor
from shareview.shares.actors import Actor
from shareview.shares.client_addresses import client_address

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class ShareviewAdminSite(AdminSite):
    """Asks for a second factor where somebody has one, or where the site requires it."""

    site_header = _("shareview: shares and what was done to them")
    site_title = _("shareview admin")
    index_title = _("Admin")
    site_url = None
    enable_nav_sidebar = False
    login_form = SignInForm
    login_template = "admins/login.html"

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and is_let_in(request)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The sign-in page; whoever is signed in and must still set up a second factor is led there."""
        if may_enrol(request) and not self.has_permission(request):
            return redirect("admin:second-factor")
        return super().login(request, extra_context)

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """``view`` for those who may enter; what no database can hold is refused before it asks one."""

        @wraps(view)
        def readable(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            given = (value for values in (request.GET, request.POST) for _name, all in values.lists() for value in all)
            if any("\0" in value for value in given):
                raise BadRequest
            return view(request, *args, **kwargs)

        return super().admin_view(cast("View", readable), cacheable)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        own: list[URLPattern | URLResolver] = [path("second-factor/", second_factor, name="second-factor")]
        return own + super().get_urls()


def actor_of(request: HttpRequest) -> Actor:
    """Who asks, for the audit trail."""
    return Actor(request.user.get_username(), client_address(request))
