"""The admin site: who may enter, and what it has beside lists and pages of rows."""

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path
from django.utils.translation import gettext_lazy as _

from shareview.admins.second_factor import SignInForm, is_let_in, may_enrol, second_factor
from shareview.shares.actors import Actor
from shareview.shares.client_addresses import client_address


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

    def get_urls(self) -> list[URLPattern | URLResolver]:
        own: list[URLPattern | URLResolver] = [path("second-factor/", second_factor, name="second-factor")]
        return own + super().get_urls()


def actor_of(request: HttpRequest) -> Actor:
    """Who asks, for the audit trail."""
    return Actor(request.user.get_username(), client_address(request))
