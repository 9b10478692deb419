"""What a model was asked and said, as a row that can be stored."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from shareview.annotation.asking import Exchange, cost_of
from shareview.annotation.models import Model
from shareview.annotation.prompts import Prompt
from shareview.snapshots.models import AnnotationJob, AnnotationTrace, TracePurpose


def trace_row(
    job: AnnotationJob,
    purpose: TracePurpose,
    model: Model,
    used: Prompt,
    exchanges: Sequence[Exchange],
    *,
    made_at: datetime,
) -> AnnotationTrace:
    """The unsaved trace of ``exchanges``; its counts of claims and blocks, code and faults are still to be set."""
    cost = cost_of(exchanges)
    return AnnotationTrace(
        snapshot=job.snapshot,
        message_id=job.message_id,
        purpose=purpose,
        made_at=made_at,
        provider=model.provider,
        model=model.name,
        prompt_version=used.version,
        prompt_sha256=used.sha256,
        input_tokens=cost.input_tokens,
        output_tokens=cost.output_tokens,
        latency_ms=cost.latency_ms,
        calls=[_call(exchange) for exchange in exchanges],
    )


def _call(exchange: Exchange) -> dict[str, object]:
    texts = {"output": storable(exchange.output), "fault": storable(exchange.fault)}
    sayings = [[saying.role, storable(saying.text)] for saying in exchange.sayings]
    return {**asdict(exchange), **texts, "sayings": sayings}


def storable(text: str) -> str:
    """``text`` without what a database cannot hold: NUL, and halves of surrogate pairs."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
