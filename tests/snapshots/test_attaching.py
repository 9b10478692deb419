"""An artifact that was made elsewhere is put beside its answer whole, or refused with all that is wrong."""

import copy
from typing import Any

import pytest
from sessions import FreezeRecords, sample_records, turn

from shareview.exports.errors import ExportError
from shareview.rendering.pool import InProcessRenderer
from shareview.snapshots.answer_material import NoSuchAnswerError
from shareview.snapshots.attaching import ArtifactRefusedError, prepare_artifact, store_artifacts
from shareview.snapshots.models import Snapshot

RECORDS = sample_records("claims.zh.jsonl")
ARTIFACT: dict[str, Any] = next(r for r in RECORDS if r.get("kind") == "citation_artifact" and r["message"] == "a1")


@pytest.fixture
def snapshot(freeze: FreezeRecords) -> Snapshot:
    return freeze([record for record in RECORDS if record.get("kind") != "citation_artifact"]).snapshot


def attach(snapshot: Snapshot, record: dict[str, Any], line: int = 7) -> int:
    return store_artifacts(snapshot, [prepare_artifact(snapshot, record, line=line, renderer=InProcessRenderer())])


def test_an_attached_artifact_shows_as_a_delivered_one(snapshot: Snapshot, freeze: FreezeRecords) -> None:
    assert attach(snapshot, ARTIFACT) == 1
    attached = snapshot.rendered.get(message_id="a1").html
    delivered = freeze([*RECORDS, *turn("Another session.", first=900)]).snapshot
    assert attached == delivered.rendered.get(message_id="a1").html


def test_the_same_artifact_twice_is_one(snapshot: Snapshot) -> None:
    assert attach(snapshot, ARTIFACT) == 1
    assert attach(snapshot, ARTIFACT) == 0
    assert snapshot.artifacts.count() == 1


def test_an_artifact_that_does_not_fit_is_refused_with_every_fault(snapshot: Snapshot) -> None:
    attach(snapshot, ARTIFACT)
    before = snapshot.rendered.get(message_id="a1").html
    broken = copy.deepcopy(ARTIFACT)
    broken["spans"][0]["start_index"] += 1
    broken["annotations"][0]["block_ids"] = ["b99999"]
    with pytest.raises(ArtifactRefusedError) as caught:
        attach(snapshot, broken)
    # The words, the block, and the verdict on a block that is no longer cited.
    assert len(caught.value.faults) == 3
    assert all(fault.startswith("line 7, ") for fault in caught.value.faults)
    assert snapshot.rendered.get(message_id="a1").html == before
    assert snapshot.artifacts.count() == 1


def test_an_answer_that_the_snapshot_does_not_show_is_named(snapshot: Snapshot) -> None:
    with pytest.raises(NoSuchAnswerError, match='no answer "nobody"'):
        attach(snapshot, {**ARTIFACT, "message": "nobody"})


@pytest.mark.parametrize("record", [{"kind": "message", "id": 1}, {"message": "a1"}])
def test_another_kind_of_record_is_refused(snapshot: Snapshot, record: dict[str, Any]) -> None:
    with pytest.raises(ExportError, match=r"line 7, kind: .*citation_artifact"):
        attach(snapshot, record)


def test_an_older_artifact_that_is_attached_again_is_shown_again(snapshot: Snapshot) -> None:
    attach(snapshot, ARTIFACT)
    first = snapshot.rendered.get(message_id="a1").html
    attach(snapshot, {**ARTIFACT, "annotations": [], "verdicts": []})
    assert snapshot.rendered.get(message_id="a1").html != first
    assert attach(snapshot, ARTIFACT) == 1
    assert snapshot.rendered.get(message_id="a1").html == first
    assert snapshot.artifacts.count() == 3
