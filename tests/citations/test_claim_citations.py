"""What an artifact comes to: numbers by first citation, trust apart from support, pending never a pass."""

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
from shareview.citations.claim_citations import Support, Trust, cited_blocks, claims_of, summarise_claims

SUPPORTED, UNSUPPORTED, UNKNOWN = VerdictValue.SUPPORTED, VerdictValue.UNSUPPORTED, VerdictValue.UNKNOWN


def artifact(annotations: dict[str, list[str]], verdicts: list[Verdict]) -> Artifact:
    """Three claims in the order s1, s2, s3, delivered in another, and blocks b1 to b4."""
    spans = [Span(f"s{n}", SpanKind.SENTENCE, 10 * n, 10 * n + 9, f"claim {n}") for n in (3, 1, 2)]
    blocks = [EvidenceBlock(f"b{n}", "doc", "T", "", "", "", f"text of claim {n}") for n in (1, 2, 3, 4)]
    pairs = [Annotation(f"a-{span}", span, tuple(ids)) for span, ids in annotations.items()]
    return Artifact("m", ArtifactStatus.COMPLETE, "", "", tuple(spans), tuple(blocks), tuple(pairs), tuple(verdicts))


def test_blocks_are_numbered_by_where_the_answer_first_cites_them() -> None:
    claims = claims_of(artifact({"s3": ["b1", "b4"], "s1": ["b3"], "s2": ["b4", "b3"]}, []))
    assert [(c.span.id, [(b.k, b.block.id) for b in c.cited]) for c in claims] == [
        ("s1", [(1, "b3")]),
        ("s2", [(2, "b4"), (1, "b3")]),
        ("s3", [(3, "b1"), (2, "b4")]),
    ]
    assert [block.block.id for block in cited_blocks(claims)] == ["b3", "b4", "b1"]


@pytest.mark.parametrize(
    ("verdicts", "support"),
    [
        ([], Support.PENDING),
        ([("b1", SUPPORTED)], Support.PENDING),
        ([("b1", SUPPORTED), ("b2", SUPPORTED)], Support.SUPPORTED),
        ([("b1", SUPPORTED), ("b2", UNKNOWN)], Support.UNKNOWN),
        ([("b1", UNSUPPORTED), ("b2", SUPPORTED)], Support.UNSUPPORTED),
        ([("b1", UNSUPPORTED), ("b2", UNKNOWN)], Support.UNSUPPORTED),
        ([("b1", UNKNOWN), ("b2", UNKNOWN), (None, SUPPORTED)], Support.SUPPORTED),
        ([(None, UNSUPPORTED)], Support.UNSUPPORTED),
    ],
)
def test_a_claim_is_judged_by_all_its_evidence(
    verdicts: list[tuple[str | None, VerdictValue]], support: Support
) -> None:
    found = [Verdict("a-s1", block, value, "") for block, value in verdicts]
    claim = claims_of(artifact({"s1": ["b1", "b2"]}, found))[0]
    assert claim.support is support


def test_trust_is_told_apart_from_support() -> None:
    verdicts = [Verdict("a-s1", "b1", UNSUPPORTED, "other"), Verdict("a-s3", None, SUPPORTED, "")]
    claims = claims_of(artifact({"s1": ["b1", "b2"], "s2": ["b3"], "s3": ["b4"]}, verdicts), located=["b2"])
    assert {block.block.id: block.trust for claim in claims for block in claim.cited} == {
        "b1": Trust.CHECKED,
        "b2": Trust.LOCATED,
        "b3": Trust.HINT,
        "b4": Trust.CHECKED,
    }


def test_the_summary_counts_cited_claims_and_leaves_pending_out_of_the_passed() -> None:
    verdicts = [Verdict("a-s1", "b1", SUPPORTED, "")]
    summary = summarise_claims(claims_of(artifact({"s1": ["b1"], "s2": ["b2"]}, verdicts)))
    assert (summary.claims, summary.cited, summary.intact) == (3, 2, 2)
    assert (summary.supported, summary.unsupported, summary.unknown, summary.pending) == (1, 0, 0, 1)


def test_the_words_that_claim_and_evidence_share_are_found() -> None:
    (claim, *_) = claims_of(artifact({"s1": ["b1"]}, []))
    text = claim.cited[0].block.text
    assert [text[start:end] for start, end in claim.cited[0].shared] == ["claim", "1"]
