"""Where a quote may lead (session-export, "Quotes"): to the very words, or honestly not."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from shareview.chat.quotes import Quote, Selector
from shareview.chat.sessions import Thread, ThreadState
from shareview.chat.versions import newest_version
from shareview.leaks.redaction import is_redacted
from shareview.quotes.asked import are_the_words
from shareview.quotes.finding import FoundPassage, find_passage


class QuoteState(StrEnum):
    """What became of the quoted words."""

    CURRENT = "current"
    HISTORICAL = "historical"
    ARCHIVED = "archived"
    ABSENT = "absent"
    DELETED = "deleted"
    NOT_FOUND = "not-found"


@dataclass(frozen=True, slots=True)
class Shared:
    """What a share holds: its threads, the thread of each message, and what replaced a message."""

    threads: Mapping[str, Thread]
    places: Mapping[str, str]
    successors: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Landing:
    """Where a quote leads: a thread and a message of it, empty where there is none to show.

    ``passage`` stands in the message's visible text; ``newest`` is the message that stands in its place now, itself
    where nothing replaced it.
    """

    state: QuoteState
    thread: str = ""
    message: str = ""
    passage: FoundPassage | None = None
    newest: str = ""


def resolve_quote(quote: Quote, shared: Shared, visible: Callable[[str], str]) -> Landing:
    """Where ``quote`` leads in a share; ``visible(message)`` gives the visible text of one of its messages.

    The states are tried in the order of session-export: absent, deleted, not-found, historical, archived, current. Of
    what lies outside the share nothing is told, not even whether it exists.
    """
    source = quote.source
    if source is None or source.thread not in shared.threads:
        return Landing(QuoteState.ABSENT)
    if shared.threads[source.thread].state is ThreadState.DELETED:
        return Landing(QuoteState.DELETED)
    thread = shared.places.get(source.message)
    if thread is None:
        return Landing(QuoteState.NOT_FOUND)
    passage = _passage(quote, visible(source.message))
    newest = newest_version(source.message, shared.successors)
    return Landing(
        _state(passage, source.message, newest, shared.threads[thread]), thread, source.message, passage, newest
    )


def _passage(quote: Quote, text: str) -> FoundPassage | None:
    """The quoted words; none where the selector points at other words than were shown, or where some were taken out."""
    selector = quote.selector or Selector(quote.text)
    if is_redacted(quote.text) or is_redacted(selector.exact):
        # The same word stands in the message for the same secret; these are not the words that were quoted.
        return None
    return find_passage(text, selector) if are_the_words(quote.text, selector) else None


def _state(passage: FoundPassage | None, message: str, newest: str, thread: Thread) -> QuoteState:
    if passage is None:
        return QuoteState.NOT_FOUND
    if newest != message:
        return QuoteState.HISTORICAL
    return QuoteState.ARCHIVED if thread.state is ThreadState.ARCHIVED else QuoteState.CURRENT
