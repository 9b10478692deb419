"""The native records of a selection, as they are frozen: checked citations, no word of what stays out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from shareview.chat.messages import Message, Role
from shareview.chat.sessions import ThreadState
from shareview.chat.turns import Turn, group_turns, in_thread
from shareview.citations.checking import CheckedCitations, DroppedCitation, check_citations, cite, drop_all
from shareview.citations.turn_sources import TurnSources
from shareview.exports.jsonlines import JsonObject, JsonValue, canonical
from shareview.exports.spool import Export, RecordKind, SpooledRecord, message_of
from shareview.snapshots.hiding import NOTHING_HIDDEN, Hiding, hidden_quote, hide_parts, without_evidence
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


def frozen_lines(export: Export, selection: Selection, hiding: Hiding = NOTHING_HIDDEN) -> Iterator[FrozenLine]:
    """The lines that the digest covers, in file order (session-export, "Digest").

    Citations are checked on all of the export, and only then ``hiding`` is left out.
    """
    told = _told(export, selection, hiding) if hiding.leaves_out_results else {}
    checker = _Checker(selection, _cut_threads(export, selection), hiding, told)
    checker.lacks_evidence = {spooled.artifact.message for spooled in export.artifacts} & (
        without_evidence(selection, hiding) - hiding.messages
    )
    for spooled in export.records:
        record = export.record(spooled)
        if spooled.kind is RecordKind.SESSION:
            yield FrozenLine(spooled.kind, "", canonical(record))
        elif spooled.kind is RecordKind.THREAD and spooled.id in selection.threads:
            yield FrozenLine(spooled.kind, spooled.id, canonical(_thread_record(record, spooled, selection, hiding)))
        elif spooled.kind is RecordKind.MESSAGE and spooled.id in selection.messages:
            yield checker.freeze(spooled, record, message_of(record, export.limits))


def _told(export: Export, selection: Selection, hiding: Hiding) -> dict[str, frozenset[str]]:
    """The addresses that each turn tells all the same, by its first message: those that an answer cites, or a result
    that is shown has.
    """
    checker = _Checker(selection, _cut_threads(export, selection), hiding)
    for spooled in export.records:
        if spooled.kind is RecordKind.MESSAGE and spooled.id in selection.messages:
            checker.check(message_of(export.record(spooled), export.limits))
    return checker.told


def _thread_record(record: JsonObject, spooled: SpooledRecord, selection: Selection, hiding: Hiding) -> JsonObject:
    thread = selection.threads[spooled.id]
    if thread.state is ThreadState.DELETED:
        # Only that it was deleted is frozen.
        return {"kind": "thread", "id": record["id"], "state": ThreadState.DELETED.value}
    if thread.parent is not None and thread.parent not in selection.threads:
        record["parent"] = None
    if thread.fork is not None and thread.fork.message not in selection.messages:
        record["fork"] = None
    elif thread.fork is not None and _is_left_out(thread.fork.message, selection, hiding):
        record["fork"] = {"message": thread.fork.message}
    return record


def _is_left_out(id: str, selection: Selection, hiding: Hiding) -> bool:
    outline = selection.messages.get(id)
    return outline is not None and hiding.leaves_out(id, outline.role)


class _Checker:
    def __init__(
        self,
        selection: Selection,
        cut: frozenset[str],
        hiding: Hiding = NOTHING_HIDDEN,
        told: Mapping[str, frozenset[str]] = MappingProxyType({}),
    ) -> None:
        self.told: dict[str, frozenset[str]] = dict(told)
        self.lacks_evidence: set[str] = set()
        self._selection = selection
        self._cut = cut
        self._hiding = hiding
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
        hides = self._hiding.leaves_out_results
        before = len(sources.registry.sources()) if hides and message.role is not Role.USER else 0
        checked, notice = self.check(message)
        _set_citations(record, _list_to_freeze(message, checked, sources))
        self._hide_sources(record, message)
        new = sources.registry.sources()[before:] if hides else ()
        cited = self.told.get(self._turns[message.id].messages[0].id, frozenset())
        record = hide_parts(
            record, message, self._hiding, new=new, cited=cited, lacks_evidence=message.id in self.lacks_evidence
        )
        shown = message_of(record) if "hidden" in record else message
        return FrozenLine(spooled.kind, spooled.id, canonical(record), shown, checked.dropped, notice)

    def check(self, message: Message) -> tuple[CheckedCitations, str]:
        """The citations that the thread's next message may show, and what there is to say of it."""
        sources, turn = self._sources[message.thread], self._turns[message.id]
        counts = sources.take(message)
        checked = checked_citations(message, turn, sources)
        if not self._hiding.leaves_out(message.id, message.role):
            first = turn.messages[0].id
            told = {citation.url for citation in checked.shown} | set(sources.addresses_in(message))
            self.told[first] = self.told.get(first, frozenset()) | told
        notice = "" if counts else f"message {message.id} answers no call of its turn and counts as no source"
        return checked, notice

    def _hide_sources(self, record: JsonObject, message: Message) -> None:
        quotes = record.get("quotes")
        if not isinstance(quotes, list):
            return
        record["quotes"] = [self._shown_quote(quote, message) for quote in quotes]

    def _shown_quote(self, quote: JsonValue, message: Message) -> JsonValue:
        if not isinstance(quote, dict):
            return quote
        source = quote.get("source")
        thread = self._selection.threads[message.thread]
        # A branch's quote without a source is of what the branch was forked at.
        origin = source.get("message") if isinstance(source, dict) else thread.fork and thread.fork.message
        if origin is not None and _is_left_out(str(origin), self._selection, self._hiding):
            return hidden_quote(quote)
        return {**quote, "source": self._shown_source(source)} if isinstance(source, dict) else quote

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
