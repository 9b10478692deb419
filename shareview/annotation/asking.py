"""Asking a model for JSON of a given form: at most two calls, within a budget, everything kept for the trace."""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from shareview.annotation.models import Model, ModelError, Question, Reply, Saying, Schema
from shareview.chat.artifacts import PendingCode

MOST_CALLS: Final = 2
_LONGEST_WAIT: Final = 10.0
_SHOWN_FAULTS: Final = 10
Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class CallBudget:
    """What all calls of one question may cost: tokens in and out together, tokens out of one call, seconds."""

    tokens: int = 120_000
    output_tokens: int = 4_096
    seconds: float = 120.0


DEFAULT_BUDGET: Final = CallBudget()


@dataclass(frozen=True, slots=True)
class World:
    """Where seconds come from, and how one waits."""

    clock: Callable[[], float] = time.monotonic
    pause: Callable[[float], None] = time.sleep


THE_WORLD: Final = World()


@dataclass
class UnreadableReplyError(Exception):
    """A reply breaks its contract: under which code, and all that is wrong with it, a sentence each."""

    code: PendingCode
    faults: Sequence[str]

    def __str__(self) -> str:
        return "; ".join(self.faults[:_SHOWN_FAULTS])


@dataclass(frozen=True, slots=True)
class Exchange:
    """One call as it was: what was said, what came back, what was wrong with it, and what it cost."""

    sayings: tuple[Saying, ...]
    output: str
    fault: str
    input_tokens: int
    output_tokens: int
    latency_ms: int


@dataclass(frozen=True, slots=True)
class Cost:
    """What calls came to together."""

    calls: int
    input_tokens: int
    output_tokens: int
    latency_ms: int


def cost_of(exchanges: Sequence[Exchange]) -> Cost:
    """What ``exchanges`` came to together."""
    return Cost(
        calls=len(exchanges),
        input_tokens=sum(exchange.input_tokens for exchange in exchanges),
        output_tokens=sum(exchange.output_tokens for exchange in exchanges),
        latency_ms=sum(exchange.latency_ms for exchange in exchanges),
    )


@dataclass(frozen=True)
class Asked(Generic[Read]):
    """What came of asking: the reply as it was read, or None and a code; ``faults`` of the last call."""

    value: Read | None
    code: PendingCode | None
    faults: tuple[str, ...]
    exchanges: tuple[Exchange, ...]


def estimated_tokens(text: str) -> int:
    """About how many tokens ``text`` takes, rather too many: three ASCII characters a token, others one each."""
    ascii_count = sum(char.isascii() for char in text)
    return math.ceil(ascii_count / 3) + len(text) - ascii_count


def _estimated(sayings: Sequence[Saying]) -> int:
    return sum(estimated_tokens(saying.text) for saying in sayings)


@dataclass
class _Asking(Generic[Read]):
    model: Model
    sayings: list[Saying]
    schema_name: str
    schema: Schema
    read: Callable[[str], Read]
    budget: CallBudget
    world: World
    exchanges: list[Exchange] = field(default_factory=list)
    spent: int = 0
    code: PendingCode | None = None
    faults: tuple[str, ...] = ()

    def run(self) -> Asked[Read]:
        deadline = self.world.clock() + self.budget.seconds
        for _ in range(MOST_CALLS):
            if not self._may_call(deadline):
                break
            try:
                value = self._call(deadline)
            except UnreadableReplyError as error:
                self.code, self.faults = error.code, tuple(error.faults)
                if error.code is PendingCode.BUDGET:
                    break
                self._correct(error)
            except ModelError as error:
                self.code, self.faults = error.code, (error.detail,)
                wait = error.wait_seconds
                if not error.may_repeat or wait > min(_LONGEST_WAIT, deadline - self.world.clock()):
                    break
                self.world.pause(wait)
            else:
                return Asked(value, None, (), tuple(self.exchanges))
        return Asked(None, self.code, self.faults, tuple(self.exchanges))

    def _may_call(self, deadline: float) -> bool:
        """Whether another call fits the budget; where not even the first does, that is what went wrong."""
        wanted = _estimated(self.sayings) + self.budget.output_tokens
        if self.spent + wanted > self.budget.tokens:
            self.code = self.code or PendingCode.BUDGET
            self.faults = self.faults or (f"needs about {wanted} tokens of {self.budget.tokens}",)
            return False
        if self.world.clock() >= deadline:
            self.code = PendingCode.TIMEOUT
            return False
        return True

    def _call(self, deadline: float) -> Read:
        begun = self.world.clock()
        seconds = deadline - begun
        question = Question(tuple(self.sayings), self.schema_name, self.schema, self.budget.output_tokens, seconds)
        try:
            reply = self.model.reply(question)
        except ModelError as error:
            self._note(begun, "", str(error))
            raise
        self.spent += (reply.input_tokens or _estimated(self.sayings)) + (
            reply.output_tokens or estimated_tokens(reply.text)
        )
        try:
            value = self._read(reply)
        except UnreadableReplyError as error:
            self._note(begun, reply.text, f"{error.code}: {error}", reply)
            # Half of a surrogate pair cannot be sent back.
            self.sayings.append(Saying("assistant", reply.text.encode("utf-8", "replace").decode()))
            raise
        self._note(begun, reply.text, "", reply)
        return value

    def _read(self, reply: Reply) -> Read:
        if reply.is_cut:
            raise UnreadableReplyError(PendingCode.BUDGET, ["the reply was cut off at the bound on its length"])
        return self.read(reply.text)

    def _note(self, begun: float, output: str, fault: str, reply: Reply | None = None) -> None:
        taken = round(1000 * (self.world.clock() - begun))
        tokens = (reply.input_tokens, reply.output_tokens) if reply else (0, 0)
        self.exchanges.append(Exchange(tuple(self.sayings), output, fault, *tokens, taken))

    def _correct(self, error: UnreadableReplyError) -> None:
        listed = "\n".join(f"- {fault}" for fault in error.faults[:_SHOWN_FAULTS])
        self.sayings.append(
            Saying("user", f"That reply breaks the rules:\n{listed}\nReply again, with the JSON object alone.")
        )


def ask(
    model: Model,
    sayings: Sequence[Saying],
    read: Callable[[str], Read],
    *,
    schema_name: str,
    schema: Schema,
    budget: CallBudget = DEFAULT_BUDGET,
    world: World = THE_WORLD,
) -> Asked[Read]:
    """What ``read`` makes of the model's reply to ``sayings``; a second call where the first may be mended by it.

    ``read`` raises UnreadableReplyError; its faults are told to the model. Nothing is raised for what the model or
    its provider does: it is in the result.
    """
    return _Asking(model, list(sayings), schema_name, schema, read, budget, world).run()
