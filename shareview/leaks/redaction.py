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
"""Code points of a long secret that tell something of it, where a text begins or ends within one."""
_LONG: Final = 16
_CUT_SHORT: Final = "….\u2026 "


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
    apart before is told apart after, addresses of a registry among them.
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

    def text(self, text: str) -> RedactedText:
        """``text`` without the secrets, nor the part of one that it begins or ends with."""
        edits = sorted((*self._whole(text), *self._parts(text)), key=lambda edit: edit.start)
        apart: list[Edit] = []
        for edit in edits:
            if not apart or edit.start >= apart[-1].end:
                apart.append(edit)
        return RedactedText(_edited(text, apart), tuple(apart))

    def _whole(self, text: str) -> Iterator[Edit]:
        for found in self._pattern.finditer(text):
            yield Edit(found.start(), found.end(), self._words[found[0]])

    def _parts(self, text: str) -> Iterator[Edit]:
        end = len(text.rstrip(_CUT_SHORT))
        start = len(text) - len(text.lstrip(_CUT_SHORT))
        for secret, words in self._words.items():
            if len(secret) < _LONG or secret in text:
                continue
            if end - start >= _PART and text[start:end] in secret:
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
        """Whether a secret stands in ``text``."""
        return bool(self._pattern.search(text))


def _shared(before: str, after: str) -> int:
    """How many code points ``before`` ends with that ``after`` begins with, if they tell something."""
    at = before.find(after[:_PART])
    while at >= 0 and not after.startswith(before[at:]):
        at = before.find(after[:_PART], at + 1)
    return len(before) - at if at >= 0 and len(after) >= _PART else 0


def _literal(words: str) -> str:
    literal = re.escape(words)
    return rf"(?<![^\W_]){literal}(?![^\W_])" if len(words) <= _WORD_LIKE else literal


def _edited(text: str, edits: Sequence[Edit]) -> str:
    pieces, last = [], 0
    for edit in edits:
        pieces += [text[last : edit.start], edit.words]
        last = edit.end
    return "".join([*pieces, text[last:]])
