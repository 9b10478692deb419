"""The site as a WSGI application within a request that is under way."""

from collections.abc import Callable
from typing import Any

from django.core.handlers.wsgi import WSGIHandler, WSGIRequest


class InnerSite:
    """The site, for requests that are parts of another one: not of their own, whose end closes connections."""

    def __init__(self) -> None:
        self._handler = WSGIHandler()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        """What it answers."""
        request = WSGIRequest(environ)
        response = self._handler.get_response(request)
        request.close()
        start_response(f"{response.status_code} {response.reason_phrase}", list(response.items()))
        return [bytes(piece) for piece in response]
