"""The native records of a selection, as they are frozen: checked citations, no word of what stays out."""

from collections.abc import Iterator
from dataclasses import dataclass

from shareview.chat.messages import Message, Role
from shareview.chat.sessions import ThreadState
from shareview.chat.turns import Turn, group_turns, in_thread
from shareview.citations.checking import CheckedCitations, DroppedCitation, check_citations, cite, drop_all
from shareview.citations.turn_sources import TurnSources
from shareview.exports.jsonlines import JsonObject, JsonValue, canonical
from shareview.exports.spool import Export, RecordKind, SpooledRecord, message_of
from shareview.snapshots.selection import Selection


@dataclass(frozen=True)
class FrozenLine:
    """One record: its canonical JSON, and what its check found."""

    kind: RecordKind
    id: str
    line: str
    message: Message | None = None
    dropped: tuple[DroppedCitation, ...] = ()
    notice: str = ""


def frozen_lines(export: Export, selection: Selection) -> Iterator[FrozenLine]:
    """The lines that the digest covers, in file order (session-export, "Digest")."""
    checker = _Checker(selection, _cut_threads(export, selection))
    for spooled in export.records:
        record = export.record(spooled)
        if spooled.kind is RecordKind.SESSION:
            yield FrozenLine(spooled.kind, "", canonical(record))
        elif spooled.kind is RecordKind.THREAD and spooled.id in selection.threads:
            yield FrozenLine(spooled.kind, spooled.id, canonical(_thread_record(record, spooled, selection)))
        elif spooled.kind is RecordKind.MESSAGE and spooled.id in selection.messages:
            yield checker.freeze(spooled, record, message_of(record, export.limits))


def _thread_record(record: JsonObject, spooled: SpooledRecord, selection: Selection) -> JsonObject:
    thread = selection.threads[spooled.id]
    if thread.state is ThreadState.DELETED:
        # Only that it was deleted is frozen.
        return {"kind": "thread", "id": record["id"], "state": ThreadState.DELETED.value}
    if thread.parent is not None and thread.parent not in selection.threads:
        record["parent"] = None
    if thread.fork is not None and thread.fork.message not in selection.messages:
        record["fork"] = None
    return record


class _Checker:
    def __init__(self, selection: Selection, cut: frozenset[str]) -> None:
        self._selection = selection
        self._cut = cut
        self._sources = {thread: TurnSources() for thread in selection.threads}
        outlines = tuple(selection.messages.values())
        self._turns: dict[str, Turn] = {
            message.id: turn
            for thread in selection.threads
            for turn in group_turns(in_thread(outlines, thread))
            for message in turn.messages
        }

    def freeze(self, spooled: SpooledRecord, record: JsonObject, message: Message) -> FrozenLine:
        sources = self._sources[message.thread]
        notice = (
            "" if sources.take(message) else f"message {message.id} answers no call of its turn and counts as no source"
        )
        checked = checked_citations(message, self._turns[message.id], sources)
        _set_citations(record, _list_to_freeze(message, checked, sources))
        self._hide_sources(record)
        return FrozenLine(spooled.kind, spooled.id, canonical(record), message, checked.dropped, notice)

    def _hide_sources(self, record: JsonObject) -> None:
        quotes = record.get("quotes")
        for quote in quotes if isinstance(quotes, list) else ():
            if isinstance(quote, dict) and isinstance(source := quote.get("source"), dict):
                quote["source"] = self._shown_source(source)

    def _shown_source(self, source: JsonObject) -> JsonValue:
        """What of a quote's source enters: nothing that tells of what lies outside the share, or whether it exists."""
        thread = self._selection.threads.get(str(source.get("thread")))
        if thread is None:
            return None
        if thread.state is ThreadState.DELETED:
            return {"thread": source["thread"], "message": None}
        if str(source.get("message")) in self._selection.messages:
            return source
        return None if thread.id in self._cut else {**source, "message": None}


def _cut_threads(export: Export, selection: Selection) -> frozenset[str]:
    """The threads of which something was left out."""
    outside = (one for one in export.outlines if one.id not in selection.messages and one.role is not Role.SYSTEM)
    return frozenset(one.thread for one in outside)


def checked_citations(message: Message, turn: Turn, sources: TurnSources) -> CheckedCitations:
    """The citations that ``message`` may show, given its turn and what the turn retrieved up to it."""
    if turn.is_cited(message.outline()):
        return check_citations(message.content, message.citations, sources.registry)
    return drop_all(message.citations)


def _list_to_freeze(message: Message, checked: CheckedCitations, sources: TurnSources) -> list[JsonValue] | None:
    if checked.shown:
        return [{"n": c.n, "url": c.url, "title": c.title} for c in checked.shown]
    # A recorded list decides even where nothing of it is left; without it the list would be built anew when the
    # export is read again.
    would_be_built = checked.recorded and cite(message.content, sources.registry.sources())
    return [] if would_be_built else None


def _set_citations(record: JsonObject, citations: list[JsonValue] | None) -> None:
    metadata = record.get("metadata")
    if isinstance(metadata, dict):
        metadata.pop("citations", None)
    if citations is None:
        return
    if not isinstance(metadata, dict):
        metadata = record["metadata"] = {}
    metadata["citations"] = citations
