"""Message records of the native export: normalised once, then read into the chat model."""

import base64
import binascii
import json
from collections.abc import Callable
from typing import Final

from shareview.chat.messages import (
    Approval,
    Attachment,
    HiddenPart,
    Message,
    RecordedCitation,
    Role,
    Status,
    ToolCall,
    Truncation,
)
from shareview.chat.quotes import Quote, QuoteSource, Selector
from shareview.chat.sessions import MAIN_THREAD
from shareview.exports.fields import Fields, as_text
from shareview.exports.jsonlines import JsonObject, JsonValue, describe
from shareview.exports.limits import Limits

KeepBytes = Callable[[bytes], str]
"""Takes the bytes of an attachment, gives their SHA-256 in hex."""
Warn = Callable[[str], None]
"""Takes a sentence for the publisher about something that stops nothing."""

MESSAGE_FIELDS: Final = (
    "kind", "id", "thread", "role", "content", "reasoning", "model", "tool_calls", "tool_call_id", "metadata",
    "created_at", "status", "replaces", "quotes", "session_id", "hidden",
)  # fmt: skip
_CALL_FIELDS: Final = ("id", "name", "arguments", "type", "function")
_ATTACHMENT_FIELDS: Final = ("name", "media_type", "data", "url", "size")
_METADATA_KEYS: Final = {"approval_mark": "approvalMark", "result_truncated": "resultTruncated"}
_QUOTE_FIELDS: Final = ("version", "text", "source", "selector")
SELECTOR_FIELDS: Final = ("exact", "prefix", "suffix", "start", "end")
STORED_PREFIX: Final = "sha256:"
HIDDEN_ENTRY: Final = {"hidden": True}
"""Stands in a result that was left out for a source that nothing cites, so that the others keep their numbers."""


def normalise(found: JsonObject, line: int, limits: Limits, keep_bytes: KeepBytes, warn: Warn) -> Fields:
    """A message record in the form that is frozen: snake_case, roles upper-case, JSON texts unpacked, no base64.

    Raises ExportError.
    """
    fields = Fields.of(found, MESSAGE_FIELDS, line, limits)
    values = fields.values
    role = values.get("role")
    if not isinstance(role, str) or role.upper() not in Role.__members__:
        raise fields.error("role", "one of " + ", ".join(Role))
    values["role"] = role.upper()
    if "tool_calls" in values:
        values["tool_calls"] = _unpacked_calls(fields)
    if "metadata" in values:
        values["metadata"] = _unpacked_metadata(fields, warn)
        _store_attachments(fields, keep_bytes)
    return fields


def _unpacked_calls(fields: Fields) -> JsonValue:
    expected = "a list of calls, or a JSON text of one"
    try:
        calls = fields.unpacked("tool_calls")
    except ValueError as error:
        raise fields.error("tool_calls", expected, str(error)) from None
    if calls is not None and not isinstance(calls, list):
        raise fields.error("tool_calls", expected)
    return calls


def _unpacked_metadata(fields: Fields, warn: Warn) -> JsonValue:
    packed = isinstance(fields.values["metadata"], str)
    try:
        metadata = fields.unpacked("metadata")
    except ValueError as error:
        warn(f"metadata is {error} and counts as null")
        return None
    if isinstance(metadata, dict):
        return _with_known_keys(metadata, fields)
    if metadata is None:
        return None
    if not packed:
        raise fields.error("metadata", "null, an object or a JSON text of one")
    warn(f"metadata is a JSON text of {describe(metadata)}, not of an object, and counts as null")
    return None


def _with_known_keys(metadata: JsonObject, fields: Fields) -> JsonObject:
    known: JsonObject = {}
    for key, value in metadata.items():
        name = _METADATA_KEYS.get(key, key)
        if name in known:
            raise fields.error(f"metadata.{name}", "one spelling of the field", "both snake_case and camelCase")
        known[name] = value
    truncated = known.get("resultTruncated")
    if isinstance(truncated, dict):
        path = "metadata.resultTruncated."
        known["resultTruncated"] = Fields.of(truncated, ("original_length",), fields.line, fields.limits, path).values
    return known


def _store_attachments(fields: Fields, keep_bytes: KeepBytes) -> None:
    metadata = fields.values["metadata"]
    if not isinstance(metadata, dict) or not isinstance(metadata.get("attachments"), list):
        return
    below = Fields(metadata, fields.line, fields.limits, "metadata.")
    attachments = below.items("attachments", _ATTACHMENT_FIELDS, most=fields.limits.attachments)
    for item in attachments:
        data = item.text("data", default="")
        if data and not data.startswith(STORED_PREFIX):
            item.values.setdefault("media_type", data.partition(";")[0].removeprefix("data:"))
            item.values["data"] = STORED_PREFIX + keep_bytes(_decoded(item, data))
    metadata["attachments"] = [item.values for item in attachments]


def _decoded(item: Fields, data: str) -> bytes:
    head, comma, body = data.partition(",")
    if not (head.startswith("data:") and head.endswith(";base64") and comma):
        raise item.error("data", "data:…;base64,… or sha256:…", describe(data))
    try:
        return base64.b64decode("".join(body.split()), validate=True)
    except (binascii.Error, ValueError):
        raise item.error("data", "base64", "other characters") from None


