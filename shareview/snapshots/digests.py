"""What names frozen lines."""

import hashlib
from collections.abc import Iterable


def digest_of(lines: Iterable[str]) -> str:
    """SHA-256 in hex over ``lines`` in UTF-8, a line feed after each (session-export, "Digest")."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode())
        digest.update(b"\n")
    return digest.hexdigest()
