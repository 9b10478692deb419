"""JSON replies of a model, read strictly: one object and nothing else."""

from typing import Final

from shareview.annotation.asking import UnreadableReplyError
from shareview.chat.artifacts import PendingCode
from shareview.exports.jsonlines import JsonObject, describe, parse_json

_DEPTH: Final = 6


def read_object(text: str, fields: frozenset[str]) -> JsonObject:
    """The object that ``text`` is, with ``fields`` and no others. Raises UnreadableReplyError."""
    try:
        value = parse_json(text, depth=_DEPTH)
    except ValueError as error:
        raise broken_form(f"expected one JSON object, found {error}") from None
    if not isinstance(value, dict):
        raise broken_form(f"expected one JSON object, found {describe(value)}")
    if value.keys() != fields:
        raise broken_form(f"expected the fields {_named(fields)}, found {_named(value) or 'none'}")
    return value


def broken_form(*faults: str) -> UnreadableReplyError:
    """The error of a reply that has not the agreed form."""
    return UnreadableReplyError(PendingCode.SCHEMA_INVALID, faults)


def _named(fields: object) -> str:
    return ", ".join(sorted(fields)) if isinstance(fields, frozenset | dict) else ""
