"""Bodies of any length: kept on disk as they come, bounded, and whole or refused."""

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, Final

from django.conf import settings
from django.http import HttpRequest
from django.http.request import UnreadablePostError

from shareview.api.problems import ProblemError

_PIECE: Final = 1_048_576


@dataclass(frozen=True)
class Upload:
    """A body on disk, at its start, and its SHA-256 (hex)."""

    file: BinaryIO
    sha256: str


@contextmanager
def uploaded(request: HttpRequest) -> Iterator[Upload]:
    """The body of ``request``, read in pieces of a megabyte. Raises ProblemError where it is no whole body."""
    length = request.META.get("CONTENT_LENGTH") or ""
    if not length.isdecimal():
        raise ProblemError(411, "no-length", "the request must say how long its body is (Content-Length)")
    if int(length) > settings.SHAREVIEW_UPLOAD_BYTES:
        megabytes = settings.SHAREVIEW_UPLOAD_BYTES // 1_000_000
        raise ProblemError(413, "too-large", f"the body is longer than {megabytes} MB")
    with tempfile.TemporaryFile() as file:
        digest = hashlib.sha256()
        for piece in _pieces(request):
            digest.update(piece)
            file.write(piece)
        if file.tell() != int(length):
            raise ProblemError(400, "cut-off", f"the body ended after {file.tell()} of {int(length)} bytes")
        file.seek(0)
        yield Upload(file, digest.hexdigest())


def _pieces(request: HttpRequest) -> Iterator[bytes]:
    try:
        while piece := request.read(_PIECE):
            yield piece
    except UnreadablePostError:
        raise ProblemError(400, "cut-off", "the request ended before its body did") from None
