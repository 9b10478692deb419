"""Pages that say nothing of any share: unknown, ended, closed, locked, refused, broken."""

import math

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from shareview.pages.headers import never_stored
from shareview.pages.languages import chosen_language, language_tag
from shareview.pages.states import read_state


def _plain_page(status: int, title: str, text: str) -> HttpResponse:
    context = {"status": status, "title": title, "text": text, "lang": language_tag(translation.get_language() or "en")}
    return never_stored(HttpResponse(render_to_string("pages/plain.html", context), status=status))


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404: nothing has this address."""
    translation.activate(chosen_language(request))
    return _plain_page(404, _("There is nothing here"), _("Check that the address is complete."))


def ended(request: HttpRequest) -> HttpResponse:
    """410: the link has ended."""
    translation.activate(chosen_language(request))
    return _plain_page(410, _("This link has ended"), _("Whoever sent it to you can give you a new one."))


def closed(request: HttpRequest) -> HttpResponse:
    """403: the link is paused, or does not begin yet."""
    text = _("It may open later. Whoever sent it to you can tell you when.")
    return _plain_page(403, _("This link is not open now"), text)


def locked(request: HttpRequest, *, is_wrong: bool, is_framed: bool) -> HttpResponse:
    """401: the same form for every share that asks for a password."""
    language = language_tag(translation.get_language() or "en")
    # A frame must not take the focus from the page around it.
    theme = read_state(request.GET).theme
    context = {"lang": language, "theme": theme, "is_wrong": is_wrong, "is_framed": is_framed, "status": 401}
    response = HttpResponse(render_to_string("pages/unlock.html", context), status=401)
    # RFC 9110 wants a scheme named; no browser knows this one, so none shows a box of its own.
    response["WWW-Authenticate"] = "Share-Password"
    response["Referrer-Policy"] = "same-origin"
    return never_stored(response)


def foreign_form(request: HttpRequest) -> HttpResponse:
    """403: a form that was sent from somebody else's page."""
    return _plain_page(403, _("This form was not sent from here"), _("Open the link itself and try again."))


def too_many(request: HttpRequest, seconds: int) -> HttpResponse:
    """429: too many tries; again in ``seconds``."""
    minutes = math.ceil(seconds / 60)
    text = ngettext("Try again in %d minute.", "Try again in %d minutes.", minutes) % minutes
    response = _plain_page(429, _("Too many tries"), text)
    response["Retry-After"] = str(seconds)
    return response


def too_many_sign_ins(request: HttpRequest, credentials: object = None) -> HttpResponse:
    """429: too many sign-ins failed from where this one comes."""
    return too_many(request, round(settings.AXES_COOLOFF_TIME.total_seconds()))


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403: not for this reader."""
    translation.activate(chosen_language(request))
    return _plain_page(403, _("This is not open to you"), _("Sign in with an account that may see it."))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400: the request makes no sense."""
    return _plain_page(400, _("This request cannot be read"), _("Check that the address is complete."))


def broken(request: HttpRequest) -> HttpResponse:
    """500: our fault."""
    return _plain_page(500, _("Something broke on our side"), _("Try again in a moment."))
