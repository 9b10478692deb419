"""Derived messages as rows of the database, and back."""

from dataclasses import asdict
from typing import Any

from shareview.chat.messages import MessageOutline, Role, Status
from shareview.citations.passages import Passage
from shareview.rendering.characters import shown_characters
from shareview.snapshots.derivation import DERIVATION_VERSION, CitedPassage, DerivedMessage, ShownCitation
from shareview.snapshots.models import RenderedMessage, Snapshot


def rendered_row(snapshot: Snapshot, derived: DerivedMessage) -> RenderedMessage:
    """The unsaved row of ``derived``."""
    return RenderedMessage(
        snapshot=snapshot,
        position=derived.position,
        message_id=derived.message_id,
        thread=derived.thread,
        turn=derived.turn,
        part=derived.part,
        outline=_outline_row(derived.outline),
        successor=derived.successor,
        version=DERIVATION_VERSION,
        html=derived.html,
        reasoning_html=derived.reasoning_html,
        citations=[asdict(citation) for citation in derived.citations],
        located=list(derived.located),
        citations_verified=derived.verified,
        fault=derived.fault,
    )


def _outline_row(outline: MessageOutline) -> dict[str, Any]:
    return {
        "role": outline.role,
        "status": outline.status,
        "says_something": outline.says_something,
        # A database cannot hold every character that a name may have had.
        "calls": [(shown_characters(id), shown_characters(name)) for id, name in outline.calls],
        "replaces": outline.replaces,
    }


def stored_outline(id: str, thread: str, row: dict[str, Any]) -> MessageOutline:
    """The outline of a stored message, but for its time."""
    return MessageOutline(
        id=id,
        thread=thread,
        role=Role(row["role"]),
        status=Status(row["status"]),
        says_something=row["says_something"],
        calls=tuple((id, name) for id, name in row["calls"]),
        replaces=row["replaces"],
        created_at=None,
    )


def shown_citations(row: RenderedMessage) -> tuple[ShownCitation, ...]:
    """The citations of a stored message, in display order."""
    return tuple(_citation(value) for value in row.citations)


def _citation(value: dict[str, Any]) -> ShownCitation:
    passages = tuple(_cited(item) for item in value["passages"])
    return ShownCitation(value["n"], value["url"], value["title"], passages, value["is_quoted"])


def _cited(value: dict[str, Any]) -> CitedPassage:
    passage = value["passage"]
    found = passage and Passage(passage["text"], tuple((start, end) for start, end in passage["shared"]))
    return CitedPassage(value["occurrence"], value["sentence"], found)
