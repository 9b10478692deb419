"""A source by its lines, and how the text of a block maps back to it."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from shareview.dialect.segments import Segment

_LINE_END = re.compile(r"\r\n|\r|\n")
_CONTAINER_MARKS = " \t>"


class BlockKind(StrEnum):
    """What a block of running text is."""

    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_ROW = "table_row"


@dataclass(frozen=True)
class SourceLines:
    """A source, in code points, by its lines."""

    source: str

    @cached_property
    def starts(self) -> Sequence[int]:
        """Where each line begins."""
        return [0, *(match.end() for match in _LINE_END.finditer(self.source))]

    def line_of(self, place: int) -> int:
        """The line, from 0, that ``place`` stands in."""
        return bisect_right(self.starts, place) - 1

    def line(self, number: int) -> str:
        """A line without its end, as the parser reads it (CommonMark, "Insecure characters")."""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.source)
        return self.source[self.starts[number] : end].rstrip("\r\n").replace("\0", "\ufffd")


@dataclass(frozen=True)
class TextBlock:
    """A paragraph, in a list or not, or a row of a table.

    ``content`` is what inline rules read: its lines without the marks of quotes and lists around them.
    ``starts`` says for each line where it begins in ``content`` and in the source.
    """

    kind: BlockKind
    content: str
    starts: tuple[tuple[int, int], ...]

    @classmethod
    def of_lines(cls, lines: SourceLines, kind: BlockKind, content: str, first: int, last: int) -> "TextBlock":
        """The block whose ``content`` the lines from ``first`` up to ``last`` hold."""
        starts: list[tuple[int, int]] = []
        at = 0
        for number, piece in enumerate(content.split("\n"), first):
            if number < last:
                starts.append((at, lines.starts[number] + _column(lines.line(number), piece)))
            at += len(piece) + 1
        return cls(kind, content, tuple(starts))

    @classmethod
    def of_row(cls, lines: SourceLines, number: int) -> "TextBlock":
        """The row of a table that line ``number`` is: its cells with the bars around them."""
        raw = lines.line(number)
        column = len(raw) - len(raw.lstrip(_CONTAINER_MARKS))
        return cls(BlockKind.TABLE_ROW, raw.strip(_CONTAINER_MARKS), ((0, lines.starts[number] + column),))

    @cached_property
    def masked(self) -> str:
        """``content`` at the same length, with code, links, raw tags and escapes blotted out."""
        return Segment(self.content, 0, len(self.content)).masked

    def in_source(self, at: int) -> int:
        """The place in the source of ``content[at]``."""
        begin, source = self.starts[bisect_right(self.starts, (at, float("inf"))) - 1 if len(self.starts) > 1 else 0]
        return source + at - begin

    def in_content(self, place: int) -> int:
        """The place in ``content`` nearest to ``place`` of the source."""
        begin, source = self.starts[max(0, bisect_right([source for _, source in self.starts], place) - 1)]
        return min(max(begin + place - source, 0), len(self.content))


def _column(raw: str, piece: str) -> int:
    """Where ``piece``, what is left of line ``raw`` without its marks, begins in it: the marks stand before it."""
    stripped = piece.strip()
    found = raw.rfind(stripped)
    if found < 0:
        found = len(raw) - len(raw.lstrip(_CONTAINER_MARKS))
    return max(0, found - (len(piece) - len(piece.lstrip())))
