"""Views of the site itself: what stands beside the shares, for programs."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from shareview.pages.errors import not_found
from shareview.pages.headers import never_stored
from shareview.pages.health import check_health
from shareview.pages.metrics import gather_metrics
from shareview.pages.script import parent_script


@require_safe
def embed_script(request: HttpRequest) -> HttpResponse:
    """The script for pages that show a share in a frame: it gives the frame the height of what it shows."""
    response = HttpResponse(parent_script(), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "public, max-age=3600"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """robots.txt: ``/s/`` is not disallowed, or crawlers would never see that a share must not be indexed."""
    return HttpResponse("User-agent: *\nDisallow: /admin/\n", content_type="text/plain; charset=utf-8")


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 when the site can serve, else 503; each with what is wrong."""
    health = check_health()
    status = 503 if health.faults else 200
    lines = [*health.faults, *(("ok",) if not health.faults else ()), *health.warnings]
    text = "".join(f"{line}\n" for line in lines)
    return never_stored(HttpResponse(text, content_type="text/plain; charset=utf-8", status=status))


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Figures for Prometheus, for whoever has the site's token for them."""
    sent, wanted = request.headers.get("Authorization", ""), settings.SHAREVIEW_METRICS_TOKEN
    if not wanted or not constant_time_compare(sent, f"Bearer {wanted}"):
        return not_found(request)
    return never_stored(HttpResponse(gather_metrics(now=timezone.now()), content_type=CONTENT_TYPE_LATEST))
