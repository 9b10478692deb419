"""Private keys as they are kept in files: blocks of lines with a mark before and behind."""

import re
from collections.abc import Iterator
from typing import Final

from shareview.leaks.findings import Leak, LeakClass

_NAME = r"[A-Z0-9 ]{0,40}?PRIVATE KEY(?: BLOCK)?"
# Lines may end as JSON writes them, stand in quotes of a program, or be quoted in Markdown.
_GAP = r"(?:[\s\"'+>|,]|\\{1,7}[nrt\"'])*"
_BEGIN: Final = re.compile(rf"-{{4,5}} ?BEGIN {_NAME} ?-{{4,5}}{_GAP}(?P<first>[A-Za-z0-9+/=:-]+)")
_END: Final = re.compile(rf"-{{4,5}} ?END {_NAME} ?-{{4,5}}")
# What the lines of a key hold, its headers included; a quotation mark with what is no gap behind it ends a JSON text.
_BODY: Final = re.compile(r"(?:[A-Za-z0-9+/=:,. \t\r\n>|]|-(?!-)|\\{1,7}[nrt]|[\"']\s*[+,]?\s*[\"'])*")
_PUTTY: Final = re.compile(r"PuTTY-User-Key-File-[0-9]:")
_PUTTY_END: Final = re.compile(r"Private-MAC: *[0-9a-f]+")
_MARKER: Final = re.compile(r"\[\^[0-9]{1,6}\^\]")
_SHORTEST_OPEN = 16  # letters of the first line of a block that does not end: less may be a word


def find_blocks(text: str) -> Iterator[Leak]:
    """Private keys from their BEGIN to their END, or to the end of ``text``; a citation marker inside parts a block."""
    for start, end in [*_armoured(text), *_putty(text)]:
        yield from _between_markers(text, start, end)


def _armoured(text: str) -> Iterator[tuple[int, int]]:
    if "PRIVATE KEY" not in text:
        return
    at, are_ends_left = 0, True
    while begin := _BEGIN.search(text, at):
        end = _END.search(text, begin.start("first")) if are_ends_left else None
        # Known once for all, or a text of nothing but beginnings would be read again for each.
        are_ends_left = end is not None
        body = _BODY.match(text, begin.start("first"))
        stop = body.end() if body else begin.end()
        if end and end.start() <= _behind_markers(text, stop, end.start()):
            yield begin.start(), end.end()
            at = end.end()
        elif len(begin["first"]) >= _SHORTEST_OPEN:
            last = len(text[:stop].rstrip(" \t\r\n\"'>|,-"))
            yield begin.start(), max(last, begin.end())
            at = max(last, begin.end())
        else:
            at = begin.end()


def _behind_markers(text: str, stop: int, end: int) -> int:
    """Where the lines of a key end that stopped at ``stop``: citation markers among them are no end."""
    while stop < end and (marker := _MARKER.match(text, stop)):
        body = _BODY.match(text, marker.end())
        stop = body.end() if body else marker.end()
    return stop


def _putty(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while begin := _PUTTY.search(text, at):
        end = _PUTTY_END.search(text, begin.end())
        if end is None:
            return
        yield begin.start(), end.end()
        at = end.end()


def _between_markers(text: str, start: int, end: int) -> Iterator[Leak]:
    for marker in _MARKER.finditer(text, start, end):
        if marker.start() > start:
            yield Leak("private-key", start, marker.start(), LeakClass.SECRET)
        start = marker.end()
    if start < end:
        yield Leak("private-key", start, end, LeakClass.SECRET)
