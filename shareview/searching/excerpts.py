"""Where the phrases of a question stand in a text, and how much of the text is shown round them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from shareview.searching.queries import Phrase
from shareview.searching.words import Word, words_of

_AROUND: Final = 60
_MOST_MARKED: Final = 500


@dataclass(frozen=True)
class Excerpt:
    """Code points ``start`` to ``end`` of a text, and the places in it that were asked for, as code points of it."""

    start: int
    end: int
    hits: tuple[tuple[int, int], ...]


def find_phrases(text: str, phrases: Sequence[Phrase]) -> list[tuple[int, int]]:
    """The code points that each of ``phrases`` stands at in ``text``, in order; overlapping ones are one."""
    words = list(words_of(text))
    at: dict[str, list[int]] = {}
    for number, word in enumerate(words):
        at.setdefault(word.text, []).append(number)
    found = sorted({place for phrase in phrases for place in _places(words, at, phrase)})
    joined: list[tuple[int, int]] = []
    for start, end in found:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _places(words: Sequence[Word], at: dict[str, list[int]], phrase: Phrase) -> Iterator[tuple[int, int]]:
    first, length = phrase.words[0], len(phrase.words)
    if length == 1 and phrase.is_open:
        starts = [number for word, numbers in at.items() if word.startswith(first) for number in numbers]
    else:
        starts = at.get(first, [])
    for start in starts:
        standing = words[start : start + length]
        if len(standing) == length and _is(phrase, [word.text for word in standing]):
            yield standing[0].start, standing[-1].end


def _is(phrase: Phrase, standing: Sequence[str]) -> bool:
    last = phrase.words[-1]
    ends = standing[-1].startswith(last) if phrase.is_open else standing[-1] == last
    return ends and tuple(standing[:-1]) == phrase.words[:-1]


def excerpts(text: str, hits: Sequence[tuple[int, int]], most: int) -> list[Excerpt]:
    """Pieces of ``text`` round ``hits``, at most ``most`` of them; hits that stand close share one.

    A piece begins and ends between words where one ends near enough.
    """
    made: list[Excerpt] = []
    for start, end in hits[:_MOST_MARKED]:
        if made and start - made[-1].hits[-1][1] <= _AROUND and end - made[-1].start <= 4 * _AROUND:
            made[-1] = Excerpt(made[-1].start, _end(text, end), (*made[-1].hits, (start, end)))
        elif len(made) == most:
            break
        else:
            behind = made[-1].end if made else 0
            made.append(Excerpt(max(behind, _start(text, start)), _end(text, end), ((start, end),)))
    return made


def _start(text: str, hit: int) -> int:
    start = max(0, hit - _AROUND)
    space = text.find(" ", start, hit)
    return space + 1 if start and 0 <= space < hit - _AROUND // 2 else start


def _end(text: str, hit: int) -> int:
    end = min(len(text), hit + _AROUND)
    space = text.rfind(" ", hit, end)
    return space if end < len(text) and space > hit + _AROUND // 2 else end
