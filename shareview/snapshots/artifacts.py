"""The artifacts that a snapshot holds, read and checked against the answers they belong to."""

import json
from collections.abc import Collection, Mapping

from django.db.models import Max

from shareview.chat.artifacts import Artifact
from shareview.citations.validation import checked_artifact
from shareview.exports.artifact_records import normalise_artifact, read_artifact
from shareview.exports.limits import DEFAULT_LIMITS
from shareview.snapshots.models import Snapshot

Artifacts = Mapping[str, str]
"""The newest artifact of each message, as the line that was frozen."""


def newest_artifacts(snapshot: Snapshot, messages: Collection[str] | None = None) -> dict[str, str]:
    """The newest artifact of each message of ``snapshot``, or of ``messages`` alone, as its frozen line."""
    artifacts = snapshot.artifacts.order_by()
    if messages is not None:
        artifacts = artifacts.filter(message_id__in=messages)
    newest = artifacts.values("message_id").annotate(newest=Max("pk")).values("newest")
    return dict(snapshot.artifacts.filter(pk__in=newest).values_list("message_id", "line"))


def artifact_of(frozen: str, answer: str, *, line: int = 0) -> Artifact:
    """The artifact that ``frozen`` holds, as pending where it breaks its contract with ``answer``.

    ``line`` is the line of a file that its faults name; 0 for none.
    """
    read = read_artifact(normalise_artifact(json.loads(frozen), line, DEFAULT_LIMITS))
    return checked_artifact(read, answer, line=line)
