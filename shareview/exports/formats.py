"""Which formats can be read."""

from typing import BinaryIO, Final, Protocol

from shareview.exports.limits import Limits
from shareview.exports.native import read_native
from shareview.exports.spool import Export


class Reader(Protocol):
    """Reads one format as a stream into an Export that the caller closes. Raises ExportError."""

    def __call__(self, source: BinaryIO, *, limits: Limits = ..., lenient: bool = ...) -> Export:
        """The export in ``source``."""
        ...


NATIVE: Final = "native"
READERS: Final[dict[str, Reader]] = {NATIVE: read_native}
"""Readers by the name that ``publish --format`` takes; without one a file is read as native."""
