"""What annotating and judging ask of a model, whoever serves it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from shareview.chat.artifacts import PendingCode

Schema = Mapping[str, object]
"""A JSON Schema."""


@dataclass(frozen=True, slots=True)
class Saying:
    """One message of a conversation with a model; ``role`` is ``system``, ``user`` or ``assistant``."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A call: what is said, the form of the reply, and what it may cost (tokens of output, seconds in all)."""

    sayings: Sequence[Saying]
    schema_name: str
    schema: Schema
    output_tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said; ``is_cut`` where it ran into the bound on its output."""

    text: str
    is_cut: bool
    input_tokens: int
    output_tokens: int


@dataclass
class ModelError(Exception):
    """A call brought no reply: why, in which words of the provider, whether and when asking again makes sense."""

    code: PendingCode
    detail: str
    may_repeat: bool
    wait_seconds: float = 0.0

    def __str__(self) -> str:
        return f"{self.code}: {self.detail}"


class Model(Protocol):
    """A model behind some endpoint."""

    @property
    def provider(self) -> str:
        """Who serves it."""
        ...

    @property
    def name(self) -> str:
        """Which model it is, in the provider's words."""
        ...

    def reply(self, question: Question) -> Reply:
        """The reply to ``question``, at temperature 0. Raises ModelError."""
        ...
