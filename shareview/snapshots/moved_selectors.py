"""Passages that quotes and forks point to, where words before them were taken out of the message they stand in."""

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping

from shareview.chat.messages import Message, Role
from shareview.exports.jsonlines import JsonObject, JsonValue
from shareview.leaks.redaction import RedactedText, Redaction
from shareview.quotes.visible_text import visible_text
from shareview.rendering.pool import Renderer, RenderJob
from shareview.snapshots.lines import FrozenLine

Visible = Mapping[str, RedactedText]
"""The visible text of a message by its id, and what was taken out of it."""


def visible_sources(lines: Iterable[FrozenLine], wanted: set[str], redaction: Redaction, renderer: Renderer) -> Visible:
    """Of the messages ``wanted`` those that change, as they were seen before and what was taken out of that."""
    changed = [
        line.message
        for line in lines
        if line.message and line.id in wanted and redaction.text(line.message.content).edits
    ]
    rendered = renderer.render_all(_job(message) for message in changed)
    return {
        message.id: redaction.text(visible_text(one.html).text) for message, one in zip(changed, rendered, strict=True)
    }


def _job(message: Message) -> RenderJob:
    return RenderJob(message.content, secrets.token_hex(16), line_breaks=message.role is Role.USER)


def sources_by_position(lines: Iterable[FrozenLine]) -> set[str]:
    """The messages that a quote or a fork points into by code points."""
    records = (json.loads(line.line) for line in lines if '"selector"' in line.line)
    return {source for record in records for source, selector in _selectors(record) if "start" in selector}


def move_selectors(record: JsonObject, visible: Visible) -> None:
    """Moves ``start`` and ``end`` of the selectors in ``record`` to where the words stand now."""
    for source, selector in _selectors(record):
        text = visible.get(source)
        if text is None:
            continue
        for name, is_end in (("start", False), ("end", True)):
            offset = selector.get(name)
            if isinstance(offset, int) and not isinstance(offset, bool):
                selector[name] = text.moved(offset, is_end=is_end)


def _selectors(record: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    """The selectors in a record of a message or a thread, each with the id of the message it points into."""
    quotes = record.get("quotes")
    for quote in quotes if isinstance(quotes, list) else ():
        if isinstance(quote, dict):
            yield from _pair(quote.get("source"), quote.get("selector"))
    fork = record.get("fork")
    if isinstance(fork, dict):
        yield from _pair(fork, fork.get("selector"))


def _pair(source: JsonValue, selector: JsonValue) -> Iterator[tuple[str, JsonObject]]:
    if isinstance(source, dict) and isinstance(selector, dict) and source.get("message") is not None:
        yield str(source["message"]), selector