def read_message(fields: Fields, warn: Warn) -> Message:
    """The message that a normalised record holds. Raises ExportError."""
    role = Role(fields.text("role"))
    calls = tuple(_read_call(item) for item in fields.items("tool_calls", _CALL_FIELDS))
    quotes = tuple(_read_quote(item) for item in fields.items("quotes", _QUOTE_FIELDS, most=fields.limits.quotes))
    if calls and role is not Role.ASSISTANT:
        raise fields.error("tool_calls", "tool calls on ASSISTANT messages only", f"them on {role}")
    if quotes and role is not Role.USER:
        raise fields.error("quotes", "quotes on USER messages only", f"them on {role}")
    metadata = fields.item("metadata", ()) or Fields({}, fields.line, fields.limits, "metadata.")
    return Message(
        id=fields.identifier("id"),
        thread=fields.identifier("thread", default=MAIN_THREAD),
        role=role,
        # A message that only calls tools may say nothing at all.
        content=fields.text("content", default="" if role is Role.ASSISTANT else None),
        reasoning=fields.text("reasoning", default=""),
        model=fields.text("model", default=""),
        tool_calls=calls,
        tool_call_id=fields.identifier("tool_call_id", default=None if role is Role.TOOL else ""),
        citations=_read_citations(metadata, warn),
        attachments=tuple(_read_attachment(item) for item in metadata.items("attachments", _ATTACHMENT_FIELDS)),
        approval=_read_approval(metadata),
        truncation=_read_truncation(metadata),
        created_at=fields.moment("created_at"),
        status=fields.choice("status", Status, default=Status.COMPLETED),
        replaces=fields.identifier("replaces", default=""),
        quotes=quotes,
        hidden=_read_hidden(fields, role),
    )


def _read_hidden(fields: Fields, role: Role) -> frozenset[HiddenPart]:
    """What the record says was left out of it and what it indeed does not hold."""
    listed = fields.values.get("hidden")
    names = {name for name in listed if isinstance(name, str)} if isinstance(listed, list) else set()
    hidden = {part for part in HiddenPart if part.value in names}
    content = fields.text("content", default="")
    if not (is_result_left_out(content) if role is Role.TOOL else not content.strip()):
        hidden.discard(HiddenPart.CONTENT)
    if fields.text("reasoning", default=""):
        hidden.discard(HiddenPart.REASONING)
    return frozenset(hidden)


def is_result_left_out(content: str) -> bool:
    """Whether a tool's result holds nothing but the registry: addresses with titles, and places of hidden ones."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return False
    entries = value.get("results") if isinstance(value, dict) and set(value) == {"results"} else None
    return isinstance(entries, list) and all(
        isinstance(entry, dict)
        and (entry == HIDDEN_ENTRY or (set(entry) == {"url", "title"} and all(map(_is_text, entry.values()))))
        for entry in entries
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _read_call(item: Fields) -> ToolCall:
    nested = item.item("function", ("name", "arguments"))
    body = nested or item
    return ToolCall(item.identifier("id"), body.text("name"), as_text(body.values.get("arguments")))


def _read_quote(item: Fields) -> Quote:
    item.version_1()
    source = item.item("source", ("thread", "message", "title"))
    selector = item.item("selector", SELECTOR_FIELDS)
    return Quote(
        item.text("text"), _read_source(source) if source else None, read_selector(selector) if selector else None
    )


def _read_source(item: Fields) -> QuoteSource:
    # Frozen again, a source may have no message but that it had one: null, which is reported.
    is_unnamed = "message" in item.values and item.values["message"] is None
    message = "" if is_unnamed else item.identifier("message")
    return QuoteSource(item.identifier("thread"), message, item.text("title", default=""))


def read_selector(item: Fields) -> Selector:
    """The passage that a selector names. Raises ExportError."""
    return Selector(
        item.text("exact"),
        item.text("prefix", default=""),
        item.text("suffix", default=""),
        item.number("start"),
        item.number("end"),
    )


def _read_citations(metadata: Fields, warn: Warn) -> tuple[RecordedCitation, ...] | None:
    listed = metadata.values.get("citations")
    if listed is None:
        return None
    if not isinstance(listed, list):
        warn(f"metadata.citations is {describe(listed)}, not a list, and counts as missing")
        return None
    entries = (_read_citation(at, entry, warn) for at, entry in enumerate(listed))
    return tuple(entry for entry in entries if entry is not None)


def _read_citation(at: int, entry: JsonValue, warn: Warn) -> RecordedCitation | None:
    # The main chat passes over a malformed entry (answer-citations §5.5); so do we, but say so.
    if isinstance(entry, dict):
        n, url, title = entry.get("n"), entry.get("url"), entry.get("title")
        if isinstance(n, int) and not isinstance(n, bool) and n > 0 and isinstance(url, str):
            return RecordedCitation(n, url, title if isinstance(title, str) else "")
    warn(f"metadata.citations[{at}] has no whole n from 1 and no url, and is passed over")
    return None


def _read_attachment(item: Fields) -> Attachment:
    data = item.text("data", default="")
    return Attachment(
        name=item.text("name"),
        media_type=item.text("media_type", default=""),
        sha256=data.removeprefix(STORED_PREFIX),
        url=item.text("url", default=""),
        size=item.number("size"),
    )


def _read_approval(metadata: Fields) -> Approval | None:
    mark = metadata.item("approvalMark", ("decision", "by", "at", "reason"))
    if mark is None:
        return None
    decision = mark.text("decision")
    if decision not in ("approved", "rejected"):
        raise mark.error("decision", "approved or rejected")
    return Approval(
        decision == "approved",
        mark.text("by", default=""),
        mark.text("at", default=""),
        mark.text("reason", default=""),
    )


def _read_truncation(metadata: Fields) -> Truncation | None:
    value = metadata.values.get("resultTruncated")
    if value is None or value is False:
        return None
    if value is True:
        return Truncation()
    if not isinstance(value, dict):
        raise metadata.error("resultTruncated", 'true or {"original_length": N}')
    return Truncation(
        Fields.of(value, ("original_length",), metadata.line, metadata.limits, "metadata.resultTruncated.").number(
            "original_length"
        )
    )
