"""What is written reads as what it was."""

import json

from hypothesis import given
from hypothesis import strategies as st

from shareview.chat.artifacts import (
    Annotation,
    Artifact,
    ArtifactStatus,
    EvidenceBlock,
    Judge,
    JudgedContext,
    Span,
    SpanKind,
    Trace,
    Verdict,
    VerdictValue,
)
from shareview.exports.artifact_records import normalise_artifact, read_artifact
from shareview.exports.artifact_writer import artifact_record, trace_record
from shareview.exports.limits import DEFAULT_LIMITS

WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
IDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)
ARTIFACTS = st.builds(
    Artifact,
    message=IDS,
    status=st.sampled_from(ArtifactStatus),
    error_code=WORDS,
    limitation=WORDS,
    spans=st.lists(
        st.builds(Span, IDS, st.sampled_from(SpanKind), st.integers(0, 99), st.integers(0, 99), WORDS), max_size=3
    ).map(tuple),
    blocks=st.lists(st.builds(EvidenceBlock, IDS, WORDS, WORDS, WORDS, WORDS, WORDS, WORDS), max_size=3).map(tuple),
    annotations=st.lists(st.builds(Annotation, IDS, IDS, st.lists(IDS, max_size=2).map(tuple)), max_size=3).map(tuple),
    verdicts=st.lists(
        st.builds(Verdict, IDS, st.none() | IDS, st.sampled_from(VerdictValue), WORDS, WORDS), max_size=3
    ).map(tuple),
    judge=st.none()
    | st.builds(
        Judge, WORDS, WORDS, WORDS, WORDS,
        st.lists(st.builds(JudgedContext, IDS, WORDS, st.lists(IDS, max_size=2).map(tuple)), max_size=2).map(tuple),
    ),
)  # fmt: skip


@given(ARTIFACTS)
def test_a_written_artifact_reads_as_itself(artifact: Artifact) -> None:
    record = json.loads(json.dumps(artifact_record(artifact)))
    assert read_artifact(normalise_artifact(record, 0, DEFAULT_LIMITS)) == artifact


def test_the_trace_stands_in_the_record_under_the_names_of_the_contract() -> None:
    record = artifact_record(
        Artifact("4", ArtifactStatus.COMPLETE), trace_record(Trace("p", "m", "annotator-v1", "0" * 64, 1, 100, 20, 7))
    )
    assert record["trace"] == {
        "provider": "p", "model": "m", "prompt_version": "annotator-v1", "prompt_sha256": "0" * 64, "calls": 1,
        "input_tokens": 100, "output_tokens": 20, "latency_ms": 7,
    }  # fmt: skip


def test_contexts_of_another_form_are_passed_over() -> None:
    record = {
        "kind": "citation_artifact", "message": "4", "version": 1, "status": "complete",
        "judge": {"provider": "p", "model": "m", "contexts": 29},
    }  # fmt: skip
    read = read_artifact(normalise_artifact(record, 1, DEFAULT_LIMITS))  # type: ignore[arg-type] # JSON, more narrowly typed
    assert (read.faults, read.judge) == ((), Judge("p", "m", "", ""))
