"""Which evidence belongs to which claim: a model chooses ids, the program checks each (trusted-citations §5.2)."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Final

from shareview.annotation.asking import (
    DEFAULT_BUDGET,
    THE_WORLD,
    CallBudget,
    Exchange,
    UnreadableReplyError,
    World,
    ask,
    cost_of,
)
from shareview.annotation.models import Model, Saying, Schema
from shareview.annotation.prompts import ANNOTATOR, prompt
from shareview.annotation.replies import broken_form, read_object
from shareview.chat.artifacts import Annotation, EvidenceBlock, PendingCode, Span, Trace
from shareview.exports.jsonlines import JsonObject, JsonValue, describe

_SCHEMA: Final[Schema] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["annotations"],
    "properties": {
        "annotations": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["span_id", "block_ids"],
                "properties": {
                    "span_id": {"type": "string"},
                    "block_ids": {"type": "array", "items": {"type": "string"}},
                },
            },
        }
    },
}
_MOST_FAULTS: Final = 20
_FIELDS: Final = frozenset({"annotations"})
_ITEM_FIELDS: Final = frozenset({"span_id", "block_ids"})


@dataclass(frozen=True)
class Annotated:
    """What came of annotating: annotations in the order of the claims, or a code; ``faults`` in sentences."""

    annotations: tuple[Annotation, ...]
    code: PendingCode | None
    faults: tuple[str, ...]
    exchanges: tuple[Exchange, ...]
    trace: Trace


def annotate(
    question: str,
    answer: str,
    spans: Sequence[Span],
    evidence: Sequence[EvidenceBlock],
    model: Model,
    *,
    budget: CallBudget = DEFAULT_BUDGET,
    world: World = THE_WORLD,
) -> Annotated:
    """Lets ``model`` choose, for each of ``spans`` of ``answer``, the blocks of ``evidence`` that belong to it.

    The model gives ids alone; the answer is not touched. Every reply is refused that is no JSON of the agreed form,
    names a span or a block that was not given, or names one twice. At most two calls; without evidence or without
    claims there is none. Raises nothing for what goes wrong: ``code`` says it (trusted-citations §5.3).
    """
    if not evidence:
        return _without_call(model, PendingCode.NO_EVIDENCE)
    if not spans:
        return _without_call(model, None)
    given = json.dumps(_input(question, answer, spans, evidence), ensure_ascii=False)
    asked = ask(
        model,
        [Saying("system", prompt(ANNOTATOR).text), Saying("user", given)],
        lambda text: read_annotations(text, spans, evidence),
        schema_name="annotations",
        schema=_SCHEMA,
        budget=budget,
        world=world,
    )
    return Annotated(asked.value or (), asked.code, asked.faults, asked.exchanges, _trace(model, asked.exchanges))


def _without_call(model: Model, code: PendingCode | None) -> Annotated:
    return Annotated((), code, (), (), _trace(model, ()))


def _trace(model: Model, exchanges: Sequence[Exchange]) -> Trace:
    used, cost = prompt(ANNOTATOR), cost_of(exchanges)
    return Trace(model.provider, model.name, used.version, used.sha256, **asdict(cost))


def _input(question: str, answer: str, spans: Sequence[Span], evidence: Sequence[EvidenceBlock]) -> JsonObject:
    return {
        "question": question,
        "answer": answer,
        "spans": [{"span_id": span.id, "kind": span.kind.value, "text": span.text} for span in spans],
        "evidence_blocks": [block_record(block) for block in evidence],
    }


def block_record(block: EvidenceBlock) -> JsonObject:
    """A block as a model is given it."""
    return {
        "block_id": block.id,
        "doc_id": block.document,
        "title": block.title,
        "section": block.section,
        "text": block.text,
    }


def read_annotations(text: str, spans: Sequence[Span], evidence: Sequence[EvidenceBlock]) -> tuple[Annotation, ...]:
    """The annotations in a model's reply, in the order of ``spans``. Raises UnreadableReplyError.

    An empty list of blocks says that a claim cites nothing, which leaving it out says as well.
    """
    found = read_object(text, _FIELDS)["annotations"]
    if not isinstance(found, list):
        raise broken_form(f"annotations: expected a list, found {describe(found)}")
    chosen = [_item(at, item) for at, item in enumerate(found)]
    _refuse(PendingCode.FOREIGN_SPAN, _foreign_spans(chosen, {span.id for span in spans}))
    _refuse(PendingCode.FOREIGN_BLOCK, _foreign_blocks(chosen, {block.id for block in evidence}))
    _refuse(PendingCode.DUPLICATE, _repeated(chosen))
    blocks = {span: ids for span, ids in chosen if ids}
    cited = [span.id for span in spans if span.id in blocks]
    return tuple(Annotation(f"annotation_{at:04d}", span, tuple(blocks[span])) for at, span in enumerate(cited, 1))


Chosen = tuple[str, list[str]]
"""A span's id, and ids of blocks."""


def _item(at: int, item: JsonValue) -> Chosen:
    if not isinstance(item, dict) or item.keys() != _ITEM_FIELDS:
        raise broken_form(f"annotations[{at}]: expected an object with span_id and block_ids")
    span, blocks = item["span_id"], item["block_ids"]
    if not isinstance(span, str):
        raise broken_form(f"annotations[{at}].span_id: expected text, found {describe(span)}")
    if not isinstance(blocks, list) or not all(isinstance(block, str) for block in blocks):
        raise broken_form(f"annotations[{at}].block_ids: expected a list of texts")
    return span, [str(block) for block in blocks]


def _refuse(code: PendingCode, faults: Iterator[str]) -> None:
    found = tuple(islice(faults, _MOST_FAULTS))
    if found:
        raise UnreadableReplyError(code, (*found, "and more") if next(faults, None) else found)


def _foreign_spans(chosen: Sequence[Chosen], known: set[str]) -> Iterator[str]:
    for at, (span, _) in enumerate(chosen):
        if span not in known:
            yield f"annotations[{at}].span_id: {describe(span)} is none of the spans"


def _foreign_blocks(chosen: Sequence[Chosen], known: set[str]) -> Iterator[str]:
    for at, (_, blocks) in enumerate(chosen):
        for block in blocks:
            if block not in known:
                yield f"annotations[{at}].block_ids: {describe(block)} is none of the evidence blocks"


def _repeated(chosen: Sequence[Chosen]) -> Iterator[str]:
    seen: set[str] = set()
    for at, (span, blocks) in enumerate(chosen):
        if span in seen:
            yield f"annotations[{at}].span_id: {describe(span)} stands twice"
        seen.add(span)
        cited: set[str] = set()
        for block in blocks:
            if block in cited:
                yield f"annotations[{at}].block_ids: {describe(block)} stands twice"
            cited.add(block)
