"""From frozen records to the threads and quotes that are shown: where each branch came from, where each quote leads."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from shareview.chat.messages import Message, MessageOutline
from shareview.chat.quotes import Quote, QuoteSource
from shareview.chat.sessions import MAIN_THREAD, Thread, ThreadState
from shareview.chat.turns import group_turns, in_thread
from shareview.chat.versions import successors
from shareview.exports.spool import RecordKind, message_of
from shareview.exports.thread_records import thread_of
from shareview.quotes.asked import AskedQuotes, asked_quotes
from shareview.quotes.resolving import Landing, QuoteState, Shared, resolve_quote
from shareview.quotes.visible_text import visible_text
from shareview.rendering.characters import shown_characters
from shareview.snapshots.derivation import DerivedMessage, RecordLine
from shareview.snapshots.models import ShownQuote, ShownThread, Snapshot


@dataclass(frozen=True, slots=True)
class _Quoted:
    """A quote above a question, or what a thread was forked at, that waits for its source."""

    quote: Quote
    question: str = ""
    number: int = 0
    branch: str = ""


class QuoteDerivation:
    """Threads and quotes of a snapshot whose messages are being rendered; complete once all were watched."""

    def __init__(self, records: Iterable[RecordLine]) -> None:
        self._threads: dict[str, Thread] = {}
        self._outlines: list[MessageOutline] = []
        self._positions: dict[str, int] = {}
        self.asked = self._read(records)
        self._shared = self._what_is_shared()
        self._waiting: dict[str, list[_Quoted]] = {}
        self._landings: dict[_Quoted, Landing] = {}
        self._quoted = [*self._above_questions(), *self._forks()]
        for quoted in self._quoted:
            self._waiting.setdefault(quoted.quote.source.message if quoted.quote.source else "", []).append(quoted)
        for source in [source for source in self._waiting if source not in self._positions]:
            self._settle(source, "")

    def _read(self, records: Iterable[RecordLine]) -> AskedQuotes:
        def messages() -> Iterator[Message]:
            for record in records:
                if record.kind == RecordKind.THREAD:
                    thread = thread_of(json.loads(record.line))
                    self._threads[thread.id] = thread
                elif record.kind == RecordKind.MESSAGE:
                    message = message_of(json.loads(record.line))
                    self._outlines.append(message.outline())
                    self._positions[message.id] = record.position
                    yield message

        asked = asked_quotes(messages(), self._threads)
        if not self._threads:
            self._threads[MAIN_THREAD] = Thread(MAIN_THREAD, "", None, None, ThreadState.ACTIVE)
        return asked

    def _what_is_shared(self) -> Shared:
        later: dict[str, str] = {}
        for thread in self._threads:
            later |= successors(group_turns(in_thread(self._outlines, thread)))
        return Shared(self._threads, {outline.id: outline.thread for outline in self._outlines}, later)

    def _above_questions(self) -> Iterator[_Quoted]:
        for question, quotes in self.asked.by_question.items():
            for number, asked in enumerate(quotes, 1):
                yield _Quoted(asked.quote, question, number)

    def _forks(self) -> Iterator[_Quoted]:
        for thread in self._threads.values():
            if thread.fork and thread.parent and thread.fork.selector:
                source = QuoteSource(thread.parent, thread.fork.message)
                yield _Quoted(Quote(thread.fork.selector.exact, source, thread.fork.selector), branch=thread.id)

    def watch(self, messages: Iterable[DerivedMessage]) -> Iterator[DerivedMessage]:
        """``messages`` as they come; the quotes that point to one are followed while it is at hand."""
        for message in messages:
            if message.message_id in self._waiting:
                self._settle(message.message_id, visible_text(message.html).text)
            yield message

    def _settle(self, source: str, text: str) -> None:
        """Follows the quotes that wait for ``source``, whose visible text is ``text``."""
        for quoted in self._waiting.pop(source):
            self._landings[quoted] = resolve_quote(quoted.quote, self._shared, lambda _: text)

    def quotes(self, snapshot: Snapshot) -> Iterator[ShownQuote]:
        """The unsaved rows of the quotes, in the order of their questions."""
        for quoted in self._quoted:
            if quoted.branch:
                continue
            landing, source = self._landings[quoted], quoted.quote.source
            is_told = landing.state not in (QuoteState.ABSENT, QuoteState.DELETED)
            named = self._threads[source.thread] if is_told and source else None
            title = (source.title or named.title) if source and named else ""
            yield ShownQuote(
                snapshot=snapshot,
                message_id=quoted.question,
                number=quoted.number,
                text=shown_characters(quoted.quote.text),
                title=shown_characters(title),
                state=landing.state,
                thread=landing.thread,
                source=landing.message,
                newest=landing.newest,
                passage_start=landing.passage.start if landing.passage else None,
                passage_end=landing.passage.end if landing.passage else None,
            )

    def threads(self, snapshot: Snapshot) -> Iterator[ShownThread]:
        """The unsaved rows of the threads, in the order of the file."""
        counts = Counter(outline.thread for outline in self._outlines)
        forks = {quoted.branch: self._landings[quoted] for quoted in self._quoted if quoted.branch}
        for place, thread in enumerate(self._threads.values()):
            fork, landing = thread.fork.message if thread.fork else "", forks.get(thread.id)
            is_in_parent = self._shared.places.get(fork) == thread.parent
            passage = landing.passage if landing and is_in_parent else None
            yield ShownThread(
                snapshot=snapshot,
                place=place,
                thread=thread.id,
                title=shown_characters(thread.title),
                state=thread.state,
                parent=thread.parent or "",
                fork_message=fork if is_in_parent else "",
                fork_position=self._positions.get(fork) if is_in_parent else None,
                passage_start=passage.start if passage else None,
                passage_end=passage.end if passage else None,
                message_count=counts[thread.id],
            )
