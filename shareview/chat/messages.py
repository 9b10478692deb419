"""Messages as the chat recorded them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from shareview.chat.quotes import Quote


class Role(StrEnum):
    """Who speaks."""

    USER = "USER"
    ASSISTANT = "ASSISTANT"
    TOOL = "TOOL"
    SYSTEM = "SYSTEM"


class Status(StrEnum):
    """How a message ended."""

    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    STREAMING = "streaming"


class HiddenPart(StrEnum):
    """What of a message was left out by whoever published it.

    ``ARGUMENTS`` are those of its tool calls, ``EVIDENCE`` the words of what its claims cite,
    ``ATTACHMENTS`` all that a message without content held.
    """

    CONTENT = "content"
    REASONING = "reasoning"
    ARGUMENTS = "arguments"
    EVIDENCE = "evidence"
    ATTACHMENTS = "attachments"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model called; ``arguments`` as text, JSON where the model wrote JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class RecordedCitation:
    """An entry of ``metadata.citations`` as the chat wrote it; nothing about it is trusted yet."""

    n: int
    url: str
    title: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file of a message: ``sha256`` names stored bytes, ``url`` a remote place; both may be empty."""

    name: str
    media_type: str
    sha256: str
    url: str
    size: int | None


@dataclass(frozen=True, slots=True)
class Approval:
    """Somebody's decision about a tool call."""

    approved: bool
    by: str
    at: str
    reason: str


@dataclass(frozen=True, slots=True)
class Truncation:
    """The chat kept only the start of a tool result; ``original_length`` where it is known, in code points."""

    original_length: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One message; ``content`` is what the model, the user or the tool wrote, never changed.

    ``citations`` is None where the chat recorded no list; an empty list is a list. ``hidden`` is what was left out.
    """

    id: str
    thread: str
    role: Role
    content: str
    reasoning: str = ""
    model: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    citations: tuple[RecordedCitation, ...] | None = None
    attachments: tuple[Attachment, ...] = ()
    approval: Approval | None = None
    truncation: Truncation | None = None
    created_at: datetime | None = None
    status: Status = Status.COMPLETED
    replaces: str = ""
    quotes: tuple[Quote, ...] = ()
    hidden: frozenset[HiddenPart] = frozenset()

    def outline(self) -> "MessageOutline":
        """The message without its texts."""
        return MessageOutline(
            id=self.id,
            thread=self.thread,
            role=self.role,
            status=self.status,
            says_something=bool(self.content.strip()) or HiddenPart.CONTENT in self.hidden,
            calls=tuple((call.id, call.name) for call in self.tool_calls),
            replaces=self.replaces,
            created_at=self.created_at,
        )


@dataclass(frozen=True, slots=True)
class MessageOutline:
    """What is known of a message without its texts: enough to find turns in a session of any length.

    ``calls`` are call ids with their tools' names.
    """

    id: str
    thread: str
    role: Role
    status: Status
    says_something: bool
    calls: tuple[tuple[str, str], ...]
    replaces: str
    created_at: datetime | None
