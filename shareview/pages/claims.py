"""Claims of an answer as the page shows them: superscripts, the head that counts, the card of one, the list of all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from shareview.chat.artifacts import Artifact, ArtifactStatus, EvidenceBlock, Judge
from shareview.citations.claim_citations import CitedBlock, Claim, Support, cited_blocks, claims_of, summarise_claims
from shareview.citations.markers import strip_markers
from shareview.citations.web_addresses import is_showable
from shareview.dialect.plain import plain_text
from shareview.pages.addresses import PageAddresses
from shareview.pages.identifiers import card_id, claim_id, evidence_id, fragment
from shareview.pages.notices import NoticeView, judge_words, notices_of
from shareview.pages.states import ClaimPlace, PageState
from shareview.rendering.characters import shown_characters
from shareview.rendering.claims import ClaimLink
from shareview.rendering.marks import marked_text


@dataclass(frozen=True)
class VerdictView:
    """A verdict, in words beside its shape."""

    value: str
    words: str


@dataclass(frozen=True)
class CountView:
    """A number of the summary, with the address of the list of what it counts."""

    text: str
    verdict: str
    href: str


@dataclass(frozen=True)
class EvidenceView:
    """A block that a claim cites; ``html`` has the words that it shares with the claim marked."""

    html_id: str
    k: int
    block: str
    title: str
    where: str
    html: str
    verdict: VerdictView
    reason: str
    trust: str
    trust_words: str
    address: str
    document_href: str


@dataclass(frozen=True)
class CardView:
    """A claim with all its evidence."""

    html_id: str
    heading: str
    text: str
    verdict: VerdictView | None
    reason: str
    evidence: tuple[EvidenceView, ...]
    href: str


@dataclass(frozen=True)
class ClaimsView:
    """The head of an answer with claims: what is counted of citing, what of support, and what is missing."""

    citing: tuple[CountView, ...]
    support: tuple[CountView, ...]
    notices: tuple[NoticeView, ...]
    card: CardView | None


@dataclass(frozen=True)
class AnswerClaims:
    """The claims of one answer, as far as they may be shown. ``claims`` is empty unless its artifact is complete."""

    message: str
    artifact: Artifact
    claims: tuple[Claim, ...]

    @classmethod
    def of(cls, message: str, artifact: Artifact, located: Sequence[str]) -> "AnswerClaims":
        """The claims of ``artifact``, which was checked against the answer."""
        complete = artifact.status is ArtifactStatus.COMPLETE
        return cls(message, artifact, claims_of(artifact, located) if complete else ())

    @property
    def is_complete(self) -> bool:
        """Whether these claims alone give the answer's superscripts."""
        return self.artifact.status is ArtifactStatus.COMPLETE

    @property
    def state(self) -> str:
        """``data-citations`` of the answer (surface, "Markup of a page")."""
        if not self.is_complete:
            return self.artifact.status.value
        return "complete" if any(claim.cited for claim in self.claims) else "none"

    def claim(self, span: str) -> Claim | None:
        """The claim whose span is called ``span``."""
        return next((claim for claim in self.claims if claim.span.id == span), None)


def verdict_words(support: Support) -> str:
    """A verdict in words."""
    return {
        Support.SUPPORTED: _("supported"),
        Support.UNSUPPORTED: _("not supported"),
        Support.UNKNOWN: _("cannot be told"),
        Support.PENDING: _("not checked yet"),
    }[support]


def verdict_view(support: Support) -> VerdictView:
    """A verdict with its words."""
    return VerdictView(support.value, verdict_words(support))


def claim_links(
    answer: AnswerClaims, state: PageState, addresses: PageAddresses
) -> Callable[[str], tuple[ClaimLink, ...]]:
    """What gives the superscripts of a claim by its span."""

    def links(span: str) -> tuple[ClaimLink, ...]:
        claim = answer.claim(span)
        opened = state.claiming(answer.message, span)
        return tuple(
            ClaimLink(
                id=claim_id(answer.message, span, cited.k),
                k=cited.k,
                block=cited.block.id,
                verdict="" if cited.support is Support.PENDING else cited.support.value,
                href=addresses.page(opened) + fragment(card_id(answer.message)),
                fragment_address=addresses.card(answer.message, span, opened),
                label=_("Evidence %(k)s: %(title)s, %(verdict)s")
                % {"k": cited.k, "title": evidence_title(cited.block), "verdict": verdict_words(cited.support)},
                is_current=state.claim == ClaimPlace(answer.message, span),
            )
            for cited in (claim.cited if claim else ())
        )

    return links


def claims_view(answer: AnswerClaims, state: PageState, addresses: PageAddresses) -> ClaimsView:
    """The head of ``answer``, and the card of the claim that the address leads to."""
    place = state.claim
    claim = answer.claim(place.span) if place and place.message == answer.message else None
    return ClaimsView(
        citing=_citing(answer, state, addresses),
        support=_support(answer, state, addresses),
        notices=tuple(notices_of(answer.artifact)),
        card=card_view(answer, claim, state, addresses) if claim else None,
    )


