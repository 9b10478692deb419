"""What a reader asks for: phrases, all of which must stand in a message."""

import re
from dataclasses import dataclass
from typing import Final

from shareview.searching.words import words_of

LONGEST_QUERY: Final = 200
"""Code points of a question that are read."""
_MOST_PHRASES: Final = 12
_SHORTEST_BEGINNING: Final = 4
_TERM = re.compile(r'["“”„«»](?P<quoted>[^"“”„«»]*)["“”„«»]?|(?P<plain>[^\s"“”„«»]+)')


@dataclass(frozen=True)
class Phrase:
    """Words that follow each other; the last may be the beginning of a longer one where ``is_open``."""

    words: tuple[str, ...]
    is_open: bool


def read_query(text: str) -> tuple[Phrase, ...]:
    """The phrases that ``text`` asks for: what stands between quotation marks, or between spaces.

    Without quotation marks, a last word of at least four letters is found at the beginning of longer ones too. At
    most 200 code points and twelve phrases are read.
    """
    phrases: dict[Phrase, None] = {}
    for term in _TERM.finditer(text[:LONGEST_QUERY]):
        words = tuple(word.text for word in words_of(term[0]))
        if words:
            is_open = term["plain"] is not None and len(words[-1]) >= _SHORTEST_BEGINNING
            phrases[Phrase(words, is_open)] = None
    return tuple(phrases)[:_MOST_PHRASES]
