"""What a reader sees of a rendered message as one line of text, with the way back into its HTML.

Selectors refer to this text (session-export, "quote"): white space is folded, superscripts of citations are left
out, and elements that stand below or beside each other have a space between them.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from typing import Final

_PIECE = re.compile(r"<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]*)(?P<rest>[^>]*)>|(?P<text>[^<]+)|<")
_RUN = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});|\s+|[^\s&]+|&")
_SUPERSCRIPT: Final = 'class="cite-ref"'
_INLINE: Final = frozenset({
    "a", "abbr", "b", "cite", "code", "del", "em", "i", "ins", "kbd", "mark", "q", "rp", "rt", "ruby", "s", "small",
    "span", "strong", "sub", "sup", "u",
})  # fmt: skip
"""Elements whose text goes on in the line that they stand in."""


_NOWHERE: Final = -1


@dataclass(frozen=True)
class VisibleText:
    """``text`` in code points; for each of them, where what it stands for begins and ends in the HTML.

    A space that nothing stands for begins and ends at -1. ``nodes`` are the places where texts begin.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    nodes: Sequence[int]

    def ranges(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """The pieces of the HTML's text that ``text[start:end]`` is, in order, none of them across a tag."""
        found: list[tuple[int, int]] = []
        node = _NOWHERE
        for begin, stop in zip(self.starts[start:end], self.ends[start:end], strict=True):
            if begin == _NOWHERE:
                continue
            inside = bisect_right(self.nodes, begin)
            if found and inside == node:
                found[-1] = (found[-1][0], stop)
            else:
                found.append((begin, stop))
            node = inside
        return tuple(found)


@dataclass
class _Reading:
    html: str

    def __post_init__(self) -> None:
        self.text: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.nodes: list[int] = []
        self.is_apart = False
        self.hidden = 0

    def read(self) -> VisibleText:
        for piece in _PIECE.finditer(self.html):
            if piece["name"]:
                self._tag(piece)
            elif not self.hidden:
                self.nodes.append(piece.start())
                for run in _RUN.finditer(piece[0]):
                    self._run(run, piece.start())
        return VisibleText("".join(self.text), self.starts, self.ends, self.nodes)

    def _tag(self, tag: re.Match[str]) -> None:
        name = tag["name"].lower()
        if self.hidden or (name == "sup" and _SUPERSCRIPT in tag["rest"]):
            # A superscript of a citation holds nothing of its own name.
            self.hidden = 0 if name == "sup" and tag["end"] else 1
        elif name not in _INLINE:
            self.is_apart = True

    def _run(self, run: re.Match[str], offset: int) -> None:
        """A reference, white space, or characters that stand for themselves."""
        begin, stop = offset + run.start(), offset + run.end()
        seen = unescape(run[0]) if run[0].startswith("&") else run[0]
        if seen.isspace():
            self._space(begin, stop)
            return
        if self.is_apart:
            self._space(_NOWHERE, _NOWHERE)
        self.is_apart = False
        self.text.append(seen)
        is_plain = len(seen) == stop - begin
        self.starts += range(begin, stop) if is_plain else [begin] * len(seen)
        self.ends += range(begin + 1, stop + 1) if is_plain else [stop] * len(seen)

    def _space(self, begin: int, stop: int) -> None:
        """One space for white space of any kind and length, none at the beginning."""
        if self.is_apart and begin != _NOWHERE:
            return
        if self.text and self.text[-1] != " ":
            self.text.append(" ")
            self.starts.append(begin)
            self.ends.append(stop)


def visible_text(html: str) -> VisibleText:
    """The visible text of the stored HTML of a message; linear in its length.

    ``html`` is what the renderer made: well formed, with ``<``, ``>`` and ``&`` of texts and attributes escaped.
    """
    found = _Reading(html).read()
    if not found.text.endswith(" "):
        return found
    return VisibleText(found.text[:-1], found.starts[:-1], found.ends[:-1], found.nodes)


def folded(words: str) -> str:
    """``words`` with white space folded as visible text has it."""
    return " ".join(words.split())


def mark_passage(html: str, visible: VisibleText, start: int, end: int) -> str:
    """``html`` with ``<mark class="passage">`` round each piece of ``visible.text[start:end]``."""
    pieces: list[str] = []
    done = 0
    for begin, stop in visible.ranges(start, end):
        pieces += [html[done:begin], '<mark class="passage">', html[begin:stop], "</mark>"]
        done = stop
    return "".join(pieces) + html[done:]
