"""How good citations are: integrity and support apart, and what is pending in neither (trusted-citations §5.5)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from shareview.chat.artifacts import Artifact, ArtifactStatus
from shareview.citations.claim_citations import Claim, Support


class CitationKind(StrEnum):
    """How an answer cites."""

    CLAIMS = "claims"
    MARKERS = "markers"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Alignment:
    """Whether a checker was given the claims of the artifact, word for word (trusted-citations §5.5.2).

    ``missing``: annotations that no context is of; ``extra``: contexts of no annotation, with a block that it does not
    cite, or that stand twice; ``different``: contexts with other words than the claim's; ``occurrences``: cited
    blocks, each at each claim; ``occurrences_missing``: those that were not judged by themselves.
    """

    contexts: int
    missing: int
    extra: int
    different: int
    occurrences: int
    occurrences_missing: int

    @property
    def is_exact(self) -> bool:
        """Whether nothing is missing, extra or different."""
        return not (self.missing or self.extra or self.different or self.occurrences_missing)


@dataclass(frozen=True, slots=True)
class Integrity:
    """Pointers from claims to evidence: how many there are, and how many of them are real."""

    pointers: int = 0
    intact: int = 0

    @property
    def rate(self) -> float | None:
        """The share that is intact, or None without any."""
        return self.intact / self.pointers if self.pointers else None


@dataclass(frozen=True, slots=True)
class SupportCounts:
    """Verdicts on cited claims; ``unjudged`` ones are in no rate."""

    supported: int = 0
    unsupported: int = 0
    unknown: int = 0
    unjudged: int = 0

    @property
    def judged(self) -> int:
        """How many claims were judged."""
        return self.supported + self.unsupported + self.unknown

    @property
    def rate(self) -> float | None:
        """The share of judged claims that are supported, or None where none is judged."""
        return self.supported / self.judged if self.judged else None


@dataclass(frozen=True)
class AnswerEvaluation:
    """One answer. Where its citations are pending, ``pending`` holds the code, and nothing else is counted."""

    message: str
    kind: CitationKind
    pending: str = ""
    claims: int = 0
    cited: int = 0
    integrity: Integrity = Integrity()
    support: SupportCounts = SupportCounts()
    alignment: Alignment | None = None
    documents: Mapping[tuple[str, str], SupportCounts] = field(default_factory=dict)


@dataclass(frozen=True)
class Totals:
    """Many answers together; ``pending`` counts answers by code."""

    answers: int
    evaluated: int
    pending: Mapping[str, int]
    claims: int
    cited: int
    integrity: Integrity
    support: SupportCounts
    alignment: Alignment | None
    documents: Mapping[tuple[str, str], SupportCounts]


def evaluate_artifact(artifact: Artifact, claims: Sequence[Claim]) -> AnswerEvaluation:
    """The evaluation of an answer by its checked ``artifact`` and the ``claims`` of it.

    An artifact that breaks its contract is pending, with ``artifact_invalid``; in a sound one every pointer is real.
    """
    if artifact.status is not ArtifactStatus.COMPLETE:
        return AnswerEvaluation(artifact.message, CitationKind.CLAIMS, artifact.error_code or artifact.status.value)
    pointers = sum(len(claim.cited) for claim in claims)
    return AnswerEvaluation(
        artifact.message,
        CitationKind.CLAIMS,
        claims=len(claims),
        cited=sum(bool(claim.cited) for claim in claims),
        integrity=Integrity(pointers, pointers),
        support=_support(claim.support for claim in claims if claim.cited),
        alignment=align(artifact),
        documents=_documents(claims),
    )


def evaluate_markers(message: str, claims: Sequence[Claim], dropped: int) -> AnswerEvaluation:
    """The evaluation of an answer that cites by marker; ``dropped`` recorded citations were not borne out."""
    pointers = sum(len(claim.cited) for claim in claims)
    return AnswerEvaluation(
        message,
        CitationKind.MARKERS if pointers or dropped else CitationKind.NONE,
        claims=len(claims),
        cited=sum(bool(claim.cited) for claim in claims),
        integrity=Integrity(pointers + dropped, pointers),
        support=_support(claim.support for claim in claims if claim.cited),
        documents=_documents(claims),
    )


def align(artifact: Artifact) -> Alignment | None:
    """How the contexts that the checker was given fit ``artifact``; None where nobody judged or none are kept."""
    if artifact.judge is None or not (artifact.judge.contexts or not artifact.annotations):
        return None
    contexts = artifact.judge.contexts
    texts = {span.id: span.text for span in artifact.spans}
    annotations = {annotation.id: annotation for annotation in artifact.annotations}
    known = [context for context in contexts if context.id in annotations]
    fitting = [context for context in known if set(context.blocks) <= set(annotations[context.id].blocks)]
    alone = {(context.id, context.blocks[0]) for context in fitting if len(context.blocks) == 1}
    judged = {(verdict.annotation, verdict.block) for verdict in artifact.verdicts}
    occurrences = [(annotation.id, block) for annotation in artifact.annotations for block in annotation.blocks]
    return Alignment(
        contexts=len(contexts),
        missing=len(annotations.keys() - {context.id for context in known}),
        extra=len(contexts) - len({(context.id, context.blocks) for context in fitting}),
        different=sum(context.text != texts[annotations[context.id].span] for context in known),
        occurrences=len(occurrences),
        occurrences_missing=sum(pair not in alone or pair not in judged for pair in occurrences),
    )


def total(evaluations: Iterable[AnswerEvaluation]) -> Totals:
    """All of ``evaluations`` together. Pending answers are counted as such and in nothing else."""
    every = list(evaluations)
    done = [one for one in every if not one.pending]
    aligned = [one.alignment for one in done if one.alignment]
    documents: dict[tuple[str, str], SupportCounts] = {}
    for one in done:
        for document, counts in one.documents.items():
            documents[document] = _sum_support([documents.get(document, SupportCounts()), counts])
    return Totals(
        answers=len(every),
        evaluated=len(done),
        pending=dict(Counter(one.pending for one in every if one.pending)),
        claims=sum(one.claims for one in done),
        cited=sum(one.cited for one in done),
        integrity=Integrity(sum(one.integrity.pointers for one in done), sum(one.integrity.intact for one in done)),
        support=_sum_support([one.support for one in done]),
        alignment=_sum_alignment(aligned) if aligned else None,
        documents=documents,
    )


def _support(each: Iterable[Support]) -> SupportCounts:
    counts = Counter(each)
    return SupportCounts(
        counts[Support.SUPPORTED], counts[Support.UNSUPPORTED], counts[Support.UNKNOWN], counts[Support.PENDING]
    )


def _documents(claims: Sequence[Claim]) -> dict[tuple[str, str], SupportCounts]:
    """Verdicts on single blocks, by the document that the block is of and its title."""
    found: dict[tuple[str, str], list[Support]] = {}
    for claim in claims:
        for cited in claim.cited:
            document = cited.block.document or cited.block.id
            found.setdefault((document, cited.block.title), []).append(cited.support)
    return {document: _support(each) for document, each in found.items()}


def _sum_support(each: Sequence[SupportCounts]) -> SupportCounts:
    return SupportCounts(
        sum(one.supported for one in each),
        sum(one.unsupported for one in each),
        sum(one.unknown for one in each),
        sum(one.unjudged for one in each),
    )


def _sum_alignment(each: Sequence[Alignment]) -> Alignment:
    return Alignment(
        sum(one.contexts for one in each),
        sum(one.missing for one in each),
        sum(one.extra for one in each),
        sum(one.different for one in each),
        sum(one.occurrences for one in each),
        sum(one.occurrences_missing for one in each),
    )
