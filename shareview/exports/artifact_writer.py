"""Artifact records as session-export has them, for artifacts that are made here."""

from shareview.chat.artifacts import Artifact, EvidenceBlock, Judge, Trace, Verdict
from shareview.exports.jsonlines import JsonObject, JsonValue


def artifact_record(artifact: Artifact, trace: JsonValue = None) -> JsonObject:
    """The native record of ``artifact`` with the record of its trace; reading it gives ``artifact`` again."""
    record: JsonObject = {
        "kind": "citation_artifact",
        "message": artifact.message,
        "version": 1,
        "status": artifact.status.value,
        "error_code": artifact.error_code or None,
        "limitation": artifact.limitation or None,
        "spans": [
            {
                "span_id": span.id,
                "kind": span.kind.value,
                "start_index": span.start,
                "end_index": span.end,
                "text": span.text,
            }
            for span in artifact.spans
        ],
        "evidence_blocks": [_block(block) for block in artifact.blocks],
        "annotations": [
            {"annotation_id": annotation.id, "span_id": annotation.span, "block_ids": list(annotation.blocks)}
            for annotation in artifact.annotations
        ],
        "verdicts": [_verdict(verdict) for verdict in artifact.verdicts],
    }
    if artifact.judge is not None:
        record["judge"] = _judge(artifact.judge)
    if trace is not None:
        record["trace"] = trace
    return {name: value for name, value in record.items() if value is not None}


def _block(block: EvidenceBlock) -> JsonObject:
    record: JsonObject = {
        "block_id": block.id,
        "doc_id": block.document,
        "title": block.title,
        "section": block.section,
        "url": block.url,
        "version": block.version,
        "text": block.text,
    }
    # An id that is there is not empty (session-export, "kind: citation_artifact").
    return {name: value for name, value in record.items() if value or name == "text"}


def _verdict(verdict: Verdict) -> JsonValue:
    record: JsonObject = {
        "annotation_id": verdict.annotation,
        "block_id": verdict.block,
        "verdict": verdict.value.value,
        "reason": verdict.reason,
    }
    return {**record, "code": verdict.code} if verdict.code else record


def _judge(judge: Judge) -> JsonObject:
    return {
        "provider": judge.provider,
        "model": judge.model,
        "rubric_version": judge.rubric_version,
        "prompt_sha256": judge.prompt_sha256,
        "contexts": [
            {"context_id": context.id, "kind": "claim", "text": context.text, "block_ids": list(context.blocks)}
            for context in judge.contexts
        ],
    }


def trace_record(trace: Trace) -> JsonObject:
    """The record of ``trace``, which stands inside an artifact's."""
    return {
        "provider": trace.provider,
        "model": trace.model,
        "prompt_version": trace.prompt_version,
        "prompt_sha256": trace.prompt_sha256,
        "calls": trace.calls,
        "input_tokens": trace.input_tokens,
        "output_tokens": trace.output_tokens,
        "latency_ms": trace.latency_ms,
    }
