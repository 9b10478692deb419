"""Artifacts: every fault is told and none loses the session (session-export, "kind: citation_artifact")."""

import json

import pytest
from export_records import Record, answer, artifact, export_of, fault_of, messages_kept, notices_of, question

from shareview.chat.artifacts import (
    Annotation,
    Artifact,
    ArtifactStatus,
    EvidenceBlock,
    Judge,
    Span,
    SpanKind,
    Verdict,
    VerdictValue,
)

SPAN: Record = {"span_id": "s1", "kind": "sentence", "start_index": 0, "end_index": 8, "text": "Because."}
BLOCK: Record = {
    "block_id": "b1",
    "doc_id": 7,
    "title": "Paper",
    "section": "2",
    "url": "https://a.example/",
    "version": "v3",
    "text": "It is because.",
}
ANNOTATION: Record = {"annotation_id": "a1", "span_id": "s1", "block_ids": ["b1"]}
VERDICT: Record = {"annotation_id": "a1", "block_id": "b1", "verdict": "supported", "reason": "says so"}
JUDGE: Record = {"provider": "p", "model": "m", "rubric_version": "r1", "prompt_sha256": "00"}
COMPLETE: Record = {
    "spans": [SPAN],
    "evidence_blocks": [BLOCK],
    "annotations": [ANNOTATION],
    "verdicts": [VERDICT, {"annotation_id": "a1", "block_id": None, "verdict": "unknown"}],
    "judge": JUDGE,
}


def read(**fields: object) -> Artifact:
    with export_of(question(), answer(), artifact(**fields)) as export:
        (spooled,) = export.artifacts
        return spooled.artifact


def faults_of(**fields: object) -> tuple[str, ...]:
    found = read(**fields)
    if found.faults:
        assert (found.status, found.error_code) == (ArtifactStatus.PENDING, "artifact_invalid")
        assert (found.spans, found.blocks, found.annotations, found.verdicts) == ((), (), (), ())
    return found.faults


def places_of(**fields: object) -> list[str]:
    """Where faults lie; each stands on line 3."""
    faults = faults_of(**fields)
    assert all(fault.startswith("line 3, ") for fault in faults)
    return [fault.removeprefix("line 3, ").split(":")[0] for fault in faults]


def test_a_sound_artifact_is_read_whole() -> None:
    assert read(**COMPLETE) == Artifact(
        message="2",
        status=ArtifactStatus.COMPLETE,
        spans=(Span("s1", SpanKind.SENTENCE, 0, 8, "Because."),),
        blocks=(EvidenceBlock("b1", "7", "Paper", "2", "https://a.example/", "v3", "It is because."),),
        annotations=(Annotation("a1", "s1", ("b1",)),),
        verdicts=(
            Verdict("a1", "b1", VerdictValue.SUPPORTED, "says so"),
            Verdict("a1", None, VerdictValue.UNKNOWN, ""),
        ),
        judge=Judge("p", "m", "r1", "00"),
    )


def camel_case(value: object) -> object:
    if isinstance(value, list):
        return [camel_case(item) for item in value]
    if not isinstance(value, dict):
        return value
    camel = {"span_id": "spanId", "start_index": "startIndex", "end_index": "endIndex", "block_id": "blockId"}
    camel |= {
        "doc_id": "docId",
        "annotation_id": "annotationId",
        "block_ids": "blockIds",
        "evidence_blocks": "evidenceBlocks",
    }
    camel |= {"rubric_version": "rubricVersion", "prompt_sha256": "promptSha256"}
    return {camel.get(key, key): camel_case(item) for key, item in value.items()}


def test_an_artifact_in_camel_case_is_the_same() -> None:
    in_camel_case = camel_case(COMPLETE)
    assert isinstance(in_camel_case, dict)
    assert "evidenceBlocks" in in_camel_case
    assert read(**in_camel_case) == read(**COMPLETE)


def test_code_points_are_counted_not_bytes() -> None:
    span = {**SPAN, "start_index": 1, "end_index": 3, "text": "缓存"}
    with export_of(question(), answer(content="😀缓存。"), artifact(spans=[span])) as export:
        assert export.artifacts[0].artifact.spans == (Span("s1", SpanKind.SENTENCE, 1, 3, "缓存"),)
        assert export.artifacts[0].artifact.faults == ()


