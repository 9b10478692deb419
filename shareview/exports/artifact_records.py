"""Artifact records: every fault is collected, and the artifact kept as pending (session-export)."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeVar

from shareview.chat.artifacts import (
    Annotation,
    Artifact,
    ArtifactStatus,
    EvidenceBlock,
    Judge,
    JudgedContext,
    PendingCode,
    Span,
    SpanKind,
    Verdict,
    VerdictValue,
)
from shareview.exports.errors import ExportError
from shareview.exports.fields import Choice, Fields
from shareview.exports.jsonlines import JsonObject, describe
from shareview.exports.limits import Limits

_ARTIFACT_FIELDS: Final = (
    "kind", "message", "version", "status", "error_code", "limitation", "spans", "evidence_blocks", "annotations",
    "verdicts", "judge", "trace",
)  # fmt: skip
_SPAN_FIELDS: Final = ("span_id", "kind", "start_index", "end_index", "text")
_BLOCK_FIELDS: Final = ("block_id", "doc_id", "title", "section", "url", "version", "text")
_ANNOTATION_FIELDS: Final = ("annotation_id", "span_id", "block_ids")
_VERDICT_FIELDS: Final = ("annotation_id", "block_id", "verdict", "reason", "code")
_JUDGE_FIELDS: Final = ("provider", "model", "rubric_version", "prompt_sha256", "contexts")
_CONTEXT_FIELDS: Final = ("context_id", "kind", "text", "block_ids")

Part = TypeVar("Part")


class _Faults:
    """Collects what is wrong, one sentence each, and goes on reading."""

    def __init__(self) -> None:
        self.sentences: list[str] = []

    def collect(self, read: Callable[[], Part], otherwise: Part) -> Part:
        """What ``read`` gives, or ``otherwise`` where it is at fault."""
        try:
            return read()
        except ExportError as fault:
            self.sentences.append(str(fault))
            return otherwise

    def text(self, item: Fields, name: str, *, default: str | None = None) -> str:
        """A text field of ``item``."""
        return self.collect(lambda: item.text(name, default=default), "")

    def identifier(self, item: Fields, name: str, *, default: str | None = None) -> str:
        """An id field of ``item``."""
        return self.collect(lambda: item.identifier(name, default=default), "")

    def each(
        self, fields: Fields, name: str, known: tuple[str, ...], read: "Callable[[Fields, _Faults], Part]"
    ) -> tuple[Part, ...]:
        """What ``read`` makes of each object in list ``name``."""
        values = fields.values.get(name, [])
        if not isinstance(values, list):
            self.sentences.append(str(fields.error(name, "a list")))
            return ()
        items = [self.collect(partial(_item, fields, name, at, known), None) for at in range(len(values))]
        return tuple(read(item, self) for item in items if item is not None)


def _item(fields: Fields, name: str, at: int, known: tuple[str, ...]) -> Fields:
    values = fields.values[name]
    value = values[at] if isinstance(values, list) else None
    if not isinstance(value, dict):
        raise fields.error(f"{name}[{at}]", "an object", describe(value))
    return Fields.of(value, known, fields.line, fields.limits, f"{name}[{at}].")


def normalise_artifact(found: JsonObject, line: int, limits: Limits) -> Fields:
    """An artifact record with its own fields in snake_case; one that stands in both spellings is left as it is."""
    try:
        return Fields.of(found, _ARTIFACT_FIELDS, line, limits)
    except ExportError:
        return Fields(found, line, limits)


def read_artifact(fields: Fields) -> Artifact:
    """The artifact that a record holds, as pending and with its faults where it has any.

    Raises ExportError only where it does not say which message it belongs to.
    """
    message = fields.identifier("message")
    faults = _Faults()
    faults.collect(lambda: Fields.of(fields.values, _ARTIFACT_FIELDS, fields.line, fields.limits), fields)
    faults.collect(fields.version_1, None)
    status = faults.collect(
        lambda: fields.choice("status", ArtifactStatus, default=ArtifactStatus.PENDING), ArtifactStatus.PENDING
    )
    artifact = Artifact(
        message=message,
        status=status,
        error_code=faults.text(fields, "error_code", default=""),
        limitation=faults.text(fields, "limitation", default=""),
        spans=faults.each(fields, "spans", _SPAN_FIELDS, _read_span),
        blocks=faults.each(fields, "evidence_blocks", _BLOCK_FIELDS, _read_block),
        annotations=faults.each(fields, "annotations", _ANNOTATION_FIELDS, _read_annotation),
        verdicts=faults.each(fields, "verdicts", _VERDICT_FIELDS, _read_verdict),
        judge=_read_judge(fields, faults),
    )
    return artifact if not faults.sentences else as_invalid(artifact, faults.sentences)


def as_invalid(artifact: Artifact, faults: Sequence[str]) -> Artifact:
    """``artifact`` as pending for its ``faults``; what it says is kept in its record alone."""
    every = (*artifact.faults, *faults)
    return Artifact(
        artifact.message, ArtifactStatus.PENDING, PendingCode.ARTIFACT_INVALID, artifact.limitation, faults=every
    )


def span_faults(artifact: Artifact, content: str, line: int) -> list[str]:
    """A fault for each span whose words do not stand at its place in ``content``."""
    faults = []
    for at, span in enumerate(artifact.spans):
        standing = content[span.start : span.end]
        if standing != span.text or span.end > len(content):
            expected = "the words of the answer at start_index to end_index"
            faults.append(str(ExportError(line, f"spans[{at}].text", expected, describe(span.text))))
    return faults


def _read_span(item: Fields, faults: _Faults) -> Span:
    return Span(
        id=faults.identifier(item, "span_id"),
        kind=faults.collect(lambda: _required_choice(item, "kind", SpanKind, SpanKind.SENTENCE), SpanKind.SENTENCE),
        start=faults.collect(lambda: _offset(item, "start_index"), 0),
        end=faults.collect(lambda: _offset(item, "end_index"), 0),
        text=faults.text(item, "text"),
    )


def _offset(item: Fields, name: str) -> int:
    value = item.number(name)
    if value is None:
        raise item.error(name, "a whole number from 0")
    return value


def _required_choice(item: Fields, name: str, kind: type[Choice], default: Choice) -> Choice:
    if item.values.get(name) is None:
        raise item.error(name, "one of " + ", ".join(kind))
    return item.choice(name, kind, default=default)


def _read_block(item: Fields, faults: _Faults) -> EvidenceBlock:
    return EvidenceBlock(
        id=faults.identifier(item, "block_id"),
        document=faults.identifier(item, "doc_id", default=""),
        title=faults.text(item, "title", default=""),
        section=faults.text(item, "section", default=""),
        url=faults.text(item, "url", default=""),
        version=faults.identifier(item, "version", default=""),
        text=faults.text(item, "text"),
    )


def _read_annotation(item: Fields, faults: _Faults) -> Annotation:
    return Annotation(
        id=faults.identifier(item, "annotation_id"),
        span=faults.identifier(item, "span_id"),
        blocks=faults.collect(lambda: _block_ids(item), ()),
    )


def _block_ids(item: Fields) -> tuple[str, ...]:
    blocks = item.values.get("block_ids")
    if not isinstance(blocks, list) or not all(isinstance(block, str) for block in blocks):
        raise item.error("block_ids", "a list of block ids")
    return tuple(map(str, blocks))


def _read_verdict(item: Fields, faults: _Faults) -> Verdict:
    return Verdict(
        annotation=faults.identifier(item, "annotation_id"),
        block=faults.identifier(item, "block_id", default="") or None,
        value=faults.collect(
            lambda: _required_choice(item, "verdict", VerdictValue, VerdictValue.UNKNOWN), VerdictValue.UNKNOWN
        ),
        reason=faults.text(item, "reason", default=""),
        # Fields beyond the contract (session-export) are read where they have the form that we write.
        code=_Faults().text(item, "code", default=""),
    )


def _read_judge(fields: Fields, faults: _Faults) -> Judge | None:
    judge = faults.collect(lambda: fields.item("judge", _JUDGE_FIELDS), None)
    if judge is None:
        return None
    return Judge(
        provider=faults.text(judge, "provider", default=""),
        model=faults.text(judge, "model", default=""),
        rubric_version=faults.text(judge, "rubric_version", default=""),
        prompt_sha256=faults.text(judge, "prompt_sha256", default=""),
        contexts=_Faults().each(judge, "contexts", _CONTEXT_FIELDS, _read_context),
    )


def _read_context(item: Fields, faults: _Faults) -> JudgedContext:
    return JudgedContext(
        id=faults.identifier(item, "context_id"),
        text=faults.text(item, "text"),
        blocks=faults.collect(lambda: _block_ids(item), ()),
    )
