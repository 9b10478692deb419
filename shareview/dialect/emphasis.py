"""Emphasis as ``marked`` finds it: from each opening run, the first closing run that balances it.

CommonMark pairs delimiters on a stack. ``marked`` looks ahead from the opening run, counts runs that
open and close, and takes what stands between as a text of its own. The two agree on most texts; where
they differ (``**a*``, ``***``, delimiters beside CJK punctuation) the main chat's readers saw this one.
"""

import re
from dataclasses import dataclass
from enum import Enum

from markdown_it.rules_inline import StateInline

from shareview.dialect.characters import is_letter_or_number, is_punctuation, is_space
from shareview.dialect.segments import Segment, read_inside, segment_of

_RUNS = {"*": re.compile(r"\*+"), "_": re.compile(r"_+")}
# A single delimiter between two doubled ones of the other kind belongs to those, not to us.
_SHIELDED = {
    "*": re.compile(r"[^_*]*?__[^_*]*?\*[^_*]*?(?=__)"),
    "_": re.compile(r"[^_*]*?\*\*[^_*]*?_[^_*]*?(?=\*\*)"),
}


class Side(Enum):
    """What a delimiter run may do, judged by the characters beside it."""

    OPENS = "opens"
    CLOSES = "closes"
    BOTH = "both"
    NEITHER = "neither"


@dataclass(frozen=True)
class Opening:
    """An opening run: ``length`` delimiters at ``at`` of the segment, ``run`` with those before it."""

    marker: str
    at: int
    length: int
    run: int
    also_closes: bool
    after_same: bool


def emphasis(state: StateInline, silent: bool) -> bool:
    """Inline rule for ``*`` and ``_``."""
    marker = state.src[state.pos]
    if silent or marker not in "*_":
        return False
    segment = segment_of(state)
    at = state.pos - segment.start
    if segment.last_closers[marker] <= at:
        return _keep_as_text(state, marker)
    opening = _opening(segment, at, _previous(state))
    end = _closing(segment, opening) if opening else None
    if opening is None or end is None:
        state.pending += marker
        state.pos += 1
        return True
    _push(state, opening, *end)
    return True


def _keep_as_text(state: StateInline, marker: str) -> bool:
    while state.pos < state.posMax and state.src[state.pos] == marker:
        state.pending += marker
        state.pos += 1
    return True


def _previous(state: StateInline) -> str:
    """The character before the run, where it is text; underscores that opened nothing do not count."""
    return state.pending.rstrip("_")[-1:]


def _punctuation_or_space(char: str, marker: str) -> bool:
    # The tilde counts as a letter beside ``*``: GFM keeps it for deletions.
    return is_space(char) or (is_punctuation(char) and not (marker == "*" and char == "~"))


def _opening(segment: Segment, at: int, previous: str) -> Opening | None:
    text, masked = segment.text, segment.masked
    marker = text[at]
    end = at
    while end < len(text) and text[end] == marker:
        end += 1
    if end == len(text) or is_space(text[end]):
        return None
    following = text[end]
    before_punctuation = is_punctuation(following) and following != "~"
    start = at
    while start > 0 and masked[start - 1] == marker:
        start -= 1
    outer = masked[start - 1] if start else ""
    outer_is_edge = outer in ("*", "_") or (outer != "" and (is_space(outer) or is_punctuation(outer)))
    before = outer if start < at else previous
    edge = (
        outer_is_edge
        if start < at
        else before in ("*", "_") or (before != "" and (is_space(before) or is_punctuation(before)))
    )
    if marker == "_" and not before_punctuation and before and is_letter_or_number(before):
        return None
    if before_punctuation and before and not edge:
        return None
    solid = outer != "" and not is_space(outer)
    also_closes = solid and (before_punctuation or (marker == "*" and not outer_is_edge))
    return Opening(marker, at, end - at, end - start, also_closes, previous == marker)


def _side(masked: str, start: int, end: int, marker: str) -> Side:
    before = masked[start - 1]
    after = masked[end] if end < len(masked) else ""
    before_space, after_space = is_space(before), after == "" or is_space(after)
    before_edge = _punctuation_or_space(before, marker)
    after_edge = after == "" or _punctuation_or_space(after, marker)
    if before_edge and not before_space:
        if after_space:
            return Side.CLOSES
        return Side.BOTH if after_edge else Side.OPENS
    if not before_edge:
        if after_edge:
            return Side.CLOSES
        return Side.BOTH if marker == "*" else Side.NEITHER
    return Side.NEITHER if after_space else Side.OPENS


def _closing(segment: Segment, opening: Opening) -> tuple[int, int] | None:
    """Where the closing run that balances ``opening`` stands, and how many of its delimiters it gives."""
    masked, marker = segment.masked, opening.marker
    limit = segment.last_closers[marker]
    start = opening.at + opening.length
    shielded = _SHIELDED[marker].match(masked[start:])
    scan_from = start + (shielded.end() if shielded else 0)
    open_count, passed = opening.length, 0
    for run in _RUNS[marker].finditer(masked, scan_from):
        if run.start() > limit:
            return None
        if run.start() == start:
            continue
        side = _side(masked, run.start(), run.end(), marker)
        length = run.end() - run.start()
        if side is Side.NEITHER:
            continue
        if side is Side.OPENS:
            open_count += length
            continue
        if (side is Side.BOTH or opening.also_closes) and opening.run % 3 and not (opening.run + length) % 3:
            if opening.after_same and side is Side.BOTH:
                return None
            passed += length
            continue
        open_count -= length
        if open_count > 0:
            continue
        return run.start(), min(length, length + open_count + passed)
    return None


def _push(state: StateInline, opening: Opening, closing_at: int, given: int) -> None:
    base = segment_of(state).start
    width = 1 if min(opening.length, given) % 2 else 2
    start, end = base + opening.at, base + closing_at + given
    tag = "em" if width == 1 else "strong"
    state.push(f"{tag}_open", tag, 1).markup = opening.marker * width
    read_inside(state, start + width, end - width)
    state.push(f"{tag}_close", tag, -1).markup = opening.marker * width
    state.pos = end