@pytest.mark.parametrize("status", ["complete", "running", "pending"])
def test_every_status_is_read(status: str) -> None:
    assert read(status=status).status.value == status


@pytest.mark.parametrize("kind", ["sentence", "list_item", "table_row"])
def test_every_kind_of_span_is_read(kind: str) -> None:
    assert read(spans=[{**SPAN, "kind": kind}]).spans[0].kind.value == kind


@pytest.mark.parametrize("verdict", ["supported", "unsupported", "unknown"])
def test_every_verdict_is_read(verdict: str) -> None:
    assert read(**{**COMPLETE, "verdicts": [{**VERDICT, "verdict": verdict}]}).verdicts[0].value.value == verdict


def test_an_artifact_may_say_why_it_is_pending() -> None:
    found = read(status="pending", error_code="annotation_schema_invalid", limitation="output budget reached")
    assert (found.error_code, found.limitation, found.faults) == (
        "annotation_schema_invalid",
        "output budget reached",
        (),
    )


def test_verdicts_and_judge_may_be_absent() -> None:
    found = read(spans=[SPAN], evidence_blocks=[BLOCK], annotations=[ANNOTATION], verdicts=[], judge=None)
    assert (found.verdicts, found.judge, found.faults) == ((), None, ())


AN_ID = "expected a number or a text that is not empty"
WHOLE = "expected a whole number from 0"
KINDS = "expected one of sentence, list_item, table_row"
VERDICTS = "expected one of supported, unsupported, unknown"


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"version": 2}, "version: found 2, expected 1"),
        ({"version": None}, "version: found nothing, expected 1"),
        ({"version": True}, "version: found true, expected 1"),
        ({"status": "done"}, 'status: found "done", expected one of complete, running, pending'),
        ({"error_code": 5}, "error_code: found 5, expected text"),
        ({"limitation": []}, "limitation: found a list, expected text"),
        ({"spans": "none"}, 'spans: found "none", expected a list'),
        ({"spans": ["s1"]}, 'spans[0]: found "s1", expected an object'),
        ({"evidence_blocks": {}}, "evidence_blocks: found an object, expected a list"),
        ({"judge": "somebody"}, 'judge: found "somebody", expected an object'),
        ({"judge": {"model": 4}}, "judge.model: found 4, expected text"),
    ],
)
def test_a_fault_is_told_with_line_and_field_and_the_artifact_is_pending(fields: Record, fault: str) -> None:
    assert faults_of(**fields) == (f"line 3, {fault}",)


@pytest.mark.parametrize(
    ("name", "part", "fault"),
    [
        ("spans", {**SPAN, "kind": "verse"}, f'kind: found "verse", {KINDS}'),
        ("spans", {**SPAN, "kind": None}, f"kind: found nothing, {KINDS}"),
        ("spans", {**SPAN, "start_index": -1}, f"start_index: found -1, {WHOLE}"),
        ("spans", {**SPAN, "start_index": None}, f"start_index: found nothing, {WHOLE}"),
        ("spans", {**SPAN, "end_index": 1.5}, f"end_index: found 1.5, {WHOLE}"),
        ("spans", {**SPAN, "end_index": None}, f"end_index: found nothing, {WHOLE}"),
        ("spans", {**SPAN, "text": None}, "text: found nothing, expected text"),
        ("spans", {**SPAN, "span_id": ""}, f'span_id: found "", {AN_ID}'),
        (
            "spans",
            {**SPAN, "spanId": "s1"},
            "span_id: found both snake_case and camelCase, expected one spelling of the field",
        ),
        ("evidence_blocks", {**BLOCK, "text": 1}, "text: found 1, expected text"),
        ("evidence_blocks", {**BLOCK, "block_id": None}, f"block_id: found nothing, {AN_ID}"),
        ("evidence_blocks", {**BLOCK, "url": []}, "url: found a list, expected text"),
        ("annotations", {**ANNOTATION, "block_ids": "b1"}, 'block_ids: found "b1", expected a list of block ids'),
        ("annotations", {**ANNOTATION, "block_ids": [1]}, "block_ids: found a list, expected a list of block ids"),
        ("verdicts", {**VERDICT, "verdict": "maybe"}, f'verdict: found "maybe", {VERDICTS}'),
        ("verdicts", {**VERDICT, "verdict": None}, f"verdict: found nothing, {VERDICTS}"),
        ("verdicts", {**VERDICT, "annotation_id": {}}, f"annotation_id: found an object, {AN_ID}"),
    ],
)
def test_a_fault_in_a_list_is_told_with_its_place(name: str, part: Record, fault: str) -> None:
    sound: Record = {"spans": [SPAN], "evidence_blocks": [BLOCK], "annotations": [ANNOTATION], "verdicts": [VERDICT]}
    assert faults_of(**{**sound, name: [part]}) == (f"line 3, {name}[0].{fault}",)


