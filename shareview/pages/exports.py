"""Exports of what a share shows: native lines, Markdown with its sources, plain text."""

import json
from collections.abc import Iterator
from typing import Final

from shareview.chat.messages import Message, Role
from shareview.citations.markers import strip_markers
from shareview.exports.spool import RecordKind, message_of
from shareview.pages.access import NoSuchPlaceError
from shareview.rendering.characters import shown_characters
from shareview.shares.models import Share
from shareview.snapshots.derivation import ShownCitation
from shareview.snapshots.derived import shown_citations
from shareview.snapshots.models import MessagePart, RenderedMessage, Snapshot

_SPEAKERS: Final = {Role.USER: "User", Role.ASSISTANT: "Assistant", Role.TOOL: "Tool", Role.SYSTEM: "System"}
_SPOKEN: Final = (MessagePart.QUESTION, MessagePart.ANSWER, MessagePart.SYSTEM)


def export_jsonl(share: Share) -> str:
    """The native lines that the digest covers, then the artifacts (session-export, "Digest")."""
    snapshot = share.snapshot
    lines = [*snapshot.records.values_list("line", flat=True), *snapshot.artifacts.values_list("line", flat=True)]
    return "".join(f"{line}\n" for line in lines)


def export_markdown(share: Share) -> str:
    """Questions and answers as Markdown, markers taken out, the sources as a list under each answer."""
    parts = [f"# {_line(share.shown_title)}\n"]
    for row, message in _spoken(share.snapshot):
        parts.append(f"## {_SPEAKERS[message.role]}\n")
        parts += _markdown(row, message)
    parts.append(f"---\n\n{_freeze_line(share)}\n")
    return "\n".join(parts)


def answer_markdown(snapshot: Snapshot, message: str) -> str:
    """One answer as Markdown, markers taken out, its sources as a list under it. Raises NoSuchPlaceError."""
    row = snapshot.rendered.filter(message_id=message, part=MessagePart.ANSWER).first()
    if row is None:
        raise NoSuchPlaceError
    line = snapshot.records.values_list("line", flat=True).get(position=row.position)
    return "\n".join(_markdown(row, message_of(json.loads(line))))


def _markdown(row: RenderedMessage, message: Message) -> list[str]:
    parts = [f"{_text(message)}\n"]
    entries = [f"{k}. {_link(citation)}" for k, citation in enumerate(shown_citations(row), 1)]
    if entries:
        parts.append("\n".join(["### Sources\n", *entries]) + "\n")
    return parts


def export_text(share: Share) -> str:
    """Questions and answers as plain text."""
    parts = [f"{_line(share.shown_title)}\n"]
    for row, message in _spoken(share.snapshot):
        parts.append(f"{_SPEAKERS[message.role]}:\n{_text(message)}\n")
        entries = [
            f"[{k}] {_line(citation.title)} {citation.url}" for k, citation in enumerate(shown_citations(row), 1)
        ]
        if entries:
            parts.append("\n".join(["Sources:", *entries]) + "\n")
    parts.append(f"{_freeze_line(share)}\n")
    return "\n".join(parts)


def _spoken(snapshot: Snapshot) -> Iterator[tuple[RenderedMessage, Message]]:
    rows = {row.position: row for row in snapshot.rendered.filter(part__in=_SPOKEN).defer("html", "reasoning_html")}
    records = snapshot.records.filter(kind=RecordKind.MESSAGE).values_list("position", "line")
    for position, line in records.iterator():
        if position in rows:
            yield rows[position], message_of(json.loads(line))


def _text(message: Message) -> str:
    return shown_characters(strip_markers(message.content)).strip()


def _line(text: str) -> str:
    return " ".join(shown_characters(strip_markers(text)).split())


def _link(citation: ShownCitation) -> str:
    title = _line(citation.title) or citation.url
    for char in "\\[]<>`*_":
        title = title.replace(char, f"\\{char}")
    return f"[{title}](<{citation.url.replace('<', '%3C').replace('>', '%3E')}>)"


def _freeze_line(share: Share) -> str:
    snapshot = share.snapshot
    return (
        f"Messages 1-{snapshot.message_count}, frozen {snapshot.frozen_at:%Y-%m-%dT%H:%M:%SZ}, "
        f"SHA-256 {snapshot.digest}. {share.watermark}"
    )
