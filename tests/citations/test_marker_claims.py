"""Citations by marker are claims with sources, and nobody judged them."""

from shareview.citations.checking import Citation
from shareview.citations.claim_citations import Support, Trust, summarise_claims
from shareview.citations.marker_claims import marker_claims

CITATIONS = (
    Citation(n=1, url="https://one.example/", title="One", texts=("Sales rose by 4 percent. The sky is blue.",)),
    Citation(n=3, url="https://three.example/", title="Three", texts=("The rule says apply before noon.",)),
)


def test_a_marker_closes_the_claim_that_it_stands_behind() -> None:
    claims = marker_claims(
        "Sales rose[^1^]. Then nothing.\n\n- The rule “apply before noon”. [^3^][^1^]\n- x[^9^]", CITATIONS
    )
    assert [(claim.span.text, [(b.k, b.block.id, b.trust) for b in claim.cited]) for claim in claims] == [
        ("Sales rose[^1^].", [(1, "source_1", Trust.HINT)]),
        ("Then nothing.", []),
        ("The rule “apply before noon”. [^3^][^1^]", [(2, "source_3", Trust.LOCATED), (1, "source_1", Trust.HINT)]),
        ("x[^9^]", []),
    ]
    assert claims[0].cited[0].block.text == "Sales rose by 4 percent."


def test_a_source_stands_once_at_a_claim() -> None:
    (claim,) = marker_claims("Sales[^1^] rose[^1^][^3^].", CITATIONS)
    assert [block.k for block in claim.cited] == [1, 2]


def test_what_nobody_judged_is_pending() -> None:
    claims = marker_claims("Sales rose[^1^]. More[^3^].", CITATIONS)
    assert {claim.support for claim in claims} == {Support.PENDING}
    summary = summarise_claims(claims)
    assert (summary.cited, summary.supported, summary.pending) == (2, 0, 2)
