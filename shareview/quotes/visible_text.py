"""What a reader sees of a rendered message as one line of text, with the way back into its HTML.

Selectors refer to this text (session-export, "quote"): white space is folded, superscripts of citations are left
out, and elements that stand below or beside each other have a space between them. A formula is the text of its signs.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Final

_PIECE = re.compile(
    r"<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]*)(?P<rest>[^>]*)>|(?P<text>[^<]+)|<"
)  # fmt: skip
_RUN = re.compile(r"(?P<reference>&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});)|\s+|[^\s&]+|&")
_TAG = re.compile(r"<[^>]*>")
_NAMED_TAG = re.compile(r"</?(?P<name>[a-zA-Z][a-zA-Z0-9]*)[^>]*>")
_SUPERSCRIPTS = re.compile(r'<sup [^>]*class="cite-ref"[^>]*>.*?</sup>', re.DOTALL)
_FORMULAS = re.compile(r"<math\b.*?</math>", re.DOTALL)
_SUPERSCRIPT: Final = 'class="cite-ref"'
_INLINE: Final = frozenset({
    "a", "abbr", "b", "cite", "code", "del", "em", "i", "ins", "kbd", "mark", "q", "rp", "rt", "ruby", "s", "small",
    "span", "strong", "sub", "sup", "u",
})  # fmt: skip
"""Elements whose text goes on in the line that they stand in."""


@dataclass(frozen=True, slots=True)
class _Run:
    """Code points from ``at`` on, and what stands for them in the HTML; one by one where it is ``plain``."""

    at: int
    begin: int
    stop: int
    plain: bool
    node: int


@dataclass(frozen=True)
class VisibleText:
    """``text`` in code points. A space between elements stands for nothing in the HTML."""

    text: str
    runs: tuple[_Run, ...] = field(repr=False, default=())

    def ranges(self, start: int, end: int) -> tuple[tuple[int, int], ...]:
        """The pieces of the HTML that ``text[start:end]`` is, in order: parts of texts, or whole formulas."""
        found: list[tuple[int, int]] = []
        node = -1
        for begin, stop, its_node in self._covered(start, end):
            if its_node == node:
                found[-1] = (found[-1][0], stop)
            else:
                found.append((begin, stop))
            node = its_node
        return tuple(found)

    def _covered(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        first = max(0, bisect_right(self.runs, start, key=lambda run: run.at) - 1)
        for number in range(first, len(self.runs)):
            run = self.runs[number]
            after = self.runs[number + 1].at if number + 1 < len(self.runs) else len(self.text)
            if run.at >= end:
                return
            if min(end, after) <= max(start, run.at) or run.begin == run.stop:
                continue
            if run.plain:
                yield run.begin + max(start, run.at) - run.at, run.begin + min(end, after) - run.at, run.node
            else:
                yield run.begin, run.stop, run.node


@dataclass
class _Reading:
    html: str

    def __post_init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0
        self.runs: list[_Run] = []
        self.is_apart = False

    def read(self) -> VisibleText:
        end = 0
        while piece := _PIECE.search(self.html, end):
            end = piece.end()
            name = piece["name"]
            if name == "math" and not piece["end"]:
                end = self._formula(piece.start())
            elif name == "sup" and _SUPERSCRIPT in piece["rest"]:
                # A superscript of a citation holds nothing of its own name.
                end = self._behind("</sup>", end)
            elif name:
                self.is_apart = self.is_apart or name not in _INLINE
            else:
                self._text(piece[0], piece.start())
        text = "".join(self.pieces)
        return VisibleText(text.removesuffix(" "), tuple(self.runs))

    def _behind(self, tag: str, start: int) -> int:
        at = self.html.find(tag, start)
        return len(self.html) if at < 0 else at + len(tag)

    def _formula(self, begin: int) -> int:
        stop = self._behind("</math>", begin)
        seen = " ".join(unescape(_TAG.sub("", self.html[begin:stop])).split())
        if seen:
            self._part()
            self._add(seen, begin, stop, plain=False, node=begin)
        return stop

    def _text(self, text: str, offset: int) -> None:
        for run in _RUN.finditer(text):
            begin, stop = offset + run.start(), offset + run.end()
            seen = unescape(run[0]) if run["reference"] else run[0]
            if seen.isspace():
                self._space(begin, stop, offset)
            else:
                self._part()
                self._add(seen, begin, stop, plain=not run["reference"], node=offset)

    def _part(self) -> None:
        """A space before what stands in another block than the words before it."""
        if self.is_apart and self.length and self.pieces[-1] != " ":
            self._add(" ", 0, 0, plain=False, node=-1)
        self.is_apart = False

    def _space(self, begin: int, stop: int, node: int) -> None:
        """One space for white space of any kind and length, none at the beginning."""
        if not self.is_apart and self.length and self.pieces[-1] != " ":
            self._add(" ", begin, stop, plain=False, node=node)

    def _add(self, seen: str, begin: int, stop: int, *, plain: bool, node: int) -> None:
        self.runs.append(_Run(self.length, begin, stop, plain, node))
        self.pieces.append(seen)
        self.length += len(seen)


def visible_text(html: str) -> VisibleText:
    """The visible text of the stored HTML of a message; linear in its length.

    ``html`` is what the renderer made: well formed, with ``<``, ``>`` and ``&`` of texts and attributes escaped.
    """
    return _Reading(html).read()


def visible_words(html: str) -> str:
    """``visible_text(html).text`` alone, some ten times faster: for what needs no way back into ``html``."""
    inline = _FORMULAS.sub(lambda formula: _TAG.sub("", formula[0]), _SUPERSCRIPTS.sub("", html))
    return folded(unescape(_NAMED_TAG.sub(lambda tag: "" if tag["name"] in _INLINE else " ", inline)))


def folded(words: str) -> str:
    """``words`` with white space folded as visible text has it."""
    return " ".join(words.split())
