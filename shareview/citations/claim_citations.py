"""What an artifact says, in the order it is read: claims, the blocks that each cites, and what was judged of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from shareview.chat.artifacts import Annotation, Artifact, EvidenceBlock, Span, VerdictValue
from shareview.citations.passages import shared_ranges


class Support(StrEnum):
    """Whether evidence backs a claim, as far as anybody judged it; ``pending`` is never a pass."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    UNKNOWN = "unknown"
    PENDING = "pending"


class Trust(StrEnum):
    """How far a source was traced: named only, found word for word in the snapshot, or judged."""

    HINT = "hint"
    LOCATED = "located"
    CHECKED = "checked"


@dataclass(frozen=True, slots=True)
class CitedBlock:
    """A block that a claim cites. ``k`` counts the answer's distinct blocks in order of first citation, from 1.

    ``shared`` are the ranges of the block's text whose words the claim has too; ``code`` says why a checker that
    was asked gave no verdict.
    """

    k: int
    block: EvidenceBlock
    support: Support
    reason: str
    trust: Trust
    shared: tuple[tuple[int, int], ...]
    code: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of an answer. ``support`` is the verdict on all its blocks together, or what those on each come to."""

    span: Span
    cited: tuple[CitedBlock, ...]
    support: Support
    reason: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class ClaimsSummary:
    """Integrity (the pointer is real) and support (the evidence backs the claim), never mixed.

    ``supported`` to ``pending`` count cited claims and add up to ``cited``.
    """

    claims: int
    cited: int
    intact: int
    supported: int
    unsupported: int
    unknown: int
    pending: int


def claims_of(artifact: Artifact, located: Iterable[str] = ()) -> tuple[Claim, ...]:
    """The claims of a sound artifact in the order of the answer, those that cite nothing included.

    ``located`` are ids of the blocks whose text stands word for word in the frozen tool results of the turn.
    """
    blocks = {block.id: block for block in artifact.blocks}
    annotations = {annotation.span: annotation for annotation in artifact.annotations}
    verdicts = {(verdict.annotation, verdict.block): verdict for verdict in artifact.verdicts}
    found = frozenset(located)
    numbers: dict[str, int] = {}

    def cite(annotation: Annotation, span: Span, id: str) -> CitedBlock:
        verdict = verdicts.get((annotation.id, id))
        together = verdicts.get((annotation.id, None))
        judged = Trust.LOCATED if id in found else Trust.HINT
        return CitedBlock(
            k=numbers.setdefault(id, len(numbers) + 1),
            block=blocks[id],
            support=_support(verdict.value) if verdict else Support.PENDING,
            reason=verdict.reason if verdict else "",
            trust=Trust.CHECKED if verdict or together else judged,
            shared=shared_ranges(span.text, blocks[id].text),
            code=verdict.code if verdict else "",
        )

    claims = []
    for span in sorted(artifact.spans, key=lambda span: (span.start, span.end)):
        annotation = annotations.get(span.id)
        cited = tuple(cite(annotation, span, id) for id in annotation.blocks) if annotation else ()
        together = verdicts.get((annotation.id, None)) if annotation else None
        support = _support(together.value) if together else _in_all([block.support for block in cited])
        reason, code = (together.reason, together.code) if together else ("", "")
        claims.append(Claim(span, cited, support, reason, code))
    return tuple(claims)


def _support(value: VerdictValue) -> Support:
    return Support(value.value)


def _in_all(each: Sequence[Support]) -> Support:
    """What verdicts on single blocks come to: one against it counts, one that is open leaves it open."""
    for support in (Support.UNSUPPORTED, Support.UNKNOWN, Support.PENDING):
        if support in each:
            return support
    return Support.SUPPORTED if each else Support.PENDING


def summarise_claims(claims: Sequence[Claim]) -> ClaimsSummary:
    """How many claims there are, are cited, point to evidence that is there, and are backed by it."""
    cited = [claim for claim in claims if claim.cited]
    of = [claim.support for claim in cited]
    return ClaimsSummary(
        claims=len(claims),
        cited=len(cited),
        intact=len(cited),
        supported=of.count(Support.SUPPORTED),
        unsupported=of.count(Support.UNSUPPORTED),
        unknown=of.count(Support.UNKNOWN),
        pending=of.count(Support.PENDING),
    )


def cited_blocks(claims: Sequence[Claim]) -> tuple[CitedBlock, ...]:
    """Each block once, by display number, as its first claim cites it."""
    first: dict[int, CitedBlock] = {}
    for claim in claims:
        for cited in claim.cited:
            first.setdefault(cited.k, cited)
    return tuple(first[k] for k in sorted(first))
