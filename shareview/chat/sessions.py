"""Sessions and their threads."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from shareview.chat.quotes import Selector

MAIN_THREAD: Final = "main"
"""The thread of a session that names none."""


class ThreadState(StrEnum):
    """Whether a thread is in use; a deleted one is never frozen."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Fork:
    """Where a thread left its parent: the parent's message, and the passage chosen in it."""

    message: str
    selector: Selector | None


@dataclass(frozen=True, slots=True)
class Thread:
    """One line of a conversation; ``parent`` is the thread it was forked from."""

    id: str
    title: str
    parent: str | None
    fork: Fork | None
    state: ThreadState


@dataclass(frozen=True, slots=True)
class Session:
    """What an export says about the whole conversation; empty strings where it says nothing."""

    id: str = ""
    title: str = ""
    exported_at: datetime | None = None
    app: str = ""
    model: str = ""
