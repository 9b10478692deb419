"""Asking for the citations of a snapshot's answers."""

import json
from collections.abc import Sequence
from datetime import datetime

from shareview.chat.artifacts import ArtifactStatus
from shareview.exports.jsonlines import JsonObject
from shareview.shares.annotation_queue import queue_annotations
from shareview.snapshots.annotation_jobs import answers_to_annotate
from shareview.snapshots.answer_material import answer_row
from shareview.snapshots.artifacts import newest_artifacts
from shareview.snapshots.models import Snapshot


def request_citations(
    snapshot: Snapshot, *, messages: Sequence[str] = (), wants_verdicts: bool, again: bool = False, now: datetime
) -> int:
    """Queues the answers of ``snapshot``, or those of ``messages``, whose citations are not there yet.

    With ``wants_verdicts`` that includes answers with citations that nobody judged; with ``again`` all. Gives how
    many were queued. Raises NoSuchAnswerError, and queues nothing then.
    """
    for message in messages:
        answer_row(snapshot, message)
    done = () if again else _done(snapshot, wants_verdicts=wants_verdicts)
    wanted = [id for id in answers_to_annotate(snapshot, done) if not messages or id in messages]
    return queue_annotations(snapshot, wanted, wants_verdicts=wants_verdicts, starts_anew=again, now=now)


def _done(snapshot: Snapshot, *, wants_verdicts: bool) -> list[str]:
    records = {message: json.loads(line) for message, line in newest_artifacts(snapshot).items()}
    return [
        message
        for message, record in records.items()
        if record.get("status") == ArtifactStatus.COMPLETE and (not wants_verdicts or _is_judged(record))
    ]


def _is_judged(record: JsonObject) -> bool:
    """Whether a checker gave its word on anything; one that only failed did not."""
    verdicts = record.get("verdicts")
    return isinstance(verdicts, list) and any(isinstance(one, dict) and not one.get("code") for one in verdicts)
