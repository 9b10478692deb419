"""Headers of every answer (design, "CSP" and "No indexing")."""

from collections.abc import Callable, Sequence
from typing import Final

from csp.decorators import csp_replace, csp_update
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
_ALONE: Final = ("Cross-Origin-Opener-Policy", "X-Frame-Options")
_FRAMED_ANSWER: Final = {
    **{name: value for name, value in _EVERY_ANSWER.items() if name not in _ALONE},
    "Cross-Origin-Resource-Policy": "cross-origin",
}
_UNFRAMED: Final = "frame-ancestors 'none'"


class AnswerHeadersMiddleware:
    """Sets what every answer has, whoever makes it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer with its headers."""
        response = self._get_response(request)
        is_framed = _UNFRAMED not in response.headers.get("Content-Security-Policy", _UNFRAMED)
        for name, value in (_FRAMED_ANSWER if is_framed else _EVERY_ANSWER).items():
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


def may_frame(response: HttpResponse, origin: str) -> HttpResponse:
    """``response``, which may show pages of ``origin`` in frames and run its script for them."""

    @csp_update({"frame-src": [origin], "script-src": [origin]})
    def allowed(request: HttpRequest) -> HttpResponse:
        return response

    allowed(HttpRequest())
    return response


def framed_by(response: HttpResponse, origins: Sequence[str]) -> HttpResponse:
    """``response``, which pages of ``origins`` may show in a frame, if there are any."""
    if origins:

        @csp_replace({"frame-ancestors": list(origins)})
        def allowed(request: HttpRequest) -> HttpResponse:
            return response

        allowed(HttpRequest())
    return response
