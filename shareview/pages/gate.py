"""The gate in front: answers what it knows to be true with one look-up, and lets everything else pass.

It knows first views of open shares as they were composed, that the reader has them already, and that a share has ended
or is not open. How an answer of a kind looks (its headers, the words of a closed link) it learns from the site itself,
the first time that one is asked for.
"""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, cast

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.http.request import split_domain_port, validate_host
from django.utils.translation import get_language_from_request

from shareview.pages.compositions import composition_version
from shareview.pages.languages import language_tag, spoken
from shareview.pages.representations import has_already, takes_coding
from shareview.shares.client_addresses import client_line
from shareview.shares.limits import UNKNOWN_TOKENS, TooManyTriesError, count_try
from shareview.shares.models import SHARE_PATH, RetiredToken, ShareState, state_at
from shareview.shares.tokens import hash_token
from shareview.shares.view_counts import VIEWS, is_no_reader

Headers = list[tuple[str, str]]
StartResponse = Callable[..., Any]
Moment = datetime | None
Application = Callable[[dict[str, Any], StartResponse], Iterable[bytes]]

_LIVE: Final = "200"
_STATUS: Final = {
    ShareState.LIVE: _LIVE,
    ShareState.REVOKED: "410",
    ShareState.EXPIRED: "410",
    ShareState.PAUSED: "403",
    ShareState.NOT_YET: "403",
}
_OF_ONE_MOMENT: Final = frozenset({"date", "server", "connection"})
_OF_ONE_ANSWER: Final = _OF_ONE_MOMENT | {"etag", "content-length", "content-encoding", "content-language"}
# One look-up by the index of the token; the body comes along only where it will be sent.
_LOOK_UP: Final = """
    SELECT s.id, s.revoked_at, s.expires_at, s.paused_at, s.starts_at, s.password,
      c.etag, c.version, c.token_hash, c.shown, v.number{body}
    FROM shares_share s
      LEFT JOIN pages_composedpage c ON c.share_id = s.id AND c.view = {mark} AND c.language = {mark}
      LEFT JOIN snapshots_shownversion v ON v.snapshot_id = s.snapshot_id
    WHERE s.token_hash = {mark}"""
_CODINGS: Final = {"brotli": "br", "gzip": "gzip"}


@dataclass(frozen=True, slots=True)
class _Answer:
    status: str
    headers: Headers
    body: bytes


@dataclass(frozen=True, slots=True)
class _Reader:
    """What a reader's browser takes; ``coding`` is the column of the compressed body."""

    language: str
    coding: str
    tag: str
    """The end of an ETag."""
    headers: Headers


class _Asked(NamedTuple):
    """A request for a share, as far as the gate looks."""

    token: str
    rest: str
    view: str
    reader: _Reader


class _Row(NamedTuple):
    share: int
    status: str
    is_fresh: bool
    etag: str
    body: bytes


class _Databases(threading.local):
    """The database's connection of each thread: what Django puts around it costs more than the look-up."""

    def __init__(self) -> None:
        self.of_thread = connections[DEFAULT_DB_ALIAS]


_DATABASES: Final = _Databases()


