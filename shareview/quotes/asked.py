"""The quotes above a question: its own, those that an edit inherits, and the one that a branch came from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from shareview.chat.messages import Message, Role
from shareview.chat.quotes import Quote, QuoteSource, Selector
from shareview.chat.sessions import Fork, Thread
from shareview.dialect.plain import plain_text
from shareview.quotes.visible_text import folded


@dataclass(frozen=True, slots=True)
class AskedQuote:
    """A quote as it stands above a question; ``is_fork`` where it is what the question's thread branched from."""

    quote: Quote
    is_fork: bool = False


@dataclass(frozen=True, slots=True)
class AskedQuotes:
    """The quotes of each question that has any, and a sentence for each place where they contradict the session."""

    by_question: Mapping[str, tuple[AskedQuote, ...]]
    contradictions: tuple[str, ...]


def asked_quotes(messages: Iterable[Message], threads: Mapping[str, Thread]) -> AskedQuotes:
    """The quotes that stand above the questions among ``messages``, all of a session in order.

    The fork governs a branch's first question: it gives the quote where there is none, and says where it leads where
    the two disagree. An edit has its predecessor's quotes unless it brings its own. No other question has any that it
    does not name itself (session-export, "Quotes").
    """
    reading = _Reading(threads)
    for message in messages:
        reading.take(message)
    return AskedQuotes(reading.found, (*reading.contradictions, *reading.misplaced()))


class _Reading:
    def __init__(self, threads: Mapping[str, Thread]) -> None:
        self.found: dict[str, tuple[AskedQuote, ...]] = {}
        self.contradictions: list[str] = []
        self._threads = threads
        self._own: dict[str, tuple[Quote, ...]] = {}
        self._first: dict[str, set[str]] = {}
        self._places: dict[str, str] = {}

    def take(self, message: Message) -> None:
        self._places[message.id] = message.thread
        if message.role is not Role.USER:
            return
        quotes = message.quotes or self._own.get(message.replaces, ())
        self._own[message.id] = quotes
        first = self._first.setdefault(message.thread, {message.id})
        if message.replaces in first:
            first.add(message.id)
        asked = tuple(AskedQuote(quote) for quote in quotes)
        thread = self._threads.get(message.thread)
        parent = self._threads.get(thread.parent) if thread and thread.parent else None
        if message.id in first and thread and thread.fork and parent:
            asked = self._governed(message, asked, thread.fork, parent)
        if asked:
            self.found[message.id] = asked

    def _governed(
        self, message: Message, asked: tuple[AskedQuote, ...], fork: Fork, parent: Thread
    ) -> tuple[AskedQuote, ...]:
        origin = QuoteSource(parent.id, fork.message, parent.title)
        if not asked:
            words = fork.selector.exact if fork.selector else ""
            return (AskedQuote(Quote(words, origin, fork.selector), is_fork=True),) if words.strip() else ()
        at = max(range(len(asked)), key=lambda number: (_agreement(asked[number].quote, fork), -number))
        quote = asked[at].quote
        if quote.source is not None and quote.source.message != fork.message:
            self._contradicts(message, f"its branch was forked at message {fork.message}")
        elif fork.selector and not are_the_words(quote.text, fork.selector):
            self._contradicts(message, f"its branch was forked at other words of message {fork.message}")
        source = quote.source if quote.source and quote.source.message == fork.message else origin
        governed = AskedQuote(replace(quote, source=replace(source, thread=parent.id)), is_fork=True)
        return (*asked[:at], governed, *asked[at + 1 :])

    def _contradicts(self, message: Message, what: str) -> None:
        self.contradictions.append(f"the quote of message {message.id} contradicts its fork: {what}")

    def misplaced(self) -> Iterable[str]:
        """Quotes that name a thread in which their message does not stand."""
        for id, quotes in self._own.items():
            for source in (quote.source for quote in quotes):
                place = self._places.get(source.message, "") if source else ""
                if source and place and place != source.thread:
                    yield f"a quote in message {id} names thread {source.thread}; its message is in thread {place}"


def _agreement(quote: Quote, fork: Fork) -> int:
    """How well ``quote`` fits what the branch came from: 2 for the same words of the same message, 1 for it alone."""
    if quote.source is None or quote.source.message != fork.message:
        return 0
    return 2 if fork.selector is None or are_the_words(quote.text, fork.selector) else 1


def are_the_words(text: str, selector: Selector) -> bool:
    """Whether ``text``, as a chat shows it above a question, is what ``selector`` points at, or a part of it.

    A chat may keep the Markdown of the words, or cut them short with an ellipsis.
    """
    exact = folded(selector.exact)
    return any(_is_part(folded(words), exact) for words in (text, plain_text(text)))


def _is_part(words: str, exact: str) -> bool:
    kept = words.replace("...", "…").strip("…").strip()
    return words == exact or (kept != words and bool(kept) and kept in exact)
