"""Artifacts that an export brings: which of them a snapshot takes in, and what is wrong with them."""

import json
from collections.abc import Iterator, Sequence

from shareview.chat.artifacts import ArtifactStatus
from shareview.citations.validation import validate_artifact
from shareview.exports.artifact_writer import artifact_record
from shareview.exports.jsonlines import canonical
from shareview.exports.spool import Export, RecordKind, SpooledArtifact, message_of
from shareview.snapshots.artifacts import artifact_of, newest_artifacts
from shareview.snapshots.digests import digest_of
from shareview.snapshots.hiding import NOTHING_HIDDEN, Hiding, hide_evidence, without_evidence
from shareview.snapshots.models import FrozenArtifact, Snapshot
from shareview.snapshots.selection import Selection


def selected_artifacts(export: Export, selection: Selection, hiding: Hiding = NOTHING_HIDDEN) -> list[SpooledArtifact]:
    """The artifacts of ``export`` whose answers were chosen, without the evidence that ``hiding`` leaves out."""
    without_words = without_evidence(selection, hiding)
    return [
        _without_words(spooled) if spooled.artifact.message in without_words else spooled
        for spooled in export.artifacts
        if spooled.artifact.message in selection.messages and spooled.artifact.message not in hiding.messages
    ]


def _without_words(spooled: SpooledArtifact) -> SpooledArtifact:
    # Written anew from what was read: nothing beyond the contract comes along.
    artifact = hide_evidence(spooled.artifact)
    return SpooledArtifact(artifact, canonical(artifact_record(artifact)), spooled.line)


def artifact_notices(export: Export, artifacts: Sequence[SpooledArtifact]) -> Iterator[str]:
    """What is wrong with artifacts beyond what their reader saw."""
    wanted = {spooled.artifact.message for spooled in artifacts if not spooled.artifact.faults}
    places = {r.id: r for r in export.records if r.kind is RecordKind.MESSAGE and r.id in wanted}
    for spooled in artifacts:
        if spooled.artifact.message in places and not spooled.artifact.faults:
            answer = message_of(export.record(places[spooled.artifact.message])).content
            for fault in validate_artifact(spooled.artifact, answer, line=spooled.line):
                yield f"citations of message {spooled.artifact.message} are kept as pending: {fault}"


def artifact_news(snapshot: Snapshot, artifacts: Sequence[SpooledArtifact]) -> list[SpooledArtifact]:
    """Those of ``artifacts`` that bring ``snapshot`` anything, by message.

    What is published again does not hide what was made since. But a complete artifact comes back where the newest
    one is not complete.
    """
    known = set(snapshot.artifacts.values_list("message_id", "digest"))
    by_message: dict[str, list[SpooledArtifact]] = {}
    for spooled in artifacts:
        by_message.setdefault(spooled.artifact.message, []).append(spooled)
    news: list[SpooledArtifact] = []
    for message, delivered in by_message.items():
        unknown = [spooled for spooled in delivered if (message, digest_of([spooled.record])) not in known]
        if delivered[-1] in unknown:
            news += unknown
        elif _comes_back(snapshot, delivered[-1]):
            news.append(delivered[-1])
    return news


def _comes_back(snapshot: Snapshot, spooled: SpooledArtifact) -> bool:
    """Whether a known artifact is complete, and the newest one of its answer is not."""
    message = spooled.artifact.message
    record = snapshot.records.filter(kind=RecordKind.MESSAGE, record_id=message).values_list("line", flat=True).get()
    answer = message_of(json.loads(record)).content
    newest = newest_artifacts(snapshot, [message])[message]
    return artifact_of(newest, answer).status is not ArtifactStatus.COMPLETE and (
        artifact_of(spooled.record, answer).status is ArtifactStatus.COMPLETE
    )


def add_artifacts(snapshot: Snapshot, artifacts: Sequence[SpooledArtifact]) -> None:
    """Artifacts beside those that are there, never in place of one."""
    FrozenArtifact.objects.bulk_create(
        FrozenArtifact(
            snapshot=snapshot,
            message_id=spooled.artifact.message,
            digest=digest_of([spooled.record]),
            line=spooled.record,
        )
        for spooled in artifacts
    )
