"""The threads of a share: which one is shown, and the tree of them all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from shareview.chat.sessions import ThreadState
from shareview.pages.access import NoSuchPlaceError
from shareview.pages.addresses import PageAddresses
from shareview.pages.states import PageState
from shareview.shares.models import Share
from shareview.snapshots.models import ShownThread, Snapshot

_DEEPEST: Final = 6
"""Levels of the tree; what branches deeper stands at the last of them."""


@dataclass(frozen=True)
class ThreadEntry:
    """A thread of the tree with its branches; a deleted one has no ``href``."""

    name: str
    href: str
    fragment_address: str
    count: int
    state: str
    is_current: bool
    branches: "tuple[ThreadEntry, ...]"


@dataclass(frozen=True)
class ThreadTree:
    """All threads of a share, ``count`` of them."""

    count: int
    entries: tuple[ThreadEntry, ...]


def shown_thread(share: Share, asked: str) -> str:
    """The thread to show: the one asked for, else that which was shared, else the first without a parent.

    Raises NoSuchPlaceError where the share holds no such thread, or only that it was deleted.
    """
    rows = [row for row in share.snapshot.threads.all() if row.state != ThreadState.DELETED]
    known = [row.thread for row in rows]
    if asked:
        if asked not in known:
            raise NoSuchPlaceError
        return asked
    if share.thread in known:
        return share.thread
    spoken = [row for row in rows if row.message_count]
    return next((row.thread for row in spoken if not row.parent), spoken[0].thread)


def thread_name(row: ShownThread) -> str:
    """What a thread is called."""
    return row.title or _("Untitled thread")


def thread_tree(snapshot: Snapshot, current: str, state: PageState, addresses: PageAddresses) -> ThreadTree | None:
    """The tree of the threads; None where there is only one."""
    rows = list(snapshot.threads.all())
    parents = {row.thread: row.parent for row in rows}
    below: dict[str, list[ShownThread]] = {}
    for row in rows:
        below.setdefault(_parent_in_tree(row.thread, parents), []).append(row)

    def entries(parent: str) -> tuple[ThreadEntry, ...]:
        return tuple(_entry(row, current, state, addresses, entries(row.thread)) for row in below.get(parent, ()))

    return ThreadTree(len(rows), entries("")) if len(rows) > 1 else None


def _parent_in_tree(thread: str, parents: Mapping[str, str]) -> str:
    """Below which thread ``thread`` stands: its parent, or where that lies too deep an ancestor; empty for none."""
    line: list[str] = []
    parent = parents[thread]
    while parent in parents and parent not in line:
        line.append(parent)
        parent = parents[parent]
    return (line[0] if len(line) < _DEEPEST else line[1 - _DEEPEST]) if line else ""


def _entry(
    row: ShownThread, current: str, state: PageState, addresses: PageAddresses, branches: tuple[ThreadEntry, ...]
) -> ThreadEntry:
    is_deleted = row.state == ThreadState.DELETED
    there = state.in_thread(row.thread)
    return ThreadEntry(
        name=_("Deleted thread") if is_deleted else thread_name(row),
        href="" if is_deleted else addresses.page(there),
        fragment_address="" if is_deleted else addresses.thread(there),
        count=row.message_count,
        state=row.state,
        is_current=row.thread == current,
        branches=branches,
    )
