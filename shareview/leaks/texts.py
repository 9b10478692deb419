"""The texts of a native record, each with its place; and the same record with other texts."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, cast

from shareview.exports.jsonlines import JsonObject, JsonValue

# Others refer to what stands at these places, so that not a letter of it may change; names in both spellings.
_ID_PLACES: Final = re.compile(
    r"kind|id|role|status|state|thread|message|parent|replaces|version|error_?code|hidden\[\d+\]"
    r"|(?:tool_call_id|toolCallId|session_id|sessionId|created_at|createdAt|exported_at|exportedAt)"
    r"|fork\.message|quotes\[\d+\]\.(?:version|source\.(?:thread|message))"
    r"|tool_calls\[\d+\]\.(?:id|type)|metadata\.attachments\[\d+\]\.data"
    r"|spans\[\d+\]\.(?:span_id|spanId|kind)"
    r"|evidence_blocks\[\d+\]\.(?:block_id|blockId|doc_id|docId)"
    r"|annotations\[\d+\]\.(?:annotation_id|annotationId|span_id|spanId|(?:block_ids|blockIds)\[\d+\])"
    r"|verdicts\[\d+\]\.(?:annotation_id|annotationId|block_id|blockId|verdict)"
    r"|judge\.(?:prompt_sha256|contexts\[\d+\]\.(?:context_id|kind|block_ids\[\d+\]))|trace\.prompt_sha256"
)


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text of a record: its ``field`` as a path, the ``key`` it stands under, and whether others refer to it.

    A key of an object is a text too; its ``field`` is that of the object.
    """

    field: str
    key: str
    text: str
    is_id: bool


def texts_of(record: JsonObject) -> Iterator[PlacedText]:
    """Every text of ``record``, in order."""
    return _texts(record, "", "")


def _texts(value: JsonValue, path: str, key: str) -> Iterator[PlacedText]:
    if isinstance(value, str):
        yield PlacedText(path, key, value, _is_id(path))
    elif isinstance(value, dict):
        for name, part in value.items():
            yield PlacedText(path, "", name, is_id=False)
            yield from _texts(part, _below(path, name), name)
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from _texts(part, f"{path}[{at}]", key)


def with_texts(record: JsonObject, change: Callable[[str], str]) -> JsonObject:
    """``record`` with every text that nothing refers to as ``change`` gives it, keys included."""
    return cast("JsonObject", _changed(record, "", change))


def _changed(value: JsonValue, path: str, change: Callable[[str], str]) -> JsonValue:
    if isinstance(value, str):
        return value if _is_id(path) else change(value)
    if isinstance(value, dict):
        return {change(name): _changed(part, _below(path, name), change) for name, part in value.items()}
    if isinstance(value, list):
        return [_changed(part, f"{path}[{at}]", change) for at, part in enumerate(value)]
    return value


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _is_id(path: str) -> bool:
    return _ID_PLACES.fullmatch(path) is not None
