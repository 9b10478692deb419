"""The passage of a retrieved text closest to a citing sentence. Closest is all it says: it proves nothing."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_SENTENCE_END = re.compile(r"(?<=[。！？!?；;])|(?<=\.)(?=\s)|\n+")
_HAN = "\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_WORD = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+(?:[.,:][0-9]+)*")
_IDEOGRAPH = re.compile(f"[{_HAN}]")
_MEANINGLESS: Final = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "been", "by", "for", "from", "has", "have", "in", "is", "it", "its",
    "of", "on", "or", "that", "the", "this", "to", "was", "were", "will", "with",
})  # fmt: skip
# Straight marks are taken in pairs from the left, so that what stands between two quotations is none.
_QUOTED = re.compile(r"“([^”]*)”|「([^」]*)」|『([^』]*)』|\"([^\"]*)\"")
_SHORTEST_QUOTE: Final = 6
_LONGEST: Final = 600
"""Code points of a passage at most: a sentence longer than that is cut at white space."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of a retrieved text; ``shared`` are the ranges in them that the citing sentence has too."""

    text: str
    shared: tuple[tuple[int, int], ...]


def citing_sentence(before: str) -> str:
    """The sentence that a marker closes, given the text of its paragraph up to the marker."""
    pieces = [piece.strip() for piece in _SENTENCE_END.split(before)]
    return next((piece for piece in reversed(pieces) if _WORD.search(piece)), "")


def closest_passage(sentence: str, texts: Sequence[str]) -> Passage | None:
    """The sentence of ``texts`` that shares most with ``sentence``, or None where none shares anything.

    Method: words (runs of letters and digits, case folded, the commonest English ones left out) and pairs of
    neighbouring ideographs are counted as multisets; the score is what both have in common divided by the square
    root of the candidate's size. The first of the best wins, so the choice is the same each time.
    """
    wanted = Counter(term for term, _, _ in _terms(sentence))
    best, best_score = "", 0.0
    for candidate in dict.fromkeys(_candidates(texts)):
        folded = candidate.casefold()
        # Most sentences share nothing; to see that costs less than to take them apart.
        if not any(term in folded for term in wanted):
            continue
        terms = Counter(term for term, _, _ in _terms(candidate))
        common = sum((wanted & terms).values())
        score = common / max(1, terms.total()) ** 0.5
        if score > best_score:
            best, best_score = candidate, score
    if not best:
        return None
    return Passage(best, _merged([(start, end) for term, start, end in _terms(best) if term in wanted]))


def shared_ranges(sentence: str, text: str) -> tuple[tuple[int, int], ...]:
    """Where ``text`` has words, or pairs of ideographs, that ``sentence`` has too; code points, in order."""
    wanted = {term for term, _, _ in _terms(sentence)}
    return _merged([(start, end) for term, start, end in _terms(text) if term in wanted])


def quotes_verbatim(sentence: str, texts: Sequence[str]) -> bool:
    """Whether ``sentence`` holds words in quotation marks that stand word for word in one of ``texts``.

    Quotations shorter than six code points say too little; white space is folded.
    """
    quoted = (" ".join(next(filter(None, groups), "").split()) for groups in _QUOTED.findall(sentence))
    long_enough = [words for words in quoted if len(words) >= _SHORTEST_QUOTE]
    held = [" ".join(text.split()) for text in texts] if long_enough else []
    return any(words in text for words in long_enough for text in held)


def _candidates(texts: Sequence[str]) -> list[str]:
    sentences = (sentence for text in texts for sentence in _SENTENCE_END.split(text))
    return [piece for sentence in sentences for piece in _cut(sentence.strip()) if piece]


def _cut(sentence: str) -> Iterator[str]:
    """``sentence`` in pieces of at most ``_LONGEST``, cut at spaces where there are any."""
    rest = sentence
    while len(rest) > _LONGEST:
        space = rest.rfind(" ", 1, _LONGEST)
        at = space if space > 0 else _LONGEST
        yield rest[:at].strip()
        rest = rest[at:].strip()
    yield rest


def _terms(text: str) -> list[tuple[str, int, int]]:
    """Each term of ``text`` with its range."""
    found: list[tuple[str, int, int]] = []
    for match in _WORD.finditer(text):
        word, start = match[0], match.start()
        if not _IDEOGRAPH.match(word):
            folded = word.casefold()
            if folded not in _MEANINGLESS:
                found.append((folded, start, match.end()))
        elif len(word) == 1:
            found.append((word, start, start + 1))
        else:
            found += [(word[at : at + 2], start + at, start + at + 2) for at in range(len(word) - 1)]
    return found


def _merged(ranges: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for start, end in ranges:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
