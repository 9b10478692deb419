"""How an answer for a share goes out: validated, compressed, never served from a cache unchecked."""

import gzip
import hashlib
from collections.abc import Callable, Iterable
from typing import Final

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified

from shareview.pages.access import OpenedShare
from shareview.pages.languages import language_tag
from shareview.pages.representations import has_already, takes_coding
from shareview.pages.versions import page_version
from shareview.shares.models import Share
from shareview.snapshots.derivation import DERIVATION_VERSION
from shareview.snapshots.shown_versions import shown_version

_GZIP_LEVEL: Final = 6
_COMPRESSED_FROM: Final = 500
_LONGEST_KEPT: Final = 256 * 1024
"""Bytes of an answer that is kept for who asks next; 200 of them at most are (settings, "pages")."""
_FORMS: Final = ("HX-Request", "HX-History-Restore-Request", "HX-Current-URL")


def _etag(share: Share, view: str, language: str, coding: str) -> str:
    parts = (
        share.public_id,
        share.snapshot.digest,
        DERIVATION_VERSION,
        page_version(),
        view,
        str(shown_version(share.snapshot)),
    )
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
    return f'"{digest}-{language_tag(language)}-{coding}"'


def answer(
    request: HttpRequest,
    opened: OpenedShare,
    language: str,
    compose: Callable[[], str | bytes],
    *,
    content_type: str = "text/html; charset=utf-8",
    headers: Iterable[tuple[str, str]] = (),
) -> HttpResponse:
    """What ``compose`` gives, or 304 where the reader has it already. Every use asks us first (``no-cache``).

    A share with a password is composed anew each time: nobody keeps what it showed.
    """
    gzipped = takes_coding(request.headers.get("Accept-Encoding", ""), "gzip")
    asked = (request.headers.get(name, "") for name in _FORMS)
    view = "\0".join((request.get_full_path(), *asked))
    etag = _etag(opened.share, view, language, "gzip" if gzipped else "identity")
    response: HttpResponse
    if not opened.unlocking and has_already(request.headers.get("If-None-Match", ""), etag):
        response = HttpResponseNotModified()
    else:
        body, is_compressed = _body(compose, opened, etag, gzipped=gzipped)
        response = HttpResponse(body, content_type=content_type)
        if is_compressed:
            response["Content-Encoding"] = "gzip"
        response["Content-Language"] = language_tag(language)
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    response["Vary"] = ", ".join(("Accept-Encoding", "Accept-Language", *_FORMS))
    for name, value in headers:
        response[name] = value
    return response


def _body(compose: Callable[[], str | bytes], opened: OpenedShare, etag: str, *, gzipped: bool) -> tuple[bytes, bool]:
    """What is sent, and whether it is compressed. Kept for a while under ``etag``, which covers all it is made of."""
    is_open = opened.share.pk is not None and not opened.unlocking
    kept: tuple[bytes, bool] | None = caches["pages"].get(etag) if is_open else None
    if kept:
        return kept
    composed = compose()
    body = composed if isinstance(composed, bytes) else composed.encode()
    is_compressed = gzipped and isinstance(composed, str) and len(body) >= _COMPRESSED_FROM
    if is_compressed:
        body = gzip.compress(body, _GZIP_LEVEL, mtime=0)
    if is_open and len(body) <= _LONGEST_KEPT:
        caches["pages"].set(etag, (body, is_compressed))
    return body, is_compressed
