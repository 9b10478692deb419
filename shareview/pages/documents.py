"""A document behind claims: its blocks as retrieval returned them, and the claims that cite each."""

from collections.abc import Sequence
from dataclasses import dataclass

from shareview.chat.artifacts import EvidenceBlock
from shareview.citations.web_addresses import is_showable
from shareview.pages.addresses import PageAddresses
from shareview.pages.claims import AnswerClaims, ClaimLine, claim_text, document_of, evidence_title, verdict_view
from shareview.pages.identifiers import card_id, evidence_id, fragment
from shareview.pages.states import PageState
from shareview.rendering.characters import shown_characters
from shareview.rendering.marks import marked_text


@dataclass(frozen=True)
class DocumentBlock:
    """A block of a document, and the claims that cite it."""

    html_id: str
    where: str
    html: str
    is_cited: bool
    claims: tuple[ClaimLine, ...]


@dataclass(frozen=True)
class DocumentView:
    """A document as far as retrieval returned it."""

    title: str
    version: str
    address: str
    blocks: tuple[DocumentBlock, ...]


def document_view(
    answers: Sequence[AnswerClaims], document: str, state: PageState, addresses: PageAddresses
) -> DocumentView | None:
    """The blocks of ``document`` in the order in which the answers' evidence lists have them; None without any."""
    found = [
        (answer, block) for answer in answers for block in answer.artifact.blocks if document_of(block) == document
    ]
    if not found:
        return None
    first = found[0][1]
    return DocumentView(
        title=evidence_title(first),
        version=shown_characters(first.version),
        address=first.url if is_showable(first.url) else "",
        blocks=tuple(_document_block(answer, block, state, addresses) for answer, block in found),
    )


def _document_block(
    answer: AnswerClaims, block: EvidenceBlock, state: PageState, addresses: PageAddresses
) -> DocumentBlock:
    using = [claim for claim in answer.claims if any(cited.block.id == block.id for cited in claim.cited)]
    shared = sorted(
        {pair for claim in using for cited in claim.cited if cited.block.id == block.id for pair in cited.shared}
    )
    return DocumentBlock(
        html_id=evidence_id(answer.message, block.id),
        where=shown_characters(block.section),
        html=marked_text(block.text, shared),
        is_cited=bool(using),
        claims=tuple(
            ClaimLine(
                html_id="",
                text=claim_text(claim),
                href=addresses.page(state.claiming(answer.message, claim.span.id)) + fragment(card_id(answer.message)),
                verdict=verdict_view(next(cited.support for cited in claim.cited if cited.block.id == block.id)),
                evidence=(),
            )
            for claim in using
        ),
    )
