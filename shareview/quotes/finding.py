"""Finding a quoted passage again (W3C Web Annotation: TextPosition and TextQuote selectors).

A look-alike passage is worse than none. So the order is: the words at their place; else the exact words, several
hits told apart by what stands around them and by distance; else, as a last resort, words that are nearly the same,
with a floor, with a lead over any other place, and never with other numbers, negations or names.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from shareview.chat.quotes import Selector
from shareview.quotes.visible_text import folded

FLOOR: Final = 0.9
"""The least similarity of a passage that is not the very words, from 0 to 1."""
LEAD: Final = 0.05
"""By how much it must be more similar than the second best place."""
_SHORTEST_FUZZY: Final = 12
_LONGEST_FUZZY: Final = 1_000
_SHORTEST_SLIP: Final = 5
_MOST_HITS: Final = 1_000
_CONTEXT: Final = 64

_NUMBER = re.compile(r"[0-9]+(?:[.,:/-][0-9]+)*%?|[零〇一二三四五六七八九十百千万亿两]+")
_NEGATION = re.compile(
    r"\b(?:no|not|never|none|nor|neither|without|cannot|hardly)\b|n['’]t\b|[不没沒无無未非勿别莫]", re.IGNORECASE
)
_WORD = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]|[^\W\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]+")
_NAME = re.compile(r"\b[A-Z][\w'’-]*|\b\w*[0-9]\w*\b")


class Method(StrEnum):
    """How a passage was found."""

    POSITION = "position"
    EXACT = "exact"
    FUZZY = "fuzzy"


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """Code points ``start`` to ``end`` of the visible text, and how they were found."""

    start: int
    end: int
    method: Method


def find_passage(text: str, selector: Selector) -> FoundPassage | None:
    """Where in the visible ``text`` the words of ``selector`` stand, or None where that cannot be told for sure.

    Words of fewer than 12 or more than 1,000 code points are found as they are, or not at all.
    """
    exact = folded(selector.exact)
    if not exact:
        return None
    if selector.start is not None and text[selector.start : selector.start + len(exact)] == exact:
        return FoundPassage(selector.start, selector.start + len(exact), Method.POSITION)
    hits = list(_hits(text, exact))
    if hits:
        at = _best_hit(text, exact, hits, selector)
        return None if at is None else FoundPassage(at, at + len(exact), Method.EXACT)
    return _similar(text, exact, selector)


def _hits(text: str, exact: str) -> Iterator[int]:
    at = text.find(exact)
    for _ in range(_MOST_HITS):
        if at < 0:
            return
        yield at
        at = text.find(exact, at + 1)


def _best_hit(text: str, exact: str, hits: list[int], selector: Selector) -> int | None:
    """The hit whose surroundings are the selector's, and that is nearest to its place; None where two are as good."""
    if len(hits) == 1:
        return hits[0]
    scored = sorted((-_around(text, at, at + len(exact), selector), _distance(at, selector), at) for at in hits)
    first, second = scored[0], scored[1]
    return None if first[:2] == second[:2] else first[2]


def _around(text: str, start: int, end: int, selector: Selector) -> int:
    """How many characters beside the passage are those of the selector's prefix and suffix."""
    prefix, suffix = folded(selector.prefix), folded(selector.suffix)
    before, after = text[max(0, start - _CONTEXT) : start].rstrip(), text[end : end + _CONTEXT].lstrip()
    return _common(before[::-1], prefix[::-1]) + _common(after, suffix)


def _common(one: str, other: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _distance(at: int, selector: Selector) -> int:
    return abs(at - selector.start) if selector.start is not None else 0


def _similar(text: str, exact: str, selector: Selector) -> FoundPassage | None:
    if not _SHORTEST_FUZZY <= len(exact) <= _LONGEST_FUZZY:
        return None
    best = _nearest(text, exact, 0, FLOOR)
    if best is None:
        return None
    rivals = best.score - LEAD
    if _nearest(text[: best.start], exact, 0, rivals) or _nearest(text[best.end :], exact, best.end, rivals):
        return None
    words = text[best.start : best.end]
    return FoundPassage(best.start, best.end, Method.FUZZY) if _says_the_same(exact, words) else None


@dataclass(frozen=True, slots=True)
class _Near:
    start: int
    end: int
    score: float


def _nearest(text: str, exact: str, offset: int, floor: float) -> _Near | None:
    """The place in ``text`` most like ``exact``, where it is at least ``floor`` like it."""
    if len(text) < _SHORTEST_FUZZY:
        return None
    # Rather too low: what is measured here is not quite the similarity of the place with its best borders.
    found = fuzz.partial_ratio_alignment(exact, text, score_cutoff=100 * (floor - LEAD))
    if found is None:
        return None
    candidates = [
        (Levenshtein.normalized_similarity(exact, text[begin:stop], score_cutoff=floor), begin, stop)
        for begin in range(max(0, found.dest_start - 1), min(len(text), found.dest_start + 2))
        for stop in range(max(begin + 1, found.dest_end - 1), min(len(text), found.dest_end + 1) + 1)
    ]
    score, begin, stop = max(candidates, key=lambda one: (one[0], -one[1]))
    return _Near(offset + begin, offset + stop, score) if score >= floor else None


def _says_the_same(one: str, other: str) -> bool:
    """Whether two texts differ in nothing that a reader would call other words.

    Numbers, negations and names must be the same ones. A word may be misspelt by one letter, or be missing; it may
    not be another word, and no ideograph another one: which of them are names cannot be told.
    """
    same = all(Counter(rule.findall(one)) == Counter(rule.findall(other)) for rule in (_NUMBER, _NEGATION, _NAME))
    return same and all(
        _is_slip(before, after) for before, after in _replaced(_WORD.findall(one), _WORD.findall(other))
    )


def _replaced(one: list[str], other: list[str]) -> Iterator[tuple[str, str]]:
    for edit in Levenshtein.editops(one, other):
        if edit.tag == "replace":
            yield one[edit.src_pos], other[edit.dest_pos]


def _is_slip(one: str, other: str) -> bool:
    return len(one) >= _SHORTEST_SLIP and Levenshtein.distance(one.casefold(), other.casefold()) <= 1
