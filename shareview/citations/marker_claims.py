"""Citations by marker in the model of claims: which words, which source, and what of it was retrieved.

Nobody judged them: their support is pending, and no count of theirs is a pass.
"""

from bisect import bisect_right
from collections.abc import Sequence

from shareview.chat.artifacts import EvidenceBlock
from shareview.citations.checking import Citation
from shareview.citations.claim_citations import CitedBlock, Claim, Support, Trust
from shareview.citations.claims import split_claims
from shareview.citations.markers import MARKER, strip_markers
from shareview.citations.passages import closest_passage, quotes_verbatim


def marker_claims(answer: str, citations: Sequence[Citation]) -> tuple[Claim, ...]:
    """The claims of ``answer``; each cites the sources whose markers close it, once, in the order of the text.

    ``citations`` are those that the answer shows, in display order. The evidence of a source is the retrieved
    passage closest to the claim; it counts as located where the claim quotes words of it, else as a hint.
    Raises DialectError.
    """
    spans = split_claims(answer)
    starts = [span.start for span in spans]
    shown = {citation.n: (k, citation) for k, citation in enumerate(citations, 1)}
    cited: list[dict[int, CitedBlock]] = [{} for _ in spans]
    for marker in MARKER.finditer(answer):
        at = bisect_right(starts, marker.start()) - 1
        if at >= 0 and int(marker[1]) in shown:
            k, citation = shown[int(marker[1])]
            cited[at].setdefault(k, _cited(k, citation, strip_markers(spans[at].text)))
    return tuple(
        Claim(span, tuple(blocks.values()), Support.PENDING, "") for span, blocks in zip(spans, cited, strict=True)
    )


def _cited(k: int, citation: Citation, claim: str) -> CitedBlock:
    passage = closest_passage(claim, citation.texts)
    block = EvidenceBlock(
        id=f"source_{citation.n}",
        document=citation.url,
        title=citation.title,
        section="",
        url=citation.url,
        version="",
        text=passage.text if passage else "",
    )
    trust = Trust.LOCATED if quotes_verbatim(claim, citation.texts) else Trust.HINT
    return CitedBlock(k, block, Support.PENDING, "", trust, passage.shared if passage else ())
