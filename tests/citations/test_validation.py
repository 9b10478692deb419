"""An artifact that breaks its contract with the answer is refused, with every fault by name."""

from dataclasses import replace

import pytest

from shareview.chat.artifacts import (
    Annotation,
    Artifact,
    ArtifactStatus,
    EvidenceBlock,
    Span,
    SpanKind,
    Verdict,
    VerdictValue,
)
from shareview.citations.validation import ArtifactBudget, checked_artifact, validate_artifact

ANSWER = "One claim. 😀 Another."
SPANS = (Span("s1", SpanKind.SENTENCE, 0, 10, "One claim."), Span("s2", SpanKind.SENTENCE, 13, 21, "Another."))
BLOCKS = tuple(EvidenceBlock(id, "doc", "T", "", "", "1", "text") for id in ("b1", "b2"))
SOUND = Artifact(
    message="2",
    status=ArtifactStatus.COMPLETE,
    spans=SPANS,
    blocks=BLOCKS,
    annotations=(Annotation("a1", "s1", ("b1",)), Annotation("a2", "s2", ("b1", "b2"))),
    verdicts=(Verdict("a1", "b1", VerdictValue.SUPPORTED, ""), Verdict("a2", None, VerdictValue.UNKNOWN, "")),
)


def test_a_sound_artifact_has_no_faults() -> None:
    assert validate_artifact(SOUND, ANSWER) == ()
    assert checked_artifact(SOUND, ANSWER) is SOUND


ONCE = "expected an id that stands once"
STANDING = "expected the words of the answer at start_index to end_index"


def spans(*found: Span) -> Artifact:
    return replace(SOUND, spans=found)


def annotations(*found: Annotation) -> Artifact:
    return replace(SOUND, annotations=found)


def verdicts(*found: Verdict) -> Artifact:
    return replace(SOUND, verdicts=found)


FIRST, SECOND = SOUND.annotations


@pytest.mark.parametrize(
    ("artifact", "fault"),
    [
        (spans(replace(SPANS[0], end=9), SPANS[1]), f'spans[0].text: found "One claim.", {STANDING}'),
        (spans(SPANS[0], replace(SPANS[1], start=14)), f'spans[1].text: found "Another.", {STANDING}'),
        (spans(SPANS[0], replace(SPANS[1], id="s1")), f'spans[1].span_id: found "s1" again, {ONCE}'),
        (
            replace(SOUND, blocks=(BLOCKS[0], BLOCKS[0])),
            f'evidence_blocks[1].block_id: found "b1" again, {ONCE}',
        ),
        (
            annotations(replace(FIRST, span="s9"), SECOND),
            'annotations[0].span_id: found "s9", expected a span of this artifact',
        ),
        (
            annotations(FIRST, SECOND, Annotation("a3", "s1", ("b2",))),
            f'annotations[2].span_id: found "s1" again, {ONCE}',
        ),
        (
            annotations(FIRST, replace(SECOND, id="a1")),
            f'annotations[1].annotation_id: found "a1" again, {ONCE}',
        ),
        (
            annotations(replace(FIRST, blocks=("b1", "b1")), SECOND),
            f'annotations[0].block_ids[1]: found "b1" again, {ONCE}',
        ),
        (
            annotations(replace(FIRST, blocks=("b1", "b9")), SECOND),
            'annotations[0].block_ids[1]: found "b9", expected a block of the evidence list',
        ),
        (
            annotations(replace(FIRST, blocks=()), SECOND),
            "annotations[0].block_ids: found none, expected at least one block id",
        ),
        (
            verdicts(Verdict("a9", "b1", VerdictValue.SUPPORTED, "")),
            'verdicts[0].annotation_id: found "a9", expected an annotation of this artifact',
        ),
        (
            verdicts(Verdict("a1", "b2", VerdictValue.SUPPORTED, "")),
            'verdicts[0].block_id: found "b2", expected a block of that annotation',
        ),
        (
            verdicts(*SOUND.verdicts[:1] * 2),
            "verdicts[1]: found a second one, expected one verdict on each block of an annotation",
        ),
    ],
)
def test_a_fault_is_named_with_line_and_field_and_the_artifact_is_pending(artifact: Artifact, fault: str) -> None:
    assert fault in [found.removeprefix("line 7, ") for found in validate_artifact(artifact, ANSWER, line=7)]
    checked = checked_artifact(artifact, ANSWER)
    assert (checked.status, checked.error_code) == (ArtifactStatus.PENDING, "artifact_invalid")


def test_all_faults_are_told_not_the_first_alone() -> None:
    broken = replace(
        SOUND,
        spans=(replace(SPANS[0], end=9), replace(SPANS[1], id="s1")),
        annotations=(Annotation("a1", "s9", ("b9", "b9")),),
        verdicts=(Verdict("a9", None, VerdictValue.UNKNOWN, ""),),
    )
    fields = [fault.split(": ")[0] for fault in validate_artifact(broken, ANSWER)]
    assert sorted(fields) == sorted([
        "the file, spans[0].text", "the file, spans[1].span_id", "the file, annotations[0].span_id",
        "the file, annotations[0].block_ids[1]", "the file, annotations[0].block_ids[0]",
        "the file, annotations[0].block_ids[1]", "the file, verdicts[0].annotation_id",
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("budget", "field"),
    [
        (ArtifactBudget(spans=1), "spans"),
        (ArtifactBudget(blocks=1), "evidence_blocks"),
        (ArtifactBudget(annotations=1), "annotations"),
        (ArtifactBudget(verdicts=1), "verdicts"),
        (ArtifactBudget(blocks_of_a_claim=1), "annotations[1].block_ids"),
        (ArtifactBudget(evidence_length=7), "evidence_blocks"),
    ],
)
def test_what_is_over_budget_is_refused(budget: ArtifactBudget, field: str) -> None:
    (fault,) = validate_artifact(SOUND, ANSWER, line=3, budget=budget)
    assert fault.startswith(f"line 3, {field}: found ")
    assert "expected at most" in fault
