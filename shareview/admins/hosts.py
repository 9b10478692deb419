"""The admin on a host name of its own, where one is set: cookies of admins then never go with a share's address."""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse

from shareview.pages.errors import not_found

_EVERYWHERE: Final = ("/healthz", "/robots.txt")


class AdminHostMiddleware:
    """On the admin's host nothing but the admin, elsewhere no admin; both everywhere while ``ADMIN_HOST`` is unset."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer, or 404 at the wrong host."""
        host = settings.SHAREVIEW_ADMIN_HOST
        if host and not request.path.startswith((settings.STATIC_URL, *_EVERYWHERE)):
            is_admin = request.path.startswith(reverse("admin:index"))
            if is_admin != (request.get_host().lower() == host):
                return not_found(request)
        return self._get_response(request)
