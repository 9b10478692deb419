"""Pages that say nothing of any share: unknown, ended, refused, broken."""

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext as _

from shareview.pages.headers import never_stored
from shareview.pages.languages import chosen_language, language_tag


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
