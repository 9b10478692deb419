"""Derived messages as rows of the database, and back."""

from dataclasses import asdict
from typing import Any

from shareview.citations.passages import Passage
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
        version=DERIVATION_VERSION,
        html=derived.html,
        reasoning_html=derived.reasoning_html,
        citations=[asdict(citation) for citation in derived.citations],
        located=list(derived.located),
        citations_verified=derived.verified,
        fault=derived.fault,
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
