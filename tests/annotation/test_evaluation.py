"""Integrity and support are counted apart, pending in neither; a checker's contexts are held against the claims."""

from dataclasses import replace

import pytest
from annotation_material import EVIDENCE, SPANS

from shareview.annotation.evaluation import (
    AnswerEvaluation,
    CitationKind,
    Integrity,
    SupportCounts,
    align,
    evaluate_artifact,
    evaluate_markers,
    total,
)
from shareview.chat.artifacts import (
    Annotation,
    Artifact,
    ArtifactStatus,
    Judge,
    JudgedContext,
    Verdict,
    VerdictValue,
)
from shareview.citations.claim_citations import claims_of

ONE = JudgedContext("annotation_0001", SPANS[0].text, ("b1",))
TWO = JudgedContext("annotation_0002", SPANS[1].text, ("b2",))
TWO_MORE = JudgedContext("annotation_0002", SPANS[1].text, ("b1",))
TOGETHER = JudgedContext("annotation_0002", SPANS[1].text, ("b2", "b1"))
VERDICTS = (
    Verdict("annotation_0001", "b1", VerdictValue.SUPPORTED, ""),
    Verdict("annotation_0002", "b2", VerdictValue.UNKNOWN, ""),
    Verdict("annotation_0002", "b1", VerdictValue.UNSUPPORTED, ""),
    Verdict("annotation_0002", None, VerdictValue.SUPPORTED, ""),
)
ARTIFACT = Artifact(
    "4", ArtifactStatus.COMPLETE, spans=SPANS, blocks=EVIDENCE,
    annotations=(
        Annotation("annotation_0001", "span_0001", ("b1",)), Annotation("annotation_0002", "span_0002", ("b2", "b1")),
    ),
    verdicts=VERDICTS, judge=Judge("p", "m", "judge-v1", "0" * 64, (ONE, TWO, TWO_MORE, TOGETHER)),
)  # fmt: skip


def with_contexts(*contexts: JudgedContext) -> Artifact:
    assert ARTIFACT.judge is not None
    return replace(ARTIFACT, judge=replace(ARTIFACT.judge, contexts=contexts))


def counts(artifact: Artifact) -> tuple[int, int, int, int]:
    """Missing, extra, different, occurrences missing."""
    found = align(artifact)
    assert found is not None
    return found.missing, found.extra, found.different, found.occurrences_missing


def test_a_checker_that_was_given_the_very_claims_is_aligned() -> None:
    found = align(ARTIFACT)
    assert found is not None
    assert (found.contexts, found.occurrences, found.is_exact) == (4, 3, True)


@pytest.mark.parametrize(
    ("contexts", "expected"),
    [
        ((TWO, TWO_MORE, TOGETHER), (1, 0, 0, 1)),
        ((ONE, TWO, TOGETHER), (0, 0, 0, 1)),
        ((ONE, TWO, TWO_MORE, replace(ONE, id="annotation_0009")), (0, 1, 0, 0)),
        ((ONE, TWO, TWO_MORE, replace(ONE, blocks=("b2",))), (0, 1, 0, 0)),
        ((ONE, ONE, TWO, TWO_MORE), (0, 1, 0, 0)),
        ((replace(ONE, text=SPANS[0].text + " " + SPANS[1].text), TWO, TWO_MORE), (0, 0, 1, 0)),
        ((replace(ONE, text=SPANS[0].text[:-1]), TWO, TWO_MORE), (0, 0, 1, 0)),
    ],
)
def test_a_missing_an_extra_and_a_changed_context_are_counted(
    contexts: tuple[JudgedContext, ...], expected: tuple[int, int, int, int]
) -> None:
    assert counts(with_contexts(*contexts)) == expected


def test_an_occurrence_without_a_verdict_is_missing() -> None:
    assert counts(replace(ARTIFACT, verdicts=VERDICTS[1:])) == (0, 0, 0, 1)


@pytest.mark.parametrize("judge", [None, Judge("p", "m", "r", "0")])
def test_without_kept_contexts_nothing_is_said_of_alignment(judge: Judge | None) -> None:
    assert align(replace(ARTIFACT, judge=judge)) is None


def test_integrity_and_support_are_counted_apart() -> None:
    found = evaluate_artifact(ARTIFACT, claims_of(ARTIFACT))
    assert (found.claims, found.cited) == (2, 2)
    assert found.integrity == Integrity(pointers=3, intact=3)
    # The second claim's verdict is that on its blocks together.
    assert found.support == SupportCounts(supported=2)
    assert found.documents == {("doc", "Title"): SupportCounts(supported=1, unsupported=1, unknown=1)}


@pytest.mark.parametrize(
    ("status", "code", "shown"),
    [(ArtifactStatus.PENDING, "provider_error", "provider_error"), (ArtifactStatus.RUNNING, "", "running"),
     (ArtifactStatus.PENDING, "", "pending")],
)  # fmt: skip
def test_pending_counts_in_nothing_else(status: ArtifactStatus, code: str, shown: str) -> None:
    pending = evaluate_artifact(Artifact("5", status, code), ())
    assert pending == AnswerEvaluation("5", CitationKind.CLAIMS, shown)
    together = total([evaluate_artifact(ARTIFACT, claims_of(ARTIFACT)), pending])
    assert (together.answers, together.evaluated, together.pending) == (2, 1, {shown: 1})
    assert together.support.rate == 1.0
    assert together.integrity.rate == 1.0


def test_what_nobody_judged_is_in_no_rate() -> None:
    unjudged = replace(ARTIFACT, verdicts=VERDICTS[:1], judge=None)
    found = evaluate_artifact(unjudged, claims_of(unjudged))
    assert found.support == SupportCounts(supported=1, unjudged=1)
    assert found.support.rate == 1.0
    nothing = replace(ARTIFACT, verdicts=(), judge=None)
    assert evaluate_artifact(nothing, claims_of(nothing)).support.rate is None


def test_a_dropped_marker_is_a_broken_pointer() -> None:
    claims = claims_of(replace(ARTIFACT, verdicts=(), judge=None))
    found = evaluate_markers("4", claims, dropped=2)
    assert (found.kind, found.integrity) == (CitationKind.MARKERS, Integrity(pointers=5, intact=3))
    assert evaluate_markers("4", (), dropped=0).kind is CitationKind.NONE


def test_the_total_of_nothing_has_no_rates() -> None:
    nothing = total([])
    assert (nothing.answers, nothing.integrity.rate, nothing.support.rate, nothing.alignment) == (0, None, None, None)
