"""The line of a conversation: what a branch inherits from the threads before it, then its own messages."""

from collections.abc import Mapping
from dataclasses import dataclass

from shareview.chat.sessions import Thread, ThreadState


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of a line: the messages of ``thread`` up to ``last``; all of them where that is empty."""

    thread: str
    last: str = ""


def lineage(thread: str, threads: Mapping[str, Thread]) -> tuple[Stretch, ...]:
    """The stretches of the line that ends in ``thread``, oldest first; the last one is that thread itself.

    A thread whose fork is unknown, or whose parent was deleted or is not among ``threads``, inherits nothing.
    """
    line = [Stretch(thread)]
    current = threads[thread]
    seen = {thread}
    while current.fork and current.parent and current.parent not in seen:
        parent = threads.get(current.parent)
        if parent is None or parent.state is ThreadState.DELETED:
            break
        line.append(Stretch(parent.id, current.fork.message))
        seen.add(parent.id)
        current = parent
    return tuple(reversed(line))
