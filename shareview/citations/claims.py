"""The claims of an answer: what in it can be true or false by itself (trusted-citations §5.1)."""

import re
from collections.abc import Iterator
from typing import Final

from shareview.chat.artifacts import Span, SpanKind
from shareview.citations.markers import MARKER
from shareview.dialect.blocks import text_blocks
from shareview.dialect.source_lines import BlockKind, TextBlock

_KINDS: Final = {
    BlockKind.PARAGRAPH: SpanKind.SENTENCE,
    BlockKind.LIST_ITEM: SpanKind.LIST_ITEM,
    BlockKind.TABLE_ROW: SpanKind.TABLE_ROW,
}
_HAN: Final = "\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003ffff"
_STOP = re.compile(r"[。！？｡]+|[.!?]+|…+")
_CLOSER = re.compile(r"[”’」』）)\]】》〉»]+")
_SAYS_SOMETHING = re.compile(r"[^\W_]")
_QUOTE = re.compile(r"[\"']+(?![^\W_])")
_RUN = re.compile(r"\*+|_+|~+")
_MARKERS = re.compile(rf"(?:{MARKER.pattern})+")
# Code, links and raw tags stand as ``[aaa]`` in a masked text: with them something new may begin.
_NEXT = re.compile(
    rf"(?P<end>\s*$)|(?P<capital>\s+[\"'“‘(\[*_~`]*(?:[^\Wa-z_]|(?<=\[)a+\]))|(?P<space>\s)|(?P<han>[*_~]*[{_HAN}“「『（《])"
)
_SPACE_HAN = re.compile(rf"[”\"')\]*_~]*\s+[{_HAN}]")
_OPENERS: Final = "\"'“‘([*_~"
_LONGEST_WORD: Final = 24
_ABBREVIATIONS: Final = frozenset({
    "al", "approx", "ca", "cf", "co", "corp", "dept", "dr", "e.g", "ed", "eds", "eq", "eqs", "est", "etc", "fig",
    "figs", "i.e", "inc", "jr", "ltd", "max", "min", "mr", "mrs", "ms", "no", "nos", "p", "pp", "prof", "ref", "refs",
    "resp", "sec", "sr", "st", "vol", "vs", "a.m", "p.m",
    "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
})  # fmt: skip
_BLANKS: Final = " \t\n\r\f\v\u3000"


def split_claims(answer: str) -> tuple[Span, ...]:
    """The claims of ``answer``, in order: ``span_0001``, ``span_0002`` … with ``answer[start:end] == text``.

    Claims are the sentences of paragraphs and of list items, and the rows of a table's body; headings, table
    heads, code blocks and raw HTML hold none. Offsets are code points of the Markdown as it is written. Marks
    that close emphasis, closing quotes and brackets, and markers ``[^n^]`` right behind a sentence belong to it;
    bullets and numbers of a list do not. A piece without a letter or digit is no claim.

    Raises DialectError where the blocks of ``answer`` cannot be parsed.
    """
    pieces = ((block, piece) for block in text_blocks(answer) for piece in _pieces(block))
    return tuple(
        Span(f"span_{number:04d}", _KINDS[block.kind], start, end, answer[start:end])
        for number, (block, (start, end)) in enumerate(pieces, 1)
    )


def _pieces(block: TextBlock) -> Iterator[tuple[int, int]]:
    """The claims of ``block`` as ranges of the source."""
    text = block.content
    ends = [len(text)] if block.kind is BlockKind.TABLE_ROW else [*_sentence_ends(block.masked), len(text)]
    start = 0
    for end in ends:
        piece = text[start:end]
        first, last = start + len(piece) - len(piece.lstrip(_BLANKS)), start + len(piece.rstrip(_BLANKS))
        if _SAYS_SOMETHING.search(MARKER.sub("", piece) if "[^" in piece else piece):
            yield block.in_source(first), block.in_source(last - 1) + 1
        start = end


def _sentence_ends(text: str) -> Iterator[int]:
    """Where sentences of ``text`` end, behind all that closes them."""
    closing = _closing_runs(text)
    done = 0
    for stop in _STOP.finditer(text):
        if stop.start() < done:
            continue
        end = _behind_closers(text, stop.end(), closing)
        if _is_end(text, stop, end):
            yield end
            done = end


def _behind_closers(text: str, at: int, closing: frozenset[int]) -> int:
    while True:
        match = _CLOSER.match(text, at) or _QUOTE.match(text, at) or _MARKERS.match(text, at)
        if match is None and at in closing:
            match = _RUN.match(text, at)
        if match is None:
            return at
        at = match.end()


def _is_end(text: str, stop: re.Match[str], end: int) -> bool:
    following = _NEXT.match(text, end)
    if following is not None and following.lastgroup == "end":
        return True
    sign = stop[0][-1]
    if sign in "。！？｡":
        return True
    if following is None:
        return False
    if sign in "!?":
        return True
    if len(stop[0]) > 1 or sign == "…":
        # An ellipsis goes on unless something new begins.
        return following.lastgroup == "capital" or bool(_SPACE_HAN.match(text, end))
    return _is_full_stop(text, stop.start(), following.lastgroup)


def _is_full_stop(text: str, at: int, following: str | None) -> bool:
    """Whether the ``.`` at ``at`` ends a sentence, not a number, an initial or an abbreviation."""
    words = text[max(0, at - _LONGEST_WORD) : at].split()
    word = words[-1].lstrip(_OPENERS) if words and not text[at - 1].isspace() else ""
    if following == "han":
        return word[-1:].isalpha()
    if following != "capital":
        return following == "space" and bool(_SPACE_HAN.match(text, at + 1))
    is_initial = len(word) == 1 and word.isupper()
    return not is_initial and word.casefold() not in _ABBREVIATIONS


def _closing_runs(text: str) -> frozenset[int]:
    """Where runs of emphasis marks stand that close what an earlier run opened."""
    opened: dict[str, int] = {"*": 0, "_": 0, "~": 0}
    closing = set()
    for run in _RUN.finditer(text):
        sign, at = run[0][0], run.start()
        if opened[sign] and at and text[at - 1] not in _BLANKS:
            opened[sign] -= 1
            closing.add(at)
        elif run.end() < len(text) and text[run.end()] not in _BLANKS:
            opened[sign] += 1
    return frozenset(closing)
