"""Looking through the records of a session for what should not leave the house."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from shareview.exports.jsonlines import JsonObject, JsonValue
from shareview.leaks.findings import Leak, LeakClass
from shareview.leaks.personal import find_personal
from shareview.leaks.secrets import find_secrets
from shareview.leaks.texts import PlacedText, texts_of

_SHORTEST: Final = 5
_LONGEST_UNDER_A_KEY: Final = 300
_ESCAPED: Final = ("\\/", "\\u")
_PARTED: Final = re.compile(r"\\(?=[_*~`.#+-])|[\u200b-\u200d\u2060\ufeff\u00ad]")


@dataclass(frozen=True, slots=True)
class Finding:
    """A leak by its place, never by its words.

    ``record`` is what a person calls it ("message 12"), ``field`` a path in it, ``line`` a line of that text from 1.
    What stands in an id cannot be taken out.
    """

    kind: str
    of: LeakClass
    record: str
    field: str
    line: int
    is_in_id: bool = False

    def __str__(self) -> str:
        return f"{self.record}, {self.field}, line {self.line}: {self.kind}"


@dataclass
class LeakSearch:
    """Goes through records; ``findings`` in their order, ``words`` what was found and what kind of leak that is."""

    findings: list[Finding] = field(default_factory=list)
    words: dict[str, Leak] = field(default_factory=dict)

    def look_through(self, name: str, record: JsonObject) -> None:
        """Takes in ``record``, which a person calls ``name``."""
        told = _without_leaks(name)
        for placed in texts_of(record):
            for leak, words, line in _leaks(placed):
                field = _without_leaks(placed.field)
                self.findings.append(Finding(leak.kind, leak.of, told, field, line, placed.is_id))
                self.words.setdefault(words, leak)

    def look_through_file(self, name: str, data: bytes) -> bool:
        """Takes in the bytes of an attachment, if they are a text; whether it holds a leak."""
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return False
        before = len(self.findings)
        self.look_through(name, {"data": text})
        return len(self.findings) > before


def _leaks(placed: PlacedText) -> Iterator[tuple[Leak, str, int]]:
    text = placed.text
    if len(text) < _SHORTEST:
        return
    found = find_secrets(text)
    taken = [range(leak.start, leak.end) for leak in found]
    found += [leak for leak in find_personal(text) if not any(leak.start in one for one in taken)]
    for leak in found:
        yield leak, text[leak.start : leak.end], text.count("\n", 0, leak.start) + 1
    if not found:
        yield from _under_key(placed)
    seen = {text[leak.start : leak.end] for leak in found}
    for leak, words in (*_behind_escapes(text), *_behind_spelling(text)):
        if words not in seen:
            yield leak, words, 1


def _without_leaks(name: str) -> str:
    """``name`` without what leaks in it: a place is told to whoever publishes, and kept."""
    text = name.replace("\0", "�")
    for leak in reversed(find_secrets(text)):
        text = f"{text[: leak.start]}…{text[leak.end :]}"
    return text


def _behind_spelling(text: str) -> Iterator[tuple[Leak, str]]:
    """What Markdown's escapes or characters that nobody sees part, and a page shows as one, as it is spelled there."""
    if not _PARTED.search(text):
        return
    parting = {found.start() for found in _PARTED.finditer(text)}
    places = [at for at in range(len(text)) if at not in parting]
    read = "".join(text[at] for at in places)
    for leak in find_secrets(read):
        spelled = text[places[leak.start] : places[leak.end - 1] + 1]
        if len(spelled) > leak.end - leak.start:
            yield leak, spelled


def _under_key(placed: PlacedText) -> Iterator[tuple[Leak, str, int]]:
    """What only its key tells to be a secret: ``"password": "…"`` in an object of its own."""
    text = placed.text
    if not placed.key or placed.is_id or len(text) > _LONGEST_UNDER_A_KEY or any(mark in text for mark in '"\\\n'):
        return
    start = len(f'"{placed.key}": "')
    for leak in find_secrets(f'"{placed.key}": "{text}"'):
        if start <= leak.start and leak.end <= start + len(text):
            yield leak, text[leak.start - start : leak.end - start], 1


def _behind_escapes(text: str) -> Iterator[tuple[Leak, str]]:
    """What a JSON text spells with escapes that no rule reads through, as it is spelled there."""
    if text[:1] not in ("{", "[") or not any(mark in text for mark in _ESCAPED):
        return
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return
    for placed in texts_of({"": value}):
        for leak in [*find_secrets(placed.text), *find_personal(placed.text)]:
            words = placed.text[leak.start : leak.end]
            for spelled in dict.fromkeys((words, words.replace("/", "\\/"), json.dumps(words)[1:-1])):
                if spelled in text:
                    yield leak, spelled
