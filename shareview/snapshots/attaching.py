"""Putting an artifact beside a frozen answer: the answer stays as it is, and what is shown of it is made anew."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction

from shareview.chat.artifacts import Artifact
from shareview.exports.artifact_records import normalise_artifact, read_artifact
from shareview.exports.jsonlines import JsonObject, canonical
from shareview.exports.limits import DEFAULT_LIMITS
from shareview.rendering.pool import Renderer
from shareview.snapshots.answer_material import answer_material, answer_row, turn_records
from shareview.snapshots.artifacts import artifact_of
from shareview.snapshots.derivation import DerivedMessage, derive_messages
from shareview.snapshots.derived import rendered_row
from shareview.snapshots.digests import digest_of
from shareview.snapshots.models import FrozenArtifact, RenderedMessage, SearchedPiece, Snapshot
from shareview.snapshots.search_rows import searched_pieces
from shareview.snapshots.shown_versions import note_change

_KIND: Final = "citation_artifact"


@dataclass
class ArtifactRefusedError(Exception):
    """An artifact does not fit the answer; ``faults`` lists all that is wrong, a sentence each."""

    faults: tuple[str, ...]

    def __str__(self) -> str:
        return "; ".join(self.faults)


@dataclass(frozen=True)
class PreparedArtifact:
    """An artifact as it is to be frozen, with what the answer shows once it is."""

    artifact: Artifact
    line: str
    row: RenderedMessage
    derived: DerivedMessage


def prepare_artifact(snapshot: Snapshot, record: JsonObject, *, line: int, renderer: Renderer) -> PreparedArtifact:
    """Reads ``record`` (of ``line`` in its file, or 0), checks it against its answer, and renders the answer with it.

    Nothing is stored. Raises ExportError where it names no message, NoSuchAnswerError, and ArtifactRefusedError
    where it breaks its contract: an artifact that could not be shown must not take the place of one that is.
    """
    fields = normalise_artifact(record, line, DEFAULT_LIMITS)
    if fields.values.get("kind") != _KIND:
        raise fields.error("kind", f'"{_KIND}"')
    read = read_artifact(fields)
    row = answer_row(snapshot, read.message)
    frozen = canonical(fields.values)
    artifact = artifact_of(frozen, answer_material(snapshot, read.message).answer.content, line=line)
    if artifact.faults:
        raise ArtifactRefusedError(artifact.faults)
    records = list(turn_records(row))
    messages = derive_messages(lambda: records, {read.message: frozen}, renderer, only=read.message)
    return PreparedArtifact(artifact, frozen, row, next(messages))


def store_artifacts(snapshot: Snapshot, prepared: Sequence[PreparedArtifact]) -> int:
    """Freezes ``prepared`` beside the artifacts that are there, all or none; gives how many were not the newest yet."""
    with transaction.atomic():
        return sum(_store(snapshot, one) for one in prepared)


def _store(snapshot: Snapshot, prepared: PreparedArtifact) -> bool:
    digest, message = digest_of([prepared.line]), prepared.artifact.message
    newest = snapshot.artifacts.filter(message_id=message).order_by("-pk").values_list("digest", flat=True).first()
    if newest == digest:
        return False
    FrozenArtifact.objects.create(snapshot=snapshot, message_id=message, digest=digest, line=prepared.line)
    _show(prepared.row, prepared.derived)
    note_change(snapshot)
    return True


def _show(row: RenderedMessage, derived: DerivedMessage) -> None:
    """Puts what is shown of an answer in place of what was; where it stands does not change."""
    fresh = rendered_row(row.snapshot, derived)
    made = ("version", "html", "reasoning_html", "citations", "located", "citations_verified", "fault")
    for name in made:
        setattr(row, name, getattr(fresh, name))
    row.save(update_fields=made)
    row.snapshot.searched.filter(position=row.position).delete()
    SearchedPiece.objects.bulk_create(searched_pieces(row.snapshot, derived))