class Gate:
    """A WSGI application in front of ``application``, the site."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._learned: dict[tuple[str, ...], _Answer] = {}

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """The answer of the gate, else the site's."""
        asked = _asked(environ)
        if asked is None:
            return self._application(environ, start_response)
        try:
            return self._answer(asked, environ, start_response)
        except DatabaseError:
            # The site meets it too, and says what is wrong.
            _DATABASES.of_thread.close()
            return self._application(environ, start_response)

    def _answer(self, asked: _Asked, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        row = _look_up(asked, with_body=not asked.rest and "HTTP_IF_NONE_MATCH" not in environ)
        if row is None:
            return self._unknown(asked, environ, start_response)
        if row.status != _LIVE:
            return self._without_word(row.status, asked, environ, start_response)
        if not row.is_fresh or asked.rest or _is_special(environ):
            return self._application(environ, start_response)
        return self._page(row, asked, environ, start_response)

    def _unknown(self, asked: _Asked, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        if RetiredToken.objects.filter(token_hash=hash_token(asked.token)).exists():
            return self._without_word("410", asked, environ, start_response)
        try:
            if _kind("404", asked, environ) in self._learned:
                count_try(UNKNOWN_TOKENS, "token", client_line(environ))
        except TooManyTriesError:
            # The site says for how long.
            return self._application(environ, start_response)
        return self._without_word("404", asked, environ, start_response)

    def _without_word(
        self, state: str, asked: _Asked, environ: dict[str, Any], start_response: StartResponse
    ) -> Iterable[bytes]:
        kind = _kind(state, asked, environ)
        known = self._learned.get(kind) or self._learn(kind, environ)
        if known is None:
            return self._application(environ, start_response)
        start_response(known.status, list(known.headers))
        return [known.body] if environ["REQUEST_METHOD"] == "GET" else []

    def _page(
        self, row: "_Row", asked: _Asked, environ: dict[str, Any], start_response: StartResponse
    ) -> Iterable[bytes]:
        kind = (_LIVE, environ["wsgi.url_scheme"], environ.get("HTTP_X_FORWARDED_PROTO", ""))
        known = self._learned.get(kind) or self._learn(kind, environ)
        if known is None:
            return self._application(environ, start_response)
        etag = f'"{row.etag}-{asked.reader.tag}"'
        headers = [*known.headers, ("ETag", etag)]
        if has_already(environ.get("HTTP_IF_NONE_MATCH", ""), etag):
            start_response("304 Not Modified", headers)
            return []
        # It was looked up without its body, for most readers who name a tag have the page.
        whole = row if row.body else _look_up(asked, with_body=True)
        if whole is None or not whole.is_fresh or whole.status != _LIVE:
            return self._application(environ, start_response)
        is_read = environ["REQUEST_METHOD"] == "GET"
        if is_read and environ.get("HTTP_SEC_FETCH_SITE") != "same-origin":
            is_crawler = is_no_reader(environ.get("HTTP_USER_AGENT", ""))
            VIEWS.count(row.share, now=datetime.now(UTC), is_crawler=is_crawler)
        headers += asked.reader.headers
        headers.append(("Content-Length", str(len(whole.body))))
        start_response("200 OK", headers)
        return [whole.body] if is_read else []

    def _learn(self, kind: tuple[str, ...], environ: dict[str, Any]) -> _Answer | None:
        """What answers of ``kind`` have in common, by what the site gives somebody who has nothing yet.

        That somebody is not counted. None where the site answers something else now.
        """
        whole = {name: value for name, value in environ.items() if name != "HTTP_IF_NONE_MATCH"}
        asked = {**whole, "REQUEST_METHOD": "GET", "HTTP_SEC_FETCH_SITE": "same-origin"}
        seen: list[tuple[str, Headers]] = []
        pieces = self._application(asked, lambda status, headers, *_more: seen.append((status, headers)))
        body = b"".join(pieces)
        close = getattr(pieces, "close", None)
        if close:
            close()
        status, headers = seen[0]
        if not status.startswith(kind[0]):
            return None
        of_one = _OF_ONE_ANSWER if kind[0] == _LIVE else _OF_ONE_MOMENT
        common = [(name, value) for name, value in headers if name.lower() not in of_one]
        learned = _Answer(status, common, b"" if kind[0] == _LIVE else body)
        self._learned[kind] = learned
        return learned


def _look_up(asked: _Asked, *, with_body: bool) -> _Row | None:
    token_hash = hash_token(asked.token)
    database, reader = _DATABASES.of_thread, asked.reader
    if database.connection is None:
        database.ensure_connection()
    statement = _statement(database.vendor, reader.coding if with_body else "")
    with database.wrap_database_errors:
        found = database.connection.execute(statement, (asked.view, reader.language, token_hash)).fetchone()
    if found is None:
        return None
    share, *dates, password, etag, version, composed_for, shown, number = found[:11]
    is_fresh = (
        version == composition_version() and not password and composed_for == token_hash and shown == (number or 0)
    )
    return _Row(share, _status(*dates), is_fresh, etag, bytes(found[11] or b"") if with_body else b"")


def _kind(state: str, asked: _Asked, environ: dict[str, Any]) -> tuple[str, ...]:
    """What answers without a word of a share differ by."""
    return state, asked.reader.language, environ["wsgi.url_scheme"], environ.get("HTTP_X_FORWARDED_PROTO", "")


@cache
def _statement(vendor: str, coding: str) -> str:
    return _LOOK_UP.format(mark="?" if vendor == "sqlite" else "%s", body=f", c.{coding}" if coding else "")


def _status(*moments: Moment) -> str:
    """The status that a share answers with; ``moments`` as ``state_at`` takes them."""
    if not any(moments):
        return _LIVE
    # SQLite's are UTC and do not say so.
    aware = [moment.replace(tzinfo=moment.tzinfo or UTC) if moment else None for moment in moments]
    return _STATUS[state_at(datetime.now(UTC), *aware)]


def _asked(environ: dict[str, Any]) -> _Asked | None:
    """What is asked of a share; None where that is for the site to answer."""
    path: str = environ.get("PATH_INFO", "")
    if not path.startswith(SHARE_PATH) or environ["REQUEST_METHOD"] not in ("GET", "HEAD"):
        return None
    token, slash, rest = path[len(SHARE_PATH) :].partition("/")
    view: str = environ.get("QUERY_STRING", "")
    if not slash or "lang=" in view or "\0" in path or "%00" in view:
        return None
    if settings.SECURE_SSL_REDIRECT and environ.get("HTTP_X_FORWARDED_PROTO", "") != "https":
        return None
    if "django_language" in environ.get("HTTP_COOKIE", "") or not _is_our_host(environ.get("HTTP_HOST", "")):
        return None
    reader = _reader(environ.get("HTTP_ACCEPT_LANGUAGE", ""), environ.get("HTTP_ACCEPT_ENCODING", ""))
    return _Asked(token, rest, view, reader) if reader else None


def _is_special(environ: dict[str, Any]) -> bool:
    return (
        "HTTP_HX_REQUEST" in environ
        or "HTTP_HX_HISTORY_RESTORE_REQUEST" in environ
        or "prefetch" in environ.get("HTTP_SEC_PURPOSE", "")
    )


@lru_cache(maxsize=256)
def _is_our_host(host: str) -> bool:
    allowed = settings.ALLOWED_HOSTS
    domain, _port = split_domain_port(host)
    is_admins = bool(settings.SHAREVIEW_ADMIN_HOST) and host.lower() == settings.SHAREVIEW_ADMIN_HOST
    return bool(domain) and validate_host(domain, allowed) and not is_admins


@lru_cache(maxsize=1_024)
def _reader(languages: str, codings: str) -> _Reader | None:
    """Whom to answer; None where the reader takes none of our codings."""
    coding = next((column for column, name in _CODINGS.items() if takes_coding(codings, name)), "")
    if not coding:
        return None
    request = SimpleNamespace(COOKIES={}, META={"HTTP_ACCEPT_LANGUAGE": languages})
    language = spoken(get_language_from_request(cast("Any", request)))
    tag, name = language_tag(language), _CODINGS[coding]
    return _Reader(language, coding, f"{tag}-{name}", [("Content-Language", tag), ("Content-Encoding", name)])