def test_faults_in_different_places_are_all_collected() -> None:
    places = places_of(
        version=3,
        status="done",
        spans=[{**SPAN, "kind": "verse"}, SPAN, {**SPAN, "text": 1}],
        evidence_blocks=["b1"],
        annotations=[{**ANNOTATION, "block_ids": "b1"}],
        verdicts=[{**VERDICT, "verdict": "maybe"}],
        judge=[],
    )
    assert sorted(places) == [
        "annotations[0].block_ids",
        "evidence_blocks[0]",
        "judge",
        "spans[0].kind",
        "spans[2].text",
        "status",
        "verdicts[0].verdict",
        "version",
    ]


def test_two_faults_of_one_span_are_both_collected() -> None:
    span = {**SPAN, "kind": "verse", "start_index": -1}
    assert sorted(places_of(spans=[span])) == ["spans[0].kind", "spans[0].start_index"]


def test_two_faults_of_the_judge_are_both_collected() -> None:
    assert sorted(places_of(judge={"provider": 1, "model": 2})) == ["judge.model", "judge.provider"]


def test_a_span_whose_words_do_not_stand_at_its_place_is_a_fault() -> None:
    (place,) = places_of(spans=[{**SPAN, "text": "Because!"}])
    assert place.startswith("spans[0]")


def test_a_span_beyond_the_end_of_its_answer_is_a_fault() -> None:
    (place,) = places_of(spans=[{**SPAN, "end_index": 900}])
    assert place.startswith("spans[0]")


def test_a_field_in_both_spellings_is_collected_as_any_fault_is() -> None:
    assert places_of(error_code="a", errorCode="b") == ["error_code"]


def test_the_publisher_is_told_of_each_fault() -> None:
    kept = "citations of message 2 are kept as pending"
    assert notices_of(question(), answer(), artifact(version=2, status="done")) == [
        f"{kept}: line 3, version: found 2, expected 1",
        f'{kept}: line 3, status: found "done", expected one of complete, running, pending',
    ]


def test_the_raw_artifact_stays_beside_an_invalid_one() -> None:
    with export_of(question(), answer(), artifact(version=2, spans="none", own=1)) as export:
        (spooled,) = export.artifacts
        assert json.loads(spooled.record) == artifact(version=2, spans="none", own=1)
        assert spooled.line == 3


def test_the_limitation_of_an_invalid_artifact_is_kept() -> None:
    assert read(version=2, limitation="output budget reached").limitation == "output budget reached"


def test_an_artifact_may_stand_before_its_message() -> None:
    assert messages_kept(question(), artifact(), answer()) == ["1", "2"]


@pytest.mark.parametrize("lenient", [False, True])
def test_an_artifact_of_an_unknown_message_is_refused(lenient: bool) -> None:
    fault = fault_of(question(), answer(), artifact("9"), lenient=lenient)
    assert (fault.line, fault.field, fault.found) == (3, "message", '"9"')


@pytest.mark.parametrize("message", [None, "", [], 1.5])
def test_an_artifact_that_names_no_message_is_refused(message: object) -> None:
    fault = fault_of(question(), answer(), artifact(message))
    assert (fault.line, fault.field) == (3, "message")


def test_an_artifact_of_a_question_is_kept_as_pending() -> None:
    # Only one whose message is not in the file at all is refused.
    with export_of(question(), answer(), artifact(1)) as export:
        assert export.artifacts[0].artifact.error_code == "artifact_invalid"
