"""Citations of a frozen answer: made, checked and frozen beside it; the answer itself never changes."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from annotation_material import model_of
from model_server import Answer, Behaviour, ModelServer, annotating, both, given, judging, serve_model
from sessions import NOW, FreezeRecords, Records, turn

from shareview.annotation.asking import CallBudget, World
from shareview.annotation.judge import JudgeBudget
from shareview.chat.artifacts import Artifact, ArtifactStatus
from shareview.exports.artifact_writer import artifact_record
from shareview.rendering.pool import InProcessRenderer
from shareview.snapshots.annotating import Annotators, annotate_answer, give_up
from shareview.snapshots.annotation_jobs import open_jobs, request_annotation
from shareview.snapshots.artifacts import artifact_of, newest_artifacts
from shareview.snapshots.attaching import prepare_artifact, store_artifacts
from shareview.snapshots.freezing import is_intact
from shareview.snapshots.models import AnnotationTrace, FrozenArtifact, FrozenRecord, Snapshot

QUICK = CallBudget(seconds=2.0)
ANSWER = "The rule applies before noon. **It costs 40 euros.** Nobody knows more."
RESULTS = [
    {"title": "Rules", "url": "https://rules.example/", "content": "Every rule applies before noon."},
    {"title": "Prices", "url": "https://prices.example/", "content": "A permit costs 40 euros in all."},
]
SESSION = turn(ANSWER, results=RESULTS)


@pytest.fixture
def snapshot(freeze: FreezeRecords) -> Snapshot:
    return freeze(SESSION).snapshot


@contextmanager
def models(*answers: Answer) -> Iterator[tuple[Annotators, ModelServer]]:
    with serve_model(*answers) as server:
        model = model_of(server)
        budget = JudgeBudget(call=QUICK)
        yield Annotators(model, model, QUICK, budget, World(pause=lambda seconds: None)), server


def annotate(snapshot: Snapshot, *answers: Answer, judged: bool = False, message: str = "4") -> str:
    """What comes of a job for the answer by a model that answers so."""
    job = request_annotation(snapshot, message, wants_verdicts=judged, now=NOW)
    assert job is not None
    with models(*answers) as (annotators, _):
        return annotate_answer(job, annotators, renderer=InProcessRenderer(), clock=lambda: NOW)


def shown(snapshot: Snapshot, message: str = "4") -> str:
    return snapshot.rendered.get(message_id=message).html


def test_superscripts_come_to_stand_behind_their_claims(snapshot: Snapshot) -> None:
    before = shown(snapshot)
    assert annotate(snapshot, annotating) == "complete"
    assert "cite-ref" not in before
    artifact = artifact_of(newest_artifacts(snapshot)["4"], ANSWER)
    assert [(annotation.span, annotation.blocks) for annotation in artifact.annotations] == [
        ("span_0001", ("source_1_1",)),
        ("span_0002", ("source_2_1",)),
    ]
    assert shown(snapshot) != before
    assert snapshot.rendered.get(message_id="4").located == ["source_1_1", "source_2_1"]
    assert not open_jobs(snapshot)


def test_the_answer_and_the_digest_stay_what_they_were(snapshot: Snapshot) -> None:
    records = list(FrozenRecord.objects.values_list("line", flat=True))
    annotate(snapshot, both, judged=True)
    assert list(FrozenRecord.objects.values_list("line", flat=True)) == records
    assert is_intact(snapshot)


def test_verdicts_name_their_checker(snapshot: Snapshot) -> None:
    assert annotate(snapshot, both, judged=True) == "complete"
    artifact = artifact_of(newest_artifacts(snapshot)["4"], ANSWER)
    assert [verdict.value.value for verdict in artifact.verdicts] == ["supported", "supported"]
    assert artifact.judge is not None
    assert (artifact.judge.provider, artifact.judge.model) == ("127.0.0.1", "tested")


def test_the_trace_keeps_prompt_output_counts_and_hash(snapshot: Snapshot) -> None:
    annotate(snapshot, both, judged=True)
    judge, annotator = AnnotationTrace.objects.all()
    assert (annotator.purpose, annotator.span_count, annotator.block_count) == ("annotate", 3, 2)
    assert (annotator.input_tokens, annotator.output_tokens) == (100, 20)
    assert (judge.purpose, judge.prompt_version, len(judge.calls)) == ("judge", "judge-v1", 2)
    (call,) = annotator.calls
    assert [role for role, _ in call["sayings"]] == ["system", "user"]
    assert json.loads(call["sayings"][1][1])["answer"] == ANSWER
    assert "span_0001" in call["output"]
    record = json.loads(newest_artifacts(snapshot)["4"])
    assert record["trace"]["prompt_sha256"] == annotator.prompt_sha256


FAULTS = [
    (Behaviour("not JSON"), "annotation_schema_invalid"),
    (Behaviour('{"annotations": [{"span_id": "span_0009", "block_ids": ["source_1_1"]}]}'), "annotation_foreign_span"),
    (Behaviour('{"annotations": [{"span_id": "span_0001", "block_ids": ["b"]}]}'), "annotation_foreign_block"),
    (Behaviour('{"annotations": [{"span_id": "span_0001", "block_ids": ["source_1_1", "source_1_1"]}]}'),
     "annotation_duplicate"),
    (Behaviour("{", finish_reason="length"), "annotation_budget"),
    (Behaviour("{}", delay=3.0), "annotation_timeout"),
    (Behaviour(status=500), "provider_error"),
    (Behaviour(status=429), "provider_rate_limited"),
]  # fmt: skip


@pytest.mark.parametrize(("answer", "code"), FAULTS, ids=[code for _, code in FAULTS])
def test_each_fault_is_pending_with_its_code_and_the_text_intact(
    snapshot: Snapshot, answer: Behaviour, code: str
) -> None:
    before = shown(snapshot)
    assert annotate(snapshot, answer, judged=True) == code
    record = json.loads(newest_artifacts(snapshot)["4"])
    assert (record["status"], record["error_code"]) == ("pending", code)
    assert shown(snapshot) == before
    assert AnnotationTrace.objects.get().error_code == code


@pytest.mark.parametrize(
    ("records", "code"),
    [(turn("An answer.", results=[]), "no_evidence"), (turn("A broken", status="failed"), "answer_truncated"),
     (turn("A broken", status="cancelled"), "answer_truncated")],
)  # fmt: skip
def test_without_evidence_or_end_there_is_no_call(freeze: FreezeRecords, records: Records, code: str) -> None:
    snapshot = freeze(records).snapshot
    job = request_annotation(snapshot, "4", wants_verdicts=True, now=NOW)
    assert job is not None
    with models(annotating) as (annotators, server):
        assert annotate_answer(job, annotators, renderer=InProcessRenderer(), clock=lambda: NOW) == code
        assert server.asked == []


def test_a_failure_does_not_take_the_citations_by_marker_away(freeze: FreezeRecords) -> None:
    snapshot = freeze(turn("It is so[^1^].", results=RESULTS)).snapshot
    before = shown(snapshot)
    annotate(snapshot, Behaviour("not JSON"))
    assert shown(snapshot) == before


def test_an_answer_is_annotated_with_what_its_own_turn_retrieved(freeze: FreezeRecords) -> None:
    other = [{"title": "Other", "url": "https://other.example/", "content": "Something else."}]
    snapshot = freeze([*turn("First.", results=other), *turn(ANSWER, first=5, results=RESULTS)]).snapshot
    with serve_model(annotating) as server:
        job = request_annotation(snapshot, "8", wants_verdicts=False, now=NOW)
        assert job is not None
        annotators = Annotators(model_of(server), model_of(server))
        annotate_answer(job, annotators, renderer=InProcessRenderer(), clock=lambda: NOW)
        found = given(server.asked[0])
    assert found["question"] == "Question 5?"
    assert [block["text"] for block in found["evidence_blocks"]] == [result["content"] for result in RESULTS]
    row = snapshot.rendered.get(message_id="8")
    assert (row.turn, row.position, row.part) == (2, 7, "answer")


def test_evidence_that_the_export_brings_is_what_is_annotated(freeze: FreezeRecords) -> None:
    brought = {
        "kind": "citation_artifact", "message": 4, "version": 1, "status": "pending", "error_code": "provider_error",
        "evidence_blocks": [{"block_id": "own", "doc_id": "d", "title": "T", "text": "rule applies before noon"}],
    }  # fmt: skip
    snapshot = freeze([*SESSION, brought]).snapshot
    assert annotate(snapshot, annotating) == "complete"
    assert [b.id for b in artifact_of(newest_artifacts(snapshot)["4"], ANSWER).blocks] == ["own"]


def test_a_newer_artifact_does_not_erase_the_older(snapshot: Snapshot) -> None:
    annotate(snapshot, Behaviour("not JSON"))
    annotate(snapshot, annotating)
    assert [json.loads(line)["status"] for line in FrozenArtifact.objects.values_list("line", flat=True)] == [
        "pending",
        "complete",
    ]


def test_citations_that_are_there_are_judged_without_being_made_again(snapshot: Snapshot) -> None:
    annotate(snapshot, annotating)
    made = artifact_of(newest_artifacts(snapshot)["4"], ANSWER)
    assert annotate(snapshot, judging, judged=True) == "complete"
    judged = artifact_of(newest_artifacts(snapshot)["4"], ANSWER)
    assert replace(judged, verdicts=(), judge=None) == made
    assert len(judged.verdicts) == 2
    assert json.loads(newest_artifacts(snapshot)["4"])["trace"]["calls"] == 1


def test_an_answer_has_at_most_one_open_job(snapshot: Snapshot) -> None:
    assert request_annotation(snapshot, "4", wants_verdicts=False, now=NOW) is not None
    assert request_annotation(snapshot, "4", wants_verdicts=True, now=NOW) is None
    assert open_jobs(snapshot) == {"4"}


DOWN = Behaviour(status=401)


def test_citations_that_are_complete_stay_when_making_them_anew_fails(snapshot: Snapshot) -> None:
    annotate(snapshot, both, judged=True)
    before = (newest_artifacts(snapshot), shown(snapshot))
    job = request_annotation(snapshot, "4", wants_verdicts=True, starts_anew=True, now=NOW)
    assert job is not None
    with models(DOWN) as (annotators, _):
        assert annotate_answer(job, annotators, renderer=InProcessRenderer(), clock=lambda: NOW) == "provider_error"
    assert (newest_artifacts(snapshot), shown(snapshot)) == before
    assert AnnotationTrace.objects.first().error_code == "provider_error"  # type: ignore[union-attr] # there are three
    assert not open_jobs(snapshot)


def test_verdicts_stay_when_judging_again_fails(snapshot: Snapshot) -> None:
    annotate(snapshot, both, judged=True)
    before = newest_artifacts(snapshot)
    annotate(snapshot, DOWN, judged=True)
    assert newest_artifacts(snapshot) == before


def test_making_citations_anew_asks_the_annotator_again(snapshot: Snapshot) -> None:
    annotate(snapshot, both, judged=True)
    job = request_annotation(snapshot, "4", wants_verdicts=True, starts_anew=True, now=NOW)
    assert job is not None
    with models(both) as (annotators, server):
        annotate_answer(job, annotators, renderer=InProcessRenderer(), clock=lambda: NOW)
        assert "spans" in given(server.asked[0])


def test_evidence_that_the_export_brings_outlives_a_failure(freeze: FreezeRecords) -> None:
    brought = {
        "kind": "citation_artifact", "message": 4, "version": 1, "status": "pending", "error_code": "provider_error",
        "evidence_blocks": [{"block_id": "own", "doc_id": "d", "title": "T", "text": "rule applies before noon"}],
    }  # fmt: skip
    snapshot = freeze([*SESSION, brought]).snapshot
    annotate(snapshot, DOWN)
    assert annotate(snapshot, annotating) == "complete"
    assert [b.id for b in artifact_of(newest_artifacts(snapshot)["4"], ANSWER).blocks] == ["own"]


def test_what_a_database_cannot_hold_is_kept_as_far_as_it_can(snapshot: Snapshot) -> None:
    foreign = Behaviour(json.dumps({"annotations": [{"span_id": "a\0b", "block_ids": []}]}))
    assert annotate(snapshot, foreign) == "annotation_foreign_span"
    trace = AnnotationTrace.objects.get()
    assert "a\ufffdb" in trace.faults[0]


def test_asking_for_verdicts_reaches_a_job_that_nobody_began(snapshot: Snapshot) -> None:
    job = request_annotation(snapshot, "4", wants_verdicts=False, now=NOW)
    assert job is not None
    request_annotation(snapshot, "4", wants_verdicts=True, now=NOW)
    job.refresh_from_db()
    assert job.wants_verdicts


def test_giving_up_leaves_complete_citations_as_they_are(snapshot: Snapshot) -> None:
    annotate(snapshot, both, judged=True)
    before = (newest_artifacts(snapshot), shown(snapshot))
    job = request_annotation(snapshot, "4", wants_verdicts=True, starts_anew=True, now=NOW)
    assert job is not None
    assert give_up(job, renderer=InProcessRenderer(), now=NOW) == "annotation_timeout"
    assert (newest_artifacts(snapshot), shown(snapshot)) == before
    assert not open_jobs(snapshot)


def test_citations_attached_while_a_model_fails_stay(snapshot: Snapshot) -> None:
    job = request_annotation(snapshot, "4", wants_verdicts=False, now=NOW)
    assert job is not None
    record = artifact_record(Artifact("4", ArtifactStatus.COMPLETE))

    def attach_and_fail(seconds: float) -> None:
        prepared = prepare_artifact(snapshot, record, line=0, renderer=InProcessRenderer())
        store_artifacts(snapshot, [prepared])

    with serve_model(Behaviour(status=500)) as server:
        model = model_of(server)
        annotators = Annotators(model, model, QUICK, world=World(pause=attach_and_fail))
        assert annotate_answer(job, annotators, renderer=InProcessRenderer(), clock=lambda: NOW) == "provider_error"
    assert json.loads(newest_artifacts(snapshot)["4"])["status"] == "complete"
