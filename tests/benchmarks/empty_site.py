"""An empty Django view behind two middlewares: what any answer of Django costs."""

import os
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path


def empty(request: HttpRequest) -> HttpResponse:
    """Nothing."""
    return HttpResponse("")


def nothing(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    """What the server itself costs."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b""]


urlpatterns = [path("", empty)]

if not settings.configured:
    settings.configure(
        SECRET_KEY="of a benchmark",
        ALLOWED_HOSTS=["127.0.0.1"],
        ROOT_URLCONF=__name__,
        MIDDLEWARE=["django.middleware.security.SecurityMiddleware", "django.middleware.common.CommonMiddleware"],
    )
os.environ.pop("DJANGO_SETTINGS_MODULE", None)
application = get_wsgi_application()
