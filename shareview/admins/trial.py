"""Trying a frame out: a page of ours under another name shows a share as a page of another site would."""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from shareview.pages.headers import may_frame, never_stored
from shareview.shares.embed_snippets import embed_snippet, embedding_origins
from shareview.shares.models import Share
from shareview.shares.trial_frames import trial_share, trial_ticket

_LOOPBACK = {"127.0.0.1": "localhost", "localhost": "127.0.0.1"}


def second_origin() -> str:
    """Another origin that this site answers at: the admin's host, or the loopback's other name; else empty."""
    base = urlsplit(settings.SHAREVIEW_BASE_URL)
    if settings.SHAREVIEW_ADMIN_HOST:
        return f"{base.scheme}://{settings.SHAREVIEW_ADMIN_HOST}"
    other = _LOOPBACK.get(base.hostname or "")
    return f"{base.scheme}://{other}{f':{base.port}' if base.port else ''}" if other else ""


def trial_address(share: Share) -> str:
    """The page that tries ``share`` out, for ten minutes; empty where this site has one origin only."""
    origin = second_origin()
    if not origin:
        return ""
    ticket = trial_ticket(share, origin, now=timezone.now())
    return origin + reverse("admin-trial", args=[ticket])


@require_safe
def trial(request: HttpRequest, ticket: str) -> HttpResponse:
    """Two frames of the share: one as the snippet has it, from an origin that may, and one from an origin that may not.

    Who holds the ticket needs no sign-in: at this origin there is none.
    """
    now = timezone.now()
    found = trial_share(ticket, now=now)
    if found is None or found[1] != f"{request.scheme}://{request.get_host()}":
        raise Http404
    share, base_url = found[0], settings.SHAREVIEW_BASE_URL
    if not embedding_origins(share, base_url, now=now):
        raise Http404
    context = {
        "title": _("Trying the frame out"),
        "origin": found[1],
        "allowed": embed_snippet(share, base_url, query=f"?try={ticket}"),
        "refused": embed_snippet(share, base_url),
        "is_allowed_anyway": found[1] in share.embed_origins(),
    }
    response = HttpResponse(render_to_string("admins/trial.html", context, request))
    return never_stored(may_frame(response, base_url))
