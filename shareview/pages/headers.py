"""Headers of every answer (design, "CSP" and "No indexing")."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

_EVERY_ANSWER: Final = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow, noarchive, nosnippet",
}


class AnswerHeadersMiddleware:
    """Sets what every answer has, whoever makes it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer with its headers."""
        response = self._get_response(request)
        for name, value in _EVERY_ANSWER.items():
            response.setdefault(name, value)
        if request.resolver_match and "admin" in request.resolver_match.app_names:
            # Without a referrer a browser says "Origin: null" of a form, and the form is refused as a forged one.
            response["Referrer-Policy"] = "same-origin"
        response.setdefault("Cache-Control", "no-store")
        return response


def never_stored(response: HttpResponse) -> HttpResponse:
    """``response``, which no cache may keep."""
    response["Cache-Control"] = "no-store"
    return response
