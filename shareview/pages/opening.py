"""The door of every view of a share: nothing else is looked at before it is certain that it may be shown."""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Concatenate, Final, ParamSpec, Protocol

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils import timezone, translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from shareview.pages.access import (
    ClosedShareError,
    EndedShareError,
    LockedShareError,
    NoSuchPlaceError,
    NoSuchShareError,
    OpenedShare,
    framing_origins,
    open_share,
)
from shareview.pages.addresses import Door
from shareview.pages.errors import closed, ended, foreign_form, locked, not_found, too_many
from shareview.pages.headers import framed_by, never_stored
from shareview.pages.languages import chosen_language
from shareview.shares.client_addresses import client_line
from shareview.shares.limits import UNKNOWN_TOKENS, TooManyTriesError, count_try
from shareview.shares.models import Share
from shareview.shares.trial_frames import trial_origins
from shareview.shares.unlocking import Unlocking, WrongPasswordError, unlock, unlocked_by

Arguments = ParamSpec("Arguments")
KEY_HEADER: Final = "X-Share-Key"
_DOORS: Final = {"embed/": Door.EMBED, "preview/": Door.DRAFT}
_READS: Final = ("GET", "HEAD")
_LONGEST_FORM: Final = 10_000
"""Bytes of a form with a password or a key."""


class ShareView(Protocol[Arguments]):
    """A view whose address begins with a share's token."""

    def __call__(
        self, request: HttpRequest, token: str, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> HttpResponse:
        """The answer."""
        ...


class _NoFormHereError(Exception):
    """A form was sent to a share that asks for nothing."""


class _ForeignFormError(Exception):
    """A form was sent from somebody else's page."""


def of_share(
    view: Callable[Concatenate[HttpRequest, OpenedShare, Arguments], HttpResponse],
) -> "ShareView[Arguments]":
    """``view`` for the share behind a token that may be shown; an answer that says nothing of it for all others."""

    # Whoever sends the form needs no session to protect: that it comes from a page of ours is looked at below.
    @csrf_exempt
    @require_http_methods([*_READS, "POST"])
    @wraps(view)
    def with_share(request: HttpRequest, token: str, *args: Arguments.args, **kwargs: Arguments.kwargs) -> HttpResponse:
        translation.activate(chosen_language(request))
        door = _door(request)
        now = timezone.now()
        try:
            if _holds_nul(request):
                return not_found(request)
            opened = open_share(token, door, lambda share: _unlocking(request, share, now), now=now)
            response = _said_to_none_but(opened, view(request, opened, *args, **kwargs))
        except NoSuchShareError:
            return _unknown(request)
        except NoSuchPlaceError:
            response = not_found(request)
        except (EndedShareError, ClosedShareError, LockedShareError, TooManyTriesError) as refusal:
            response = _refused(request, refusal)
        except _ForeignFormError:
            response = foreign_form(request)
        except _NoFormHereError:
            response = never_stored(HttpResponseNotAllowed(_READS))
        if door is not Door.EMBED:
            return response
        tried = trial_origins(token, request.GET.get("try", ""), now=now)
        return framed_by(response, [*framing_origins(token), *tried])

    return with_share


def is_fragment(request: HttpRequest) -> bool:
    """Whether htmx asks for a part of a page."""
    return request.headers.get("HX-Request") == "true" and request.headers.get("HX-History-Restore-Request") != "true"


def _door(request: HttpRequest) -> Door:
    route = request.resolver_match.route if request.resolver_match else ""
    return next((door for start, door in _DOORS.items() if route.startswith(start)), Door.PAGE)


def _holds_nul(request: HttpRequest) -> bool:
    query = request.META.get("QUERY_STRING", "")
    return "\0" in request.path or "\0" in query or "%00" in query


def _unlocking(request: HttpRequest, share: Share, now: datetime) -> Unlocking | None:
    """What opens ``share``: its key, a ticket for this very address, or the password itself."""
    if not share.password:
        if request.method == "POST":
            raise _NoFormHereError
        return None
    ticket = request.GET.get("ticket", "")
    key, password = request.headers.get(KEY_HEADER, ""), ""
    if request.method == "POST":
        if not _is_form_of_ours(request):
            raise _ForeignFormError
        key, password = request.POST.get("key", key), request.POST.get("password", "")
    found = unlocked_by(share, key, now=now) or unlocked_by(share, ticket, now=now, what=request.path)
    if found is None and password:
        try:
            found = unlock(share, password, line=client_line(request.META), now=now)
        except WrongPasswordError:
            raise LockedShareError(is_wrong=True) from None
    if found is None:
        raise LockedShareError(is_wrong=False)
    return found


def _is_form_of_ours(request: HttpRequest) -> bool:
    """Whether a page of ours sent the form, which is short; it is read only then."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    is_short = length.isdecimal() and int(length) <= _LONGEST_FORM
    is_plain = request.content_type == "application/x-www-form-urlencoded"
    return is_short and is_plain and request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"


def _said_to_none_but(opened: OpenedShare, response: HttpResponse) -> HttpResponse:
    """``response``; that of a share with a password is kept nowhere, and brings the key for what is asked next."""
    if opened.unlocking:
        del response["ETag"]
        if not opened.unlocking.what:
            response[KEY_HEADER] = opened.key
        # Of a form from a page without a referrer, a browser says "Origin: null".
        response["Referrer-Policy"] = "same-origin"
        never_stored(response)
    return response


def _unknown(request: HttpRequest) -> HttpResponse:
    try:
        count_try(UNKNOWN_TOKENS, "token", client_line(request.META))
    except TooManyTriesError as refusal:
        return too_many(request, refusal.seconds)
    return not_found(request)


def _refused(
    request: HttpRequest, refusal: EndedShareError | ClosedShareError | LockedShareError | TooManyTriesError
) -> HttpResponse:
    if isinstance(refusal, EndedShareError):
        return ended(request)
    if isinstance(refusal, ClosedShareError):
        return closed(request)
    if isinstance(refusal, LockedShareError):
        return locked(request, is_wrong=refusal.is_wrong, is_framed=_door(request) is Door.EMBED)
    return too_many(request, refusal.seconds)
