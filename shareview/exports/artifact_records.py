"""Artifact records: every fault is collected, and the artifact kept as pending (session-export)."""

from collections.abc import Callable
from typing import Final, TypeVar

from shareview.chat.artifacts import (
    Annotation,
    Artifact,
    ArtifactStatus,
    EvidenceBlock,
    Judge,
    Span,
    SpanKind,
    Verdict,
    VerdictValue,
)
from shareview.exports.errors import ExportError
from shareview.exports.fields import Fields
from shareview.exports.jsonlines import JsonObject, describe
from shareview.exports.limits import Limits

ARTIFACT_INVALID: Final = "artifact_invalid"
_ARTIFACT_FIELDS: Final = (
    "kind", "message", "version", "status", "error_code", "limitation", "spans", "evidence_blocks", "annotations",
    "verdicts", "judge", "trace",
)  # fmt: skip
_SPAN_FIELDS: Final = ("span_id", "kind", "start_index", "end_index", "text")
_BLOCK_FIELDS: Final = ("block_id", "doc_id", "title", "section", "url", "version", "text")
_ANNOTATION_FIELDS: Final = ("annotation_id", "span_id", "block_ids")
_VERDICT_FIELDS: Final = ("annotation_id", "block_id", "verdict", "reason")
_JUDGE_FIELDS: Final = ("provider", "model", "rubric_version", "prompt_sha256")

Part = TypeVar("Part")


class _Faults:
    def __init__(self) -> None:
        self.sentences: list[str] = []

    def collect(self, read: Callable[[], Part], otherwise: Part) -> Part:
        try:
            return read()
        except ExportError as fault:
            self.sentences.append(str(fault))
            return otherwise

    def each(
        self, fields: Fields, name: str, known: tuple[str, ...], read: Callable[[Fields], Part]
    ) -> tuple[Part, ...]:
        """What ``read`` makes of each object in list ``name``; one that is at fault is noted and left out."""
        values = fields.values.get(name, [])
        if not isinstance(values, list):
            self.sentences.append(str(fields.error(name, "a list")))
            return ()
        parts: list[Part] = []
        for at, value in enumerate(values):
            try:
                if not isinstance(value, dict):
                    raise fields.error(f"{name}[{at}]", "an object", describe(value))
                parts.append(read(Fields.of(value, known, fields.line, fields.limits, f"{name}[{at}].")))
            except ExportError as fault:
                self.sentences.append(str(fault))
        return tuple(parts)


def normalise_artifact(found: JsonObject, line: int, limits: Limits) -> Fields:
    """An artifact record with its own fields in snake_case. Raises ExportError."""
    return Fields.of(found, _ARTIFACT_FIELDS, line, limits)


def read_artifact(fields: Fields) -> Artifact:
    """The artifact that a record holds, as pending and with its faults where it has any.

    Raises ExportError only where it does not say which message it belongs to.
    """
    message = fields.identifier("message")
    faults = _Faults()
    if fields.values.get("version") != 1:
        faults.sentences.append(str(fields.error("version", "1")))
    status = faults.collect(
        lambda: fields.choice("status", ArtifactStatus, default=ArtifactStatus.PENDING), ArtifactStatus.PENDING
    )
    artifact = Artifact(
        message=message,
        status=status,
        error_code=faults.collect(lambda: fields.text("error_code", default=""), ""),
        limitation=faults.collect(lambda: fields.text("limitation", default=""), ""),
        spans=faults.each(fields, "spans", _SPAN_FIELDS, _read_span),
        blocks=faults.each(fields, "evidence_blocks", _BLOCK_FIELDS, _read_block),
        annotations=faults.each(fields, "annotations", _ANNOTATION_FIELDS, _read_annotation),
        verdicts=faults.each(fields, "verdicts", _VERDICT_FIELDS, _read_verdict),
        judge=faults.collect(lambda: _read_judge(fields), None),
    )
    return artifact if not faults.sentences else _invalid(artifact, tuple(faults.sentences))


def _invalid(artifact: Artifact, faults: tuple[str, ...]) -> Artifact:
    return Artifact(artifact.message, ArtifactStatus.PENDING, ARTIFACT_INVALID, artifact.limitation, faults=faults)


def _read_span(item: Fields) -> Span:
    if item.values.get("kind") is None:
        raise item.error("kind", "one of " + ", ".join(SpanKind))
    start, end = item.number("start_index"), item.number("end_index")
    if start is None or end is None:
        raise item.error("start_index" if start is None else "end_index", "a whole number from 0")
    kind = item.choice("kind", SpanKind, default=SpanKind.SENTENCE)
    return Span(item.identifier("span_id"), kind, start, end, item.text("text"))


def _read_block(item: Fields) -> EvidenceBlock:
    return EvidenceBlock(
        id=item.identifier("block_id"),
        document=item.identifier("doc_id", default=""),
        title=item.text("title", default=""),
        section=item.text("section", default=""),
        url=item.text("url", default=""),
        version=item.identifier("version", default=""),
        text=item.text("text"),
    )


def _read_annotation(item: Fields) -> Annotation:
    blocks = item.values.get("block_ids")
    if not isinstance(blocks, list) or not all(isinstance(block, str) for block in blocks):
        raise item.error("block_ids", "a list of block ids")
    return Annotation(item.identifier("annotation_id"), item.identifier("span_id"), tuple(map(str, blocks)))


def _read_verdict(item: Fields) -> Verdict:
    if item.values.get("verdict") is None:
        raise item.error("verdict", "one of " + ", ".join(VerdictValue))
    return Verdict(
        annotation=item.identifier("annotation_id"),
        block=item.identifier("block_id", default="") or None,
        value=item.choice("verdict", VerdictValue, default=VerdictValue.UNKNOWN),
        reason=item.text("reason", default=""),
    )


def _read_judge(fields: Fields) -> Judge | None:
    judge = fields.item("judge", _JUDGE_FIELDS)
    if judge is None:
        return None
    return Judge(*(judge.text(name, default="") for name in _JUDGE_FIELDS))
