"""The texts of a native record, each with its place; and the same record with other texts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, cast

from shareview.exports.jsonlines import JsonObject, JsonValue

_IDS: Final = frozenset(
    ("id", "kind", "role", "status", "state", "thread", "message", "parent", "replaces", "tool_call_id", "session_id",
     "created_at", "exported_at", "span_id", "block_id", "block_ids", "doc_id", "annotation_id", "context_id",
     "verdict", "hidden", "spanId", "blockId", "blockIds", "docId", "annotationId", "contextId", "sessionId",
     "toolCallId")
)  # fmt: skip
"""Fields that name something: others refer to them, so that not a letter of them may change."""


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text of a record: its ``field`` as a path, the ``key`` it stands under, and whether others refer to it."""

    field: str
    key: str
    text: str
    is_id: bool


def texts_of(record: JsonObject) -> Iterator[PlacedText]:
    """Every text of ``record``, in order."""
    return _texts(record, "", "", is_id=False)


def _texts(value: JsonValue, path: str, key: str, *, is_id: bool) -> Iterator[PlacedText]:
    if isinstance(value, str):
        yield PlacedText(path, key, value, is_id)
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _texts(part, f"{path}.{name}" if path else name, name, is_id=is_id or name in _IDS)
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from _texts(part, f"{path}[{at}]", key, is_id=is_id)


def with_texts(record: JsonObject, change: Callable[[str], str]) -> JsonObject:
    """``record`` with every text that nothing refers to as ``change`` gives it."""
    return cast("JsonObject", _changed(record, change))


def _changed(value: JsonValue, change: Callable[[str], str]) -> JsonValue:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {name: part if name in _IDS else _changed(part, change) for name, part in value.items()}
    return [_changed(part, change) for part in value] if isinstance(value, list) else value
