"""Marks round passages of a rendered message, across the borders of its elements."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from shareview.quotes.visible_text import VisibleText

PASSAGE: Final = ('<mark class="passage">', "</mark>")
"""What stands round each piece of a passage that was followed (surface, "Markup of a page")."""


@dataclass(frozen=True, slots=True)
class Marking:
    """Code points ``start`` to ``end`` of the visible text, the tags round each piece, and what follows the last."""

    start: int
    end: int
    tags: tuple[str, str] = PASSAGE
    behind: str = ""


def mark_passages(html: str, visible: VisibleText, markings: Sequence[Marking]) -> str:
    """``html`` with each of ``markings`` made in it; the earlier ones stand round the later ones where they overlap.

    What follows a passage stands outside the link that it may end in. Nothing else of ``html`` changes.
    """
    opens: dict[int, list[int]] = {}
    closes: dict[int, list[int]] = {}
    behind: dict[int, list[str]] = {}
    for number, marking in enumerate(markings):
        ranges = visible.ranges(marking.start, marking.end)
        for begin, stop in ranges:
            opens.setdefault(begin, []).append(number)
            closes.setdefault(stop, []).append(number)
        if ranges and marking.behind:
            behind.setdefault(_outside_link(html, ranges[-1][1]), []).append(marking.behind)
    return "".join(_pieces(html, markings, opens, closes, behind))


def _pieces(
    html: str,
    markings: Sequence[Marking],
    opens: dict[int, list[int]],
    closes: dict[int, list[int]],
    behind: dict[int, list[str]],
) -> Iterator[str]:
    current: set[int] = set()
    done = 0
    for at in sorted({*opens, *closes, *behind}):
        yield _marked(html[done:at], [markings[number].tags for number in sorted(current)])
        current.difference_update(closes.get(at, ()))
        yield from behind.get(at, ())
        current.update(opens.get(at, ()))
        done = at
    yield html[done:]


def _marked(piece: str, tags: Sequence[tuple[str, str]]) -> str:
    if not piece or not tags:
        return piece
    return "".join(start for start, _ in tags) + piece + "".join(end for _, end in reversed(tags))


def _outside_link(html: str, at: int) -> int:
    """The place from ``at`` on where no link is open."""
    is_inside = max(html.rfind("<a ", 0, at), html.rfind("<a>", 0, at)) > html.rfind("</a>", 0, at)
    end = html.find("</a>", at) if is_inside else -1
    return at if end < 0 else end + len("</a>")
