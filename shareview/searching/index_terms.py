"""Words as a database's full-text index holds them.

Each is spelt with ASCII letters and digits behind a letter, so that SQLite's FTS5 and PostgreSQL take it for one word,
whatever their tables of Unicode and their locale know of it; what begins another word begins its spelling too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from shareview.searching.queries import LONGEST_QUERY, Phrase
from shareview.searching.words import words_of

_PIECE: Final = 2_000
"""Words of a piece: PostgreSQL's index of a text must be below 1 MB."""
_MOST_OF_A_WORD: Final = 255
"""How often a word may stand in a piece: PostgreSQL keeps no more places of one."""
_SHARED: Final = LONGEST_QUERY
"""Words that a piece shares with the one before: as many as a phrase may have."""


def index_pieces(text: str, within: int) -> Iterator[str]:
    """``text`` as pieces for the index of the snapshot with the number ``within``; none where it has no words."""
    piece: list[str] = []
    counts: Counter[str] = Counter()
    for word in words_of(text):
        spelt = _spelt(word.text)
        if len(piece) == _PIECE or counts[spelt] == _MOST_OF_A_WORD:
            yield _joined(piece, within)
            piece = piece[-_SHARED:]
            counts = Counter(piece)
        piece.append(spelt)
        counts[spelt] += 1
    if piece:
        yield _joined(piece, within)


def _joined(piece: Sequence[str], within: int) -> str:
    return " ".join((_place(within), *piece))


def fts5_query(phrase: Phrase, within: int) -> str:
    """What asks SQLite for the pieces of a snapshot with ``phrase``."""
    return f'{_place(within)} AND "{" ".join(_spellings(phrase))}"{" *" if phrase.is_open else ""}'


def tsquery(phrase: Phrase, within: int) -> str:
    """What asks PostgreSQL for the pieces of a snapshot with ``phrase``."""
    return f"{_place(within)} & ({' <-> '.join(_spellings(phrase))}{':*' if phrase.is_open else ''})"


def _spellings(phrase: Phrase) -> Iterable[str]:
    return map(_spelt, phrase.words)


def _place(within: int) -> str:
    return f"s{within}"


def _spelt(word: str) -> str:
    return f"w{word}" if word.isascii() else f"u{word.encode().hex()}"
