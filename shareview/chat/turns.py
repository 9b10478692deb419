"""Turns: a question and all up to the next (session-export, "Turns")."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from shareview.chat.messages import MessageOutline, Role, Status


class MessagePart(StrEnum):
    """What a message is in its turn; HISTORY is what a later message replaced, or all of a turn asked anew."""

    QUESTION = "question"
    STEP = "step"
    ANSWER = "answer"
    HISTORY = "history"
    SYSTEM = "system"


@dataclass(frozen=True)
class Turn:
    """The messages of one turn in order; ``question`` is None for what stands before the first question.

    ``replaced`` are the ids that a later message of the share replaces.
    """

    number: int
    question: MessageOutline | None
    messages: tuple[MessageOutline, ...]
    replaced: frozenset[str]

    @cached_property
    def answer(self) -> MessageOutline | None:
        """The final answer: the last that says something, calls no tool and was not replaced."""
        return next((m for m in reversed(self.messages) if is_answer(m) and m.id not in self.replaced), None)

    @property
    def is_history(self) -> bool:
        """Whether the question was asked anew: the whole turn is history then."""
        return self.question is not None and self.question.id in self.replaced

    @property
    def status(self) -> Status:
        """How the turn ended; STREAMING where it has not."""
        last = self.answer or self.messages[-1]
        if self.answer is None and last.status is Status.COMPLETED:
            return Status.STREAMING
        return last.status

    @property
    def is_finished(self) -> bool:
        """Whether the turn may be the last of a share."""
        return self.status is not Status.STREAMING

    def is_cited(self, message: MessageOutline) -> bool:
        """Whether ``message`` may carry citations: a completed answer, final or replaced by it."""
        if self.question is None or message.status is not Status.COMPLETED or not is_answer(message):
            return False
        return message == self.answer or message.id in self.replaced

    def part(self, message: MessageOutline) -> MessagePart:
        """What ``message`` is in this turn."""
        if message.role is Role.SYSTEM:
            return MessagePart.SYSTEM
        if self.is_history or message.id in self.replaced:
            return MessagePart.HISTORY
        if message.role is Role.USER:
            return MessagePart.QUESTION
        return MessagePart.ANSWER if message == self.answer else MessagePart.STEP


def is_answer(message: MessageOutline) -> bool:
    """Whether ``message`` can be a final answer."""
    return message.role is Role.ASSISTANT and message.says_something and not message.calls


def group_turns(messages: Sequence[MessageOutline]) -> tuple[Turn, ...]:
    """The turns of one thread, numbered from 1 in order; messages before the first question are a turn without one."""
    replaced = frozenset(m.replaces for m in messages if m.replaces)
    groups: list[list[MessageOutline]] = []
    for message in messages:
        if message.role is Role.USER or not groups:
            groups.append([])
        groups[-1].append(message)
    return tuple(_turn(number, group, replaced) for number, group in enumerate(groups, 1))


def _turn(number: int, group: list[MessageOutline], replaced: frozenset[str]) -> Turn:
    question = group[0] if group[0].role is Role.USER else None
    return Turn(number, question, tuple(group), replaced)


def in_thread(messages: Iterable[MessageOutline], thread: str) -> tuple[MessageOutline, ...]:
    """Those of ``messages`` that stand in ``thread``, in order."""
    return tuple(m for m in messages if m.thread == thread)
