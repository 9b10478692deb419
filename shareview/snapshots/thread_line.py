"""The line of a thread in a snapshot: what it inherited, up to its fork, then its own messages."""

import json
from dataclasses import dataclass

from shareview.chat.lineage import lineage
from shareview.chat.messages import Message
from shareview.chat.quotes import Quote
from shareview.chat.sessions import Fork, Thread, ThreadState
from shareview.chat.turns import MessagePart, group_turns
from shareview.exports.spool import message_of
from shareview.quotes.asked import AskedQuote
from shareview.quotes.model_input import InputMessage, model_input
from shareview.snapshots.derived import stored_outline
from shareview.snapshots.models import ShownThread, Snapshot


@dataclass(frozen=True)
class InheritedRound:
    """One round that a branch inherited: the positions of its messages, with what each was when it was forked."""

    thread: str
    parts: tuple[tuple[int, MessagePart], ...]


def inherited_rounds(snapshot: Snapshot, thread: str) -> list[InheritedRound]:
    """The rounds before ``thread``, oldest first; a version that was replaced only later stands in its place."""
    rows = {row.thread: row for row in snapshot.threads.all()}
    if thread not in rows:
        return []
    rounds: list[InheritedRound] = []
    for stretch in lineage(thread, {id: _thread(row) for id, row in rows.items()})[:-1]:
        last = snapshot.rendered.filter(message_id=stretch.last, thread=stretch.thread).first()
        if last is None:
            continue
        before = snapshot.rendered.filter(thread=stretch.thread, position__lte=last.position).order_by("position")
        stored = list(before.values_list("position", "message_id", "outline"))
        places = {id: position for position, id, _ in stored}
        turns = group_turns([stored_outline(id, stretch.thread, outline) for _, id, outline in stored])
        for turn in turns:
            parts = [(places[message.id], turn.part(message)) for message in turn.messages]
            shown = tuple((position, part) for position, part in parts if part is not MessagePart.HISTORY)
            if shown:
                rounds.append(InheritedRound(stretch.thread, shown))
    return rounds


def _thread(row: ShownThread) -> Thread:
    fork = Fork(row.fork_message, None) if row.fork_message else None
    return Thread(row.thread, row.title, row.parent or None, fork, ThreadState(row.state))


def thread_input(snapshot: Snapshot, thread: str) -> tuple[InputMessage, ...]:
    """What a model is given of ``thread``, with all that it inherited."""
    inherited = [position for one in inherited_rounds(snapshot, thread) for position, _ in one.parts]
    own = snapshot.rendered.filter(thread=thread).exclude(part=MessagePart.HISTORY).order_by("position")
    positions = [*inherited, *own.values_list("position", flat=True)]
    wanted = frozenset(positions)
    lines = snapshot.records.filter(kind="message").values_list("position", "line")
    said: dict[int, Message] = {at: message_of(json.loads(line)) for at, line in lines.iterator() if at in wanted}
    quotes: dict[str, list[AskedQuote]] = {}
    for row in snapshot.quotes.all():
        quotes.setdefault(row.message_id, []).append(AskedQuote(Quote(row.text, None, None)))
    return model_input([said[at] for at in positions], quotes)
