"""Whether evidence backs a claim: one claim a call, never its neighbours (trusted-citations §5.5).

A model that follows orders in a claim is the danger here. So orders cannot reach the rubric (claim and evidence are
JSON in a message of their own), and its word alone is no pass: it must copy the deciding words of the evidence, and
the program looks whether they stand there.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from shareview.annotation.annotator import block_record
from shareview.annotation.asking import THE_WORLD, Asked, CallBudget, Exchange, World, ask
from shareview.annotation.models import Model, Saying, Schema
from shareview.annotation.prompts import JUDGE, prompt
from shareview.annotation.replies import broken_form, read_object
from shareview.chat.artifacts import (
    Annotation,
    Artifact,
    EvidenceBlock,
    Judge,
    JudgedContext,
    PendingCode,
    Span,
    Verdict,
    VerdictValue,
)
from shareview.exports.jsonlines import describe

_SCHEMA: Final[Schema] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["verdict", "quote", "reason"],
    "properties": {
        "verdict": {"type": "string", "enum": [value.value for value in VerdictValue]},
        "quote": {"type": "string"},
        "reason": {"type": "string"},
    },
}
_FIELDS: Final = frozenset({"verdict", "quote", "reason"})
_LONGEST_REASON: Final = 600
_LEAST_WEIGHT: Final = 6
_WORD = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]|[^\W\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]+")


class JudgeCode(StrEnum):
    """Why a checker that was asked gave no verdict."""

    OUTPUT_INVALID = "judge_output_invalid"
    QUOTE_MISSING = "judge_quote_missing"
    BUDGET = "judge_budget"
    TIMEOUT = "judge_timeout"
    PROVIDER_ERROR = "provider_error"
    RATE_LIMITED = "provider_rate_limited"


_CODES: Final = {
    PendingCode.SCHEMA_INVALID: JudgeCode.OUTPUT_INVALID,
    PendingCode.BUDGET: JudgeCode.BUDGET,
    PendingCode.TIMEOUT: JudgeCode.TIMEOUT,
    PendingCode.PROVIDER_ERROR: JudgeCode.PROVIDER_ERROR,
    PendingCode.RATE_LIMITED: JudgeCode.RATE_LIMITED,
}


_CALL: Final = CallBudget(tokens=40_000, output_tokens=600, seconds=60.0)


@dataclass(frozen=True, slots=True)
class JudgeBudget:
    """What judging one answer may cost: calls, seconds in all, how many calls at once; and of each call."""

    calls: int = 500
    seconds: float = 600.0
    at_once: int = 4
    call: CallBudget = _CALL


DEFAULT_JUDGE_BUDGET: Final = JudgeBudget()


@dataclass(frozen=True)
class Judgement:
    """A checker's word; ``code`` is set where it gave none, and the value is UNKNOWN then."""

    value: VerdictValue
    reason: str
    code: JudgeCode | None
    context: JudgedContext
    exchanges: tuple[Exchange, ...]


def judge(
    claim: Span,
    block: EvidenceBlock,
    model: Model,
    *,
    context_id: str = "",
    budget: CallBudget = DEFAULT_JUDGE_BUDGET.call,
    world: World = THE_WORLD,
) -> Judgement:
    """Whether ``block`` backs ``claim``, by ``model``. Unreadable replies and failures are UNKNOWN with a code."""
    return judge_together(claim, [block], model, context_id=context_id, budget=budget, world=world)


def judge_together(
    claim: Span,
    blocks: Sequence[EvidenceBlock],
    model: Model,
    *,
    context_id: str = "",
    budget: CallBudget = DEFAULT_JUDGE_BUDGET.call,
    world: World = THE_WORLD,
) -> Judgement:
    """Whether ``blocks``, read together, back ``claim``; else as ``judge``."""
    context = JudgedContext(context_id or claim.id, claim.text, tuple(block.id for block in blocks))
    asked = ask(
        model,
        [Saying("system", prompt(JUDGE).text), Saying("user", _input(context, blocks))],
        read_verdict,
        schema_name="verdict",
        schema=_SCHEMA,
        budget=budget,
        world=world,
    )
    return _judgement(asked, context, blocks)


def _input(context: JudgedContext, blocks: Sequence[EvidenceBlock]) -> str:
    evidence = [block_record(block) for block in blocks]
    given = {"context_id": context.id, "kind": "claim", "text": context.text, "evidence": evidence}
    return json.dumps(given, ensure_ascii=False)


@dataclass(frozen=True)
class SaidVerdict:
    """What a model said, before its quote was looked for."""

    value: VerdictValue
    quote: str
    reason: str


