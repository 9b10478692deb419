"""The piece of text that inline rules stand in, and its masked copy.

``marked`` reads the inside of every emphasis, deletion and link as a text of its own; the rules for
emphasis therefore look no further back than the start of that piece. In the masked copy everything that
cannot hold a delimiter (escapes, code, links, raw tags) is blotted out at equal length.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property

from markdown_it.common.html_re import HTML_TAG_RE
from markdown_it.common.utils import normalizeReference
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline

from shareview.dialect.characters import is_punctuation

_CODE_OR_ESCAPE = re.compile(r"(`+)(?:[^`]|[^`][\s\S]*?[^`])\1(?!`)|`+|\\([^\w\s]|_)")
_REFERENCE = re.compile(r"!?\[((?:\\.|[^\[\]\\]){0,999})\](?:\[((?:\\.|[^\[\]\\]){1,999})\])?(?!\()")
_LINK_CODE_OR_TAG = re.compile(
    r"\[(?:[^\[\]`]|(?P<a>`+)[^`]+(?P=a)(?!`))*?\]\((?:\\[\s\S]|[^\\()]|\((?:\\[\s\S]|[^\\()])*\))*\)"
    r"|(?<!`)(?P<b>`+)[^`]+(?P=b)(?!`)"
    r"|<(?! )[^<>]*?>"
)
_AUTOLINK = re.compile(
    r"<(?:[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s\x00-\x1f<>]*|[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[^<>\s]+)>"
)
_BLANKS = " \t\n\r\f"


@dataclass(frozen=True)
class Segment:
    """Code points ``start`` to ``end`` of one inline text; ``text`` is that piece."""

    source: str
    start: int
    end: int
    references: frozenset[str] = frozenset()
    text: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", self.source[self.start : self.end])

    @cached_property
    def masked(self) -> str:
        """``text`` at the same length with all that holds no delimiter blotted out."""
        text = self.text
        if self.references and "[" in text:
            text = _REFERENCE.sub(self._mask_reference, text)
        text = _CODE_OR_ESCAPE.sub(_mask_code_or_escape, text)
        return _mask_links_code_and_tags(text)

    @cached_property
    def last_closers(self) -> dict[str, int]:
        """Where the last run of each delimiter starts that no blank precedes, -1 for none."""
        found = {"*": -1, "_": -1, "~": -1}
        for run in re.finditer(r"\*+|_+|~+", self.masked):
            at = run.start()
            if at > 0 and self.masked[at - 1] not in _BLANKS:
                found[run[0][0]] = at
        return found

    def _mask_reference(self, match: re.Match[str]) -> str:
        label = match[2] or match[1]
        if normalizeReference(label) not in self.references:
            return match[0]
        return "[" + "a" * (len(match[0]) - 2) + "]"


def _mask_code_or_escape(match: re.Match[str]) -> str:
    if match[2]:
        return "++" if is_punctuation(match[2]) else match[0]
    ticks = match[1]
    if ticks:
        inside = match[0][len(ticks) : -len(ticks)]
        return ticks + inside.replace("`", "+") + ticks
    return match[0]


def _mask_links_code_and_tags(text: str) -> str:
    if not ("[" in text or "`" in text or "<" in text):
        return text
    parts: list[str] = []
    done = at = 0
    while match := _LINK_CODE_OR_TAG.search(text, at):
        start, end = match.span()
        if text[start] == "<":
            tag = HTML_TAG_RE.match(text, start) or _AUTOLINK.match(text, start)
            if tag is None:
                at = start + 1
                continue
            end = tag.end()
        parts += [text[done:start], "[", "a" * (end - start - 2), "]"]
        done = at = end
    return "".join(parts) + text[done:]


class SegmentedInline(ParserInline):
    """markdown-it-py's inline parser, which tells its rules the piece of text they stand in."""

    def tokenize(self, state: StateInline) -> None:
        """Reads from ``state.pos`` to ``state.posMax`` as a piece of its own."""
        outer = state.env.get("segment")
        references = frozenset(state.env.get("references") or ())
        state.env["segment"] = Segment(state.src, state.pos, state.posMax, references)
        try:
            super().tokenize(state)
        finally:
            state.env["segment"] = outer


def segment_of(state: StateInline) -> Segment:
    """The segment that ``state`` stands in: the whole inline text, or the inside of what it is within."""
    segment: Segment = state.env["segment"]
    return segment


def read_inside(state: StateInline, start: int, end: int) -> None:
    """Lets the inline rules read ``start`` to ``end`` of the same text; leaves ``state`` where it stood."""
    position, maximum = state.pos, state.posMax
    state.pos, state.posMax = start, end
    state.md.inline.tokenize(state)
    state.pos, state.posMax = position, maximum