def _citing(answer: AnswerClaims, state: PageState, addresses: PageAddresses) -> tuple[CountView, ...]:
    if not answer.is_complete:
        return ()
    summary = summarise_claims(answer.claims)
    counts = (
        (ngettext("%d claim", "%d claims", summary.claims) % summary.claims, ""),
        (_("%d cited") % summary.cited, "cited"),
        (_("%d with intact pointers") % summary.intact, "intact"),
    )
    return tuple(CountView(text, "", addresses.claims(answer.message, state, only)) for text, only in counts)


def _support(answer: AnswerClaims, state: PageState, addresses: PageAddresses) -> tuple[CountView, ...]:
    if not answer.is_complete:
        return ()
    summary = summarise_claims(answer.claims)
    counts = (
        (Support.SUPPORTED, summary.supported),
        (Support.UNSUPPORTED, summary.unsupported),
        (Support.UNKNOWN, summary.unknown),
        (Support.PENDING, summary.pending),
    )
    return tuple(
        CountView(
            f"{count} {verdict_words(support)}", support.value, addresses.claims(answer.message, state, support.value)
        )
        for support, count in counts
        if count
    )


def card_view(answer: AnswerClaims, claim: Claim, state: PageState, addresses: PageAddresses) -> CardView:
    """The card of ``claim``."""
    together = claim.support is not Support.PENDING and len(claim.cited) > 1
    return CardView(
        html_id=card_id(answer.message),
        heading=ngettext(
            "This claim cites %d piece of evidence", "This claim cites %d pieces of evidence", len(claim.cited)
        )
        % len(claim.cited),
        text=claim_text(claim),
        verdict=verdict_view(claim.support) if together else None,
        reason=shown_characters(claim.reason) or judge_words(claim.code),
        evidence=tuple(_evidence(answer, cited, state, addresses) for cited in claim.cited),
        href=addresses.page(state.claiming(answer.message, claim.span.id)) + fragment(card_id(answer.message)),
    )


def _evidence(answer: AnswerClaims, cited: CitedBlock, state: PageState, addresses: PageAddresses) -> EvidenceView:
    block = cited.block
    version = block.version and _("version %s") % shown_characters(block.version)
    return EvidenceView(
        html_id=evidence_id(answer.message, block.id),
        k=cited.k,
        block=block.id,
        title=evidence_title(block),
        where=" · ".join(filter(None, (shown_characters(block.section), version))),
        html=marked_text(block.text, cited.shared),
        verdict=verdict_view(cited.support),
        reason=shown_characters(cited.reason) or judge_words(cited.code),
        trust=cited.trust.value,
        trust_words=trust_words(cited, answer.artifact.judge),
        address=block.url if is_showable(block.url) else "",
        document_href=addresses.document(document_of(block), state) + fragment(evidence_id(answer.message, block.id)),
    )


def trust_words(cited: CitedBlock, judge: Judge | None) -> str:
    """How far the source was traced, in words."""
    if cited.trust.value == "hint":
        return _("Source hint: named by the chat, nothing in it was traced")
    if cited.trust.value == "located":
        return _("Located evidence: stands word for word in a result of this turn")
    if judge is None or not judge.model:
        return _("Checked support: by an unnamed checker")
    return _("Checked support: by %s") % shown_characters(judge.model)


def evidence_of(answer: AnswerClaims, state: PageState, addresses: PageAddresses) -> tuple[EvidenceView, ...]:
    """Each block that ``answer`` cites once, by display number."""
    return tuple(_evidence(answer, cited, state, addresses) for cited in cited_blocks(answer.claims))


def claim_text(claim: Claim) -> str:
    """The words of a claim as plain text, on one line."""
    return plain_text(strip_markers(shown_characters(claim.span.text)))


def document_of(block: EvidenceBlock) -> str:
    """The id under which a share shows the document that ``block`` is of."""
    return block.document or block.id


def evidence_title(block: EvidenceBlock) -> str:
    """What a block is called: its title, its address, or its document's id."""
    return shown_characters(block.title) or shown_characters(block.url) or document_of(block)


@dataclass(frozen=True)
class ClaimLine:
    """A line of the list of claims; ``evidence`` are its superscripts."""

    html_id: str
    text: str
    href: str
    verdict: VerdictView | None
    evidence: tuple[EvidenceView, ...]


Kept = Callable[[Claim], bool]


def _is_judged(support: Support, claim: Claim) -> bool:
    return bool(claim.cited) and claim.support is support


KEPT: Mapping[str, Kept] = {
    "": lambda claim: True,
    "cited": lambda claim: bool(claim.cited),
    "intact": lambda claim: bool(claim.cited),
    **{support.value: partial(_is_judged, support) for support in Support},
}
"""Which claims the list shows, by what its address asks for."""


def claim_lines(answer: AnswerClaims, only: str, state: PageState, addresses: PageAddresses) -> tuple[ClaimLine, ...]:
    """The claims that ``only`` (a key of ``KEPT``) asks for, in the order of the answer."""
    return tuple(
        ClaimLine(
            html_id=claim.span.id,
            text=claim_text(claim),
            href=addresses.page(state.claiming(answer.message, claim.span.id)) + fragment(card_id(answer.message)),
            verdict=verdict_view(claim.support) if claim.cited else None,
            evidence=tuple(_evidence(answer, cited, state, addresses) for cited in claim.cited),
        )
        for claim in answer.claims
        if KEPT[only](claim)
    )