def read_verdict(text: str) -> SaidVerdict:
    """The verdict in a model's reply. Raises UnreadableReplyError."""
    said = read_object(text, _FIELDS)
    value, quote, reason = said["verdict"], said["quote"], said["reason"]
    if value not in {known.value for known in VerdictValue}:
        raise broken_form(f"verdict: expected supported, unsupported or unknown, found {describe(value)}")
    if not isinstance(quote, str) or not isinstance(reason, str):
        raise broken_form("quote and reason: expected texts")
    return SaidVerdict(VerdictValue(str(value)), quote, reason[:_LONGEST_REASON])


def _judgement(asked: "Asked[SaidVerdict]", context: JudgedContext, blocks: Sequence[EvidenceBlock]) -> Judgement:
    said = asked.value
    if said is None:
        code = _CODES.get(asked.code or PendingCode.PROVIDER_ERROR, JudgeCode.PROVIDER_ERROR)
        return Judgement(VerdictValue.UNKNOWN, "", code, context, asked.exchanges)
    if said.value is VerdictValue.SUPPORTED and not any(_holds(block.text, said.quote) for block in blocks):
        return Judgement(VerdictValue.UNKNOWN, "", JudgeCode.QUOTE_MISSING, context, asked.exchanges)
    return Judgement(said.value, said.reason, None, context, asked.exchanges)


def _holds(text: str, quote: str) -> bool:
    """Whether ``quote`` is words of ``text``, enough of them to decide anything; white space may differ.

    Enough are three words or six ideographs, or all that there is.
    """
    words, held = " ".join(quote.split()), " ".join(text.split())
    if not words or (_weight(words) < _LEAST_WEIGHT and words != held):
        return False
    return re.search(rf"(?<![0-9A-Za-z]){re.escape(words)}(?![0-9A-Za-z])", held) is not None


def _weight(words: str) -> int:
    return sum(1 if len(word) == 1 and not word.isascii() else 2 for word in _WORD.findall(words))


@dataclass(frozen=True)
class JudgedArtifact:
    """An artifact with its verdicts, and all calls that were made for them."""

    artifact: Artifact
    exchanges: tuple[Exchange, ...]


def judge_artifact(
    artifact: Artifact, model: Model, *, budget: JudgeBudget = DEFAULT_JUDGE_BUDGET, world: World = THE_WORLD
) -> JudgedArtifact:
    """``artifact`` with a verdict of ``model`` on each block of each annotation, and on all of several together.

    Earlier verdicts give way. What the budget does not reach is UNKNOWN with a code.
    """
    spans = {span.id: span for span in artifact.spans}
    blocks = {block.id: block for block in artifact.blocks}
    asked = [
        (annotation, part, spans[annotation.span], [blocks[id] for id in part])
        for annotation in artifact.annotations
        for part in _parts(annotation)
    ]
    deadline = world.clock() + budget.seconds

    def judge_one(at: int) -> Judgement:
        annotation, _, span, of = asked[at]
        left = deadline - world.clock()
        if at >= budget.calls or left <= 0:
            code = JudgeCode.BUDGET if at >= budget.calls else JudgeCode.TIMEOUT
            context = JudgedContext(annotation.id, span.text, ())
            return Judgement(VerdictValue.UNKNOWN, "", code, context, ())
        call = replace(budget.call, seconds=min(budget.call.seconds, left))
        return judge_together(span, of, model, context_id=annotation.id, budget=call, world=world)

    judged = _in_parallel(judge_one, range(len(asked)), budget.at_once)
    verdicts = tuple(
        _verdict(annotation, part, judgement) for (annotation, part, _, _), judgement in zip(asked, judged, strict=True)
    )
    contexts = tuple(judgement.context for judgement in judged if judgement.context.blocks)
    used = prompt(JUDGE)
    by = Judge(model.provider, model.name, used.version, used.sha256, contexts)
    exchanges = tuple(exchange for judgement in judged for exchange in judgement.exchanges)
    return JudgedArtifact(replace(artifact, verdicts=verdicts, judge=by), exchanges)


def _parts(annotation: Annotation) -> list[tuple[str, ...]]:
    """Each block of an annotation alone, and all of them where there are several."""
    alone: list[tuple[str, ...]] = [(block,) for block in annotation.blocks]
    return [*alone, annotation.blocks] if len(alone) > 1 else alone


def _verdict(annotation: Annotation, part: tuple[str, ...], judgement: Judgement) -> Verdict:
    block = part[0] if len(part) == 1 else None
    return Verdict(annotation.id, block, judgement.value, judgement.reason, judgement.code or "")


def _in_parallel(work: Callable[[int], Judgement], each: Iterable[int], at_once: int) -> list[Judgement]:
    with ThreadPoolExecutor(max_workers=at_once) as threads:
        return list(threads.map(work, each))
