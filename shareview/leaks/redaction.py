"""Taking words out of texts, with a word in their place that says what kind they were."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from shareview.exports.jsonlines import JsonObject
from shareview.leaks.findings import Leak
from shareview.leaks.texts import with_texts

_MADE: Final = re.compile(r"\[redacted: [a-z0-9-]+(?: [0-9]+)?\]")
_WORD_LIKE: Final = 12
"""Code points up to which a secret may be a word that stands inside another."""
_PART: Final = 8
"""Code points of a secret that tell something of it, where a text begins or ends within one."""
_GRAM: Final = 12
_STRIDE: Final = 5
"""A piece of 16 code points of a secret, wherever it stands, holds a gram at a place that is looked at."""
_CUT_SHORT: Final = "…. "
_MOST_AT_ENDS: Final = 200


@dataclass(frozen=True, slots=True)
class Edit:
    """Code points ``start`` to ``end`` gave way to ``words``."""

    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class RedactedText:
    """A text without what was taken out of it, and what was done, in order."""

    text: str
    edits: tuple[Edit, ...] = ()

    def moved(self, offset: int, *, is_end: bool) -> int:
        """Where ``offset`` of the original (code points) stands now.

        What lay within words that were taken out moves to the start of what stands for them, an end to its end.
        """
        shift = 0
        for edit in self.edits:
            if offset <= edit.start:
                break
            if offset < edit.end:
                return edit.start + shift + (len(edit.words) if is_end else 0)
            shift += len(edit.words) - (edit.end - edit.start)
        return offset + shift


def is_redacted(text: str) -> bool:
    """Whether ``text`` holds a word that stands for others which were taken out."""
    return bool(_MADE.search(text))


class Redaction:
    """Takes ``secrets`` (words and what kind of leak they are) out of texts, wherever they stand.

    The first words of a kind become ``[redacted: kind]``, other ones ``[redacted: kind 2]`` and so on: what was told
    apart before is told apart after, addresses of a registry among them. A piece of 16 code points of a secret goes
    too, and a shorter one where a text begins or ends with it.
    """

    def __init__(self, secrets: Mapping[str, Leak]) -> None:
        self._words: dict[str, str] = {}
        counts: dict[str, int] = {}
        for words, leak in secrets.items():
            number = counts[leak.kind] = counts.get(leak.kind, 0) + 1
            self._words[words] = f"[redacted: {leak.kind}]" if number == 1 else f"[redacted: {leak.kind} {number}]"

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        longest_first = sorted(self._words, key=lambda words: (-len(words), words))
        return re.compile("|".join(map(_literal, longest_first)) or r"(?!)")

    @cached_property
    def _grams(self) -> dict[str, tuple[str, int]]:
        """Where a gram stands in a secret; of several, in the one that was found first."""
        grams: dict[str, tuple[str, int]] = {}
        for secret in self._words:
            for at in range(len(secret) - _GRAM + 1):
                grams.setdefault(secret[at : at + _GRAM], (secret, at))
        return grams

    def text(self, text: str) -> RedactedText:
        """``text`` without the secrets, nor a piece of one that tells something of it."""
        edits: list[Edit] = []
        start = 0
        for found in self._pattern.finditer(text):
            edits += self._pieces(text, start, found.start())
            edits.append(Edit(found.start(), found.end(), self._words[found[0]]))
            start = found.end()
        edits += self._pieces(text, start, len(text))
        edits = _apart([*edits, *self._ends(text)])
        return RedactedText(_edited(text, edits), tuple(edits))

    def _pieces(self, text: str, start: int, end: int) -> Iterator[Edit]:
        """Pieces of secrets between ``start`` and ``end``."""
        grams, at = self._grams, start
        while at + _GRAM <= end:
            known = grams.get(text[at : at + _GRAM])
            if known is None:
                at += _STRIDE
                continue
            piece = _extended(text, (at, at + _GRAM), known, (start, end))
            if piece[1] - piece[0] >= _GRAM + _STRIDE - 1:
                yield Edit(*piece, self._words[known[0]])
            at = max(piece[1], at + _STRIDE)

    def _ends(self, text: str) -> Iterator[Edit]:
        """The short piece of a secret that ``text`` begins or ends with, as what was cut out of a longer text does."""
        end = len(text.rstrip(_CUT_SHORT))
        start = len(text) - len(text.lstrip(_CUT_SHORT))
        for secret, words in list(self._words.items())[:_MOST_AT_ENDS]:
            if len(secret) < 2 * _PART:
                continue
            if _PART <= end - start < _GRAM + _STRIDE and text[start:end] in secret:
                yield Edit(start, end, words)
                return
            last = _shared(text[max(start, end - len(secret)) : end], secret)
            if last:
                yield Edit(end - last, end, words)
            first = _shared(secret, text[start : min(end, start + len(secret))])
            if first:
                yield Edit(start, start + first, words)

    def record(self, record: JsonObject) -> JsonObject:
        """``record`` without the secrets."""
        return with_texts(record, lambda text: self.text(text).text)

    def holds(self, text: str) -> bool:
        """Whether a secret, or a piece of one, stands in ``text``."""
        return bool(self.text(text).edits)


def _extended(text: str, piece: tuple[int, int], known: tuple[str, int], bounds: tuple[int, int]) -> tuple[int, int]:
    """``piece`` as far as ``text`` goes on as the secret does."""
    (first, last), (secret, offset) = piece, known
    while first > bounds[0] and offset > 0 and text[first - 1] == secret[offset - 1]:
        first, offset = first - 1, offset - 1
    offset = known[1] + _GRAM
    while last < bounds[1] and offset < len(secret) and text[last] == secret[offset]:
        last, offset = last + 1, offset + 1
    return first, last


def _shared(before: str, after: str) -> int:
    """How many code points ``before`` ends with that ``after`` begins with, if they tell something."""
    at = before.find(after[:_PART])
    while at >= 0 and not after.startswith(before[at:]):
        at = before.find(after[:_PART], at + 1)
    return len(before) - at if at >= 0 and len(after) >= _PART else 0


def _literal(words: str) -> str:
    literal = re.escape(words)
    if len(words) > _WORD_LIKE:
        return literal
    # A letter before it makes it another word, unless it is that of a line's end as JSON writes it.
    return rf"(?:(?<![^\W_])|(?<=\\[nrtbf])){literal}(?![^\W_])"


def _apart(edits: list[Edit]) -> list[Edit]:
    """``edits`` in order, the longer of two that meet."""
    kept: list[Edit] = []
    for edit in sorted(edits, key=lambda one: (one.start, -one.end)):
        if not kept or edit.start >= kept[-1].end:
            kept.append(edit)
        elif edit.end > kept[-1].end:
            kept.append(Edit(kept[-1].end, edit.end, edit.words))
    return kept


def _edited(text: str, edits: Sequence[Edit]) -> str:
    pieces, last = [], 0
    for edit in edits:
        pieces += [text[last : edit.start], edit.words]
        last = edit.end
    return "".join([*pieces, text[last:]])
