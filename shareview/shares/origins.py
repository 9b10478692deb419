"""Origins of pages that may show a share in a frame."""

import re
from typing import Final
from urllib.parse import urlsplit

EXPECTED: Final = (
    "https://, a host name and perhaps a port (http:// on localhost only), without a path, a user, or a wildcard, such "
    "as https://blog.example.org"
)
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_LOCAL: Final = frozenset({"localhost", "127.0.0.1"})
_LONGEST: Final = 300


def read_origin(text: str) -> str:
    """``text`` as browsers write an origin (RFC 6454), which can stand in a header as it is. Raises ValueError."""
    candidate = text.strip().rstrip("/").lower()
    if not candidate.isascii() or len(candidate) > _LONGEST:
        raise ValueError(EXPECTED)
    try:
        parts = urlsplit(candidate)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError(EXPECTED) from None
    if parts.scheme not in ("https", "http") or (parts.scheme == "http" and host not in _LOCAL):
        raise ValueError(EXPECTED)
    default = {"https": 443, "http": 80}[parts.scheme]
    origin = f"{parts.scheme}://{host}" + (f":{port}" if port is not None and port != default else "")
    # Compared with what was written: a path, a user, a query or an odd spelling is no part of it.
    written = candidate.removesuffix(f":{default}")
    if port == 0 or not _HOST.fullmatch(host) or written != origin:
        raise ValueError(EXPECTED)
    return origin
