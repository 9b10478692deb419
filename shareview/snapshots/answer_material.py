"""What a frozen answer stands on: its question, its words, what its turn retrieved, and its newest artifact."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from shareview.annotation.evidence import evidence_blocks
from shareview.chat.artifacts import Artifact, EvidenceBlock
from shareview.chat.messages import Message, Role, Status
from shareview.chat.turns import MessagePart
from shareview.citations.checking import Citation, check_citations
from shareview.citations.turn_sources import TurnSources
from shareview.exports.jsonlines import JsonValue
from shareview.exports.spool import RecordKind, message_of
from shareview.snapshots.artifacts import artifact_of
from shareview.snapshots.derivation import RecordLine
from shareview.snapshots.models import RenderedMessage, Snapshot


class NoSuchAnswerError(Exception):
    """A snapshot shows no answer under an id."""


@dataclass(frozen=True)
class AnswerMaterial:
    """An answer with all that may be said about its citations; ``artifact`` was checked against it.

    ``citations`` are those by marker that the answer shows without an artifact; ``trace`` is how the artifact says
    that it was made, as its record has it.
    """

    question: str
    answer: Message
    evidence: tuple[EvidenceBlock, ...]
    artifact: Artifact | None
    citations: tuple[Citation, ...]
    trace: JsonValue

    @property
    def is_whole(self) -> bool:
        """Whether the answer came to its end."""
        return self.answer.status is Status.COMPLETED


def answer_row(snapshot: Snapshot, message_id: str) -> RenderedMessage:
    """The stored answer ``message_id``. Raises NoSuchAnswerError."""
    row = snapshot.rendered.filter(message_id=message_id, part=MessagePart.ANSWER).first()
    if row is None:
        raise NoSuchAnswerError(f'the share shows no answer "{message_id}"')
    return row


def answer_material(snapshot: Snapshot, message_id: str) -> AnswerMaterial:
    """What answer ``message_id`` of ``snapshot`` stands on. Raises NoSuchAnswerError.

    Evidence is that of its newest artifact that brings any, else what the turn's web tools returned.
    """
    row = answer_row(snapshot, message_id)
    sources, question = TurnSources(), ""
    for record in turn_records(row):
        message = message_of(json.loads(record.line))
        if message.id == message_id:
            break
        sources.take(message)
        question = message.content if message.role is Role.USER else question
    lines = snapshot.artifacts.filter(message_id=message_id).order_by("-pk").values_list("line", flat=True)
    artifacts = [artifact_of(line, message.content) for line in lines]
    artifact = artifacts[0] if artifacts else None
    delivered = next((one.blocks for one in artifacts if one.blocks), ())
    evidence = delivered or evidence_blocks(sources.registry.sources())
    trace = json.loads(lines[0]).get("trace") if artifacts else None
    return AnswerMaterial(question, message, evidence, artifact, _citations(message, sources), trace)


def _citations(answer: Message, sources: TurnSources) -> tuple[Citation, ...]:
    if answer.status is not Status.COMPLETED:
        return ()
    return check_citations(answer.content, answer.citations, sources.registry).shown


def newest_artifact(snapshot: Snapshot, message_id: str) -> Artifact | None:
    """The newest artifact of answer ``message_id`` as it is now, checked against it."""
    return answer_material(snapshot, message_id).artifact


def turn_records(row: RenderedMessage) -> Iterator[RecordLine]:
    """The frozen messages of the turn that ``row`` stands in, in order."""
    positions = RenderedMessage.objects.filter(snapshot=row.snapshot, thread=row.thread, turn=row.turn).values(
        "position"
    )
    records = row.snapshot.records.filter(kind=RecordKind.MESSAGE, position__in=positions)
    return (RecordLine(*fields) for fields in records.values_list("position", "kind", "line"))
