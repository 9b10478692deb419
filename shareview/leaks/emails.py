"""Addresses of e-mail."""

import re
from collections.abc import Iterator
from typing import Final

from shareview.leaks.findings import Leak, LeakClass

# RFC 5321 §4.5.3.1 gives the lengths; quoted local parts and address literals are not looked for.
_LOCAL: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-"
_DOMAIN: Final = re.compile(
    r"@(?<=[A-Za-z0-9_%+-]@)(?P<domain>[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9][A-Za-z0-9-]{0,62}){0,7}\.[A-Za-z]{2,24})"
    r"(?![A-Za-z0-9])"
)
# What packages, pictures and modules have behind their @: logo@2x.png, lib@next.js.
_FILES: Final = frozenset(
    "png jpg jpeg gif svg webp ico css js mjs ts tsx jsx json md html xml yaml yml toml txt".split()
)
_ESCAPED: Final = ("\\n", "\\r", "\\t")
_USER_OF_ADDRESS: Final = re.compile(r"://[^\s/?#]*\Z")
_LONGEST_LOCAL: Final = 64
_NOBODY: Final = frozenset({"git", "noreply", "no-reply"})


def find_emails(text: str) -> Iterator[Leak]:
    """Addresses with a name and a domain; not users of other addresses (``https://user@host``), nor ``git@…``."""
    for found in _DOMAIN.finditer(text):
        start = _local_start(text, found.start())
        if start == found.start() or text[start : found.start()].lower() in _NOBODY:
            continue
        if found["domain"].lower().rpartition(".")[2] in _FILES:
            continue
        if not _USER_OF_ADDRESS.search(text, max(0, start - _LONGEST_LOCAL), found.start()):
            yield Leak("email", start, found.end(), LeakClass.PERSONAL)


def _local_start(text: str, at: int) -> int:
    """Where the local part before the ``@`` at ``at`` begins."""
    near = text[max(0, at - _LONGEST_LOCAL - 2) : at]
    local = near[len(near.rstrip(_LOCAL)) :]
    if (near[len(near) - len(local) - 1 :][:2]) in _ESCAPED:
        local = local[1:]
    return at - len(local.lstrip(".%+-"))
