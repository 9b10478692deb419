"""Whether an artifact keeps its contract with the answer it belongs to (trusted-citations §5.2.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from shareview.chat.artifacts import Artifact, ArtifactStatus
from shareview.exports.artifact_records import as_invalid, span_faults
from shareview.exports.errors import ExportError


@dataclass(frozen=True)
class ArtifactBudget:
    """How much one artifact may hold: pieces, and code points of evidence in all."""

    spans: int = 5_000
    blocks: int = 5_000
    annotations: int = 5_000
    blocks_of_a_claim: int = 50
    verdicts: int = 50_000
    evidence_length: int = 4_000_000


DEFAULT_BUDGET: Final = ArtifactBudget()


def validate_artifact(
    artifact: Artifact, answer: str, *, line: int = 0, budget: ArtifactBudget = DEFAULT_BUDGET
) -> tuple[str, ...]:
    """All that is wrong with ``artifact`` as the citations of ``answer``, a sentence each with line and field.

    Faults are: a span that is not exactly in the answer, that is empty, or whose id stands twice; an annotation of
    an unknown span, a second one of the same span or under the same id, one without blocks; a block that is
    repeated or not in the evidence list; a verdict on what is not annotated, or a second one; and all that is over
    ``budget``. ``line`` is the artifact's line in the export, 0 where it is not known.
    """
    faults = [*_over_budget(artifact, budget), *_spans(artifact), *_blocks(artifact)]
    faults += [*_annotations(artifact), *_verdicts(artifact)]
    return (*span_faults(artifact, answer, line), *(str(ExportError(line, *fault)) for fault in faults))


def checked_artifact(
    artifact: Artifact, answer: str, *, line: int = 0, budget: ArtifactBudget = DEFAULT_BUDGET
) -> Artifact:
    """``artifact``, or the same as pending with ``artifact_invalid`` where it breaks its contract with ``answer``."""
    faults = validate_artifact(artifact, answer, line=line, budget=budget)
    return as_invalid(artifact, faults) if faults else artifact


Fault = tuple[str, str, str]
"""A field, what was expected there, and what was found."""


def _over_budget(artifact: Artifact, budget: ArtifactBudget) -> Iterator[Fault]:
    counts = (
        ("spans", len(artifact.spans), budget.spans),
        ("evidence_blocks", len(artifact.blocks), budget.blocks),
        ("annotations", len(artifact.annotations), budget.annotations),
        ("verdicts", len(artifact.verdicts), budget.verdicts),
    )
    for field, found, most in counts:
        if found > most:
            yield field, f"at most {most}", str(found)
    length = sum(len(block.text) for block in artifact.blocks)
    if length > budget.evidence_length:
        yield "evidence_blocks", f"at most {budget.evidence_length} characters of text", str(length)
    for at, annotation in enumerate(artifact.annotations):
        if len(annotation.blocks) > budget.blocks_of_a_claim:
            yield f"annotations[{at}].block_ids", f"at most {budget.blocks_of_a_claim}", str(len(annotation.blocks))


def _spans(artifact: Artifact) -> Iterator[Fault]:
    yield from _repeated("spans", "span_id", [span.id for span in artifact.spans])
    for at, span in enumerate(artifact.spans):
        if not span.text.strip():
            yield f"spans[{at}].text", "words of the answer", f'"{span.text}"'


def _blocks(artifact: Artifact) -> Iterator[Fault]:
    return _repeated("evidence_blocks", "block_id", [block.id for block in artifact.blocks])


def _annotations(artifact: Artifact) -> Iterator[Fault]:
    spans = {span.id for span in artifact.spans}
    blocks = {block.id for block in artifact.blocks}
    yield from _repeated("annotations", "annotation_id", [annotation.id for annotation in artifact.annotations])
    yield from _repeated("annotations", "span_id", [annotation.span for annotation in artifact.annotations])
    for at, annotation in enumerate(artifact.annotations):
        if annotation.span not in spans:
            yield f"annotations[{at}].span_id", "a span of this artifact", f'"{annotation.span}"'
        if not annotation.blocks:
            yield f"annotations[{at}].block_ids", "at least one block id", "none"
        yield from _repeated(f"annotations[{at}].block_ids", "", annotation.blocks)
        for number, block in enumerate(annotation.blocks):
            if block not in blocks:
                yield f"annotations[{at}].block_ids[{number}]", "a block of the evidence list", f'"{block}"'


def _verdicts(artifact: Artifact) -> Iterator[Fault]:
    annotated = {annotation.id: annotation.blocks for annotation in artifact.annotations}
    seen: set[tuple[str, str | None]] = set()
    for at, verdict in enumerate(artifact.verdicts):
        if verdict.annotation not in annotated:
            yield f"verdicts[{at}].annotation_id", "an annotation of this artifact", f'"{verdict.annotation}"'
        elif verdict.block is not None and verdict.block not in annotated[verdict.annotation]:
            yield f"verdicts[{at}].block_id", "a block of that annotation", f'"{verdict.block}"'
        if (verdict.annotation, verdict.block) in seen:
            yield f"verdicts[{at}]", "one verdict on each block of an annotation", "a second one"
        seen.add((verdict.annotation, verdict.block))


def _repeated(list_name: str, field: str, ids: Sequence[str]) -> Iterator[Fault]:
    seen: set[str] = set()
    for at, id in enumerate(ids):
        if id in seen:
            yield f"{list_name}[{at}]{'.' if field else ''}{field}", "an id that stands once", f'"{id}" again'
        seen.add(id)


def is_shown(artifact: Artifact | None) -> bool:
    """Whether the claims of ``artifact`` are what an answer shows: they alone give its superscripts then."""
    return artifact is not None and artifact.status is ArtifactStatus.COMPLETE
