"""Which messages of an export enter a share: the threads asked for, up to the message watermark."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from shareview.chat.messages import MessageOutline, Role
from shareview.chat.sessions import Thread, ThreadState
from shareview.chat.turns import Turn, group_turns, in_thread
from shareview.exports.spool import Export


class FreezeError(Exception):
    """A session cannot be frozen as asked; the sentence says why, and what could be asked instead."""


@dataclass(frozen=True)
class Selection:
    """What enters: ``threads`` by id, ``messages`` by id; ``notices`` say what was left out on its own account.

    ``hidden_system_messages`` stand among those messages and are not shown.
    """

    threads: dict[str, Thread]
    messages: dict[str, MessageOutline]
    notices: tuple[str, ...]
    hidden_system_messages: int = 0


def select_messages(
    export: Export, *, up_to: Sequence[str] = (), threads: Sequence[str] = (), show_system: bool = False
) -> Selection:
    """The messages of ``threads`` (all, where none is named) up to the messages ``up_to``, one a thread.

    A thread without one is cut at the newest time of those given, or, where times lack, at that place of the
    file; an unfinished turn at its end stays out. A named thread brings what its reader needs of the threads it
    was forked from: all up to the fork.

    Raises FreezeError.
    """
    known = {thread.id: thread for thread in export.threads}
    outlines = tuple(m for m in export.outlines if show_system or m.role is not Role.SYSTEM)
    order = {outline.id: at for at, outline in enumerate(export.outlines)}
    ends = _forks_of(known, threads, order)
    forks = {thread.fork.message for thread in export.threads if thread.fork}
    watermarks = _watermarks(export, outlines, up_to)
    chosen: dict[str, Thread] = {}
    messages: dict[str, MessageOutline] = {}
    notices: list[str] = []
    for thread in export.threads:
        if thread.id not in ends or thread.state is ThreadState.DELETED:
            if thread.id in ends:
                chosen[thread.id] = thread
            continue
        standing = in_thread(outlines, thread.id)
        kept = _cut(standing, watermarks, thread.id, order)
        kept, unfinished = _finished(kept, forks)
        if unfinished and ends[thread.id] is None:
            notices.append(_unfinished_notice(thread.id, unfinished, many=len(known) > 1))
        end = ends[thread.id]
        kept = kept if end is None else _up_to(kept, end)
        if kept or not standing:
            chosen[thread.id] = thread
            messages |= {message.id: message for message in kept}
    if not any(message.role is not Role.SYSTEM for message in messages.values()):
        raise FreezeError("nothing to publish: no turn of the session is finished")
    return Selection(chosen, messages, tuple(notices), _hidden(export, messages, order))


def _hidden(export: Export, messages: dict[str, MessageOutline], order: dict[str, int]) -> int:
    """How many SYSTEM messages stand before the last message of their thread and do not enter."""
    last: dict[str, int] = {}
    for message in messages.values():
        last[message.thread] = order[message.id]
    return sum(
        outline.role is Role.SYSTEM and outline.id not in messages and at < last.get(outline.thread, -1)
        for at, outline in enumerate(export.outlines)
    )


def _forks_of(known: dict[str, Thread], named: Sequence[str], order: dict[str, int]) -> dict[str, str | None]:
    """Each thread that enters, with the last message of it that does; None for all."""
    if not named:
        return dict.fromkeys(known)
    ends: dict[str, str | None] = {}
    for id in named:
        if id not in known:
            raise FreezeError(f'--thread "{id}": the session has no such thread; it has {", ".join(known)}')
        if known[id].state is ThreadState.DELETED:
            raise FreezeError(f'--thread "{id}": this thread was deleted and is never published')
        thread = known[id]
        ends[id] = None
        while thread.parent is not None and thread.fork is not None and thread.parent not in named:
            fork, before = thread.fork.message, ends.get(thread.parent)
            if before is None or order.get(fork, -1) > order.get(before, -1):
                ends[thread.parent] = fork
            thread = known[thread.parent]
    return ends


def _watermarks(export: Export, outlines: Sequence[MessageOutline], up_to: Sequence[str]) -> dict[str, MessageOutline]:
    by_id = {outline.id: outline for outline in outlines}
    found: dict[str, MessageOutline] = {}
    for id in up_to:
        outline = by_id.get(id)
        valid = _turn_ends(export, outlines, outline.thread if outline else None)
        if outline is None:
            raise FreezeError(f"--up-to {id}: the session has no such message; {_nearest(export, id, valid)}")
        if id not in valid:
            raise FreezeError(f"--up-to {id}: not the last message of a finished turn; {_nearest(export, id, valid)}")
        if outline.thread in found:
            raise FreezeError(f"--up-to {id}: thread {outline.thread} has one already")
        found[outline.thread] = outline
    return found


def _turn_ends(export: Export, outlines: Sequence[MessageOutline], thread: str | None) -> list[str]:
    threads = [thread] if thread is not None else [t.id for t in export.threads if t.state is not ThreadState.DELETED]
    turns = [turn for id in threads for turn in group_turns(in_thread(outlines, id))]
    return [turn.messages[-1].id for turn in turns if turn.is_finished]


def _nearest(export: Export, id: str, valid: Sequence[str]) -> str:
    if not valid:
        return "no turn of the session is finished"
    order = {outline.id: at for at, outline in enumerate(export.outlines)}
    if id in order:
        place = order[id]
        before = [end for end in valid if order[end] < place][-1:]
        after = [end for end in valid if order[end] > place][:1]
    elif id.isdecimal() and all(end.isdecimal() for end in valid):
        before = [end for end in valid if int(end) < int(id)][-1:]
        after = [end for end in valid if int(end) > int(id)][:1]
    else:
        before, after = list(valid[-3:]), []
    return f"the nearest valid ids are {', '.join(before + after)}"


def _cut(
    standing: tuple[MessageOutline, ...],
    watermarks: dict[str, MessageOutline],
    thread: str,
    order: dict[str, int],
) -> tuple[MessageOutline, ...]:
    if not watermarks:
        return standing
    if thread in watermarks:
        return _up_to(standing, watermarks[thread].id)
    moments = [_moment(mark) for mark in watermarks.values() if mark.created_at]
    if moments and all(message.created_at for message in standing):
        return tuple(message for message in standing if _moment(message) <= max(moments))
    last = max(order[mark.id] for mark in watermarks.values())
    return tuple(message for message in standing if order[message.id] <= last)


def _moment(message: MessageOutline) -> datetime:
    moment = message.created_at or datetime.min.replace(tzinfo=UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _up_to(messages: tuple[MessageOutline, ...], last: str) -> tuple[MessageOutline, ...]:
    """``messages`` up to the one with id ``last``; none where it is not among them."""
    at = next((at for at, message in enumerate(messages) if message.id == last), -1)
    return messages[: at + 1]


def _finished(messages: tuple[MessageOutline, ...], forks: set[str]) -> tuple[tuple[MessageOutline, ...], Turn | None]:
    """``messages`` without the turn at their end that is not finished, and that turn.

    What a branch was forked from stays, finished or not: its reader needs it.
    """
    turns = group_turns(messages)
    if not turns or turns[-1].is_finished or messages[-1].id in forks:
        return messages, None
    return messages[: -len(turns[-1].messages)], turns[-1]


def _unfinished_notice(thread: str, turn: Turn, *, many: bool) -> str:
    where = f" of thread {thread}" if many else ""
    return f"the last turn{where} (from message {turn.messages[0].id}) is unfinished and stays out"
