"""Where a quote leads: to the words, or to an honest reason why not. Never to other words."""

import pytest

from shareview.chat.quotes import Quote, QuoteSource, Selector
from shareview.chat.sessions import Thread, ThreadState
from shareview.quotes.resolving import Landing, QuoteState, Shared, resolve_quote

TEXTS = {
    "A2a": "The cache keeps equal prefixes.",
    "A2b": "The cache keeps identical prefixes, no others.",
    "A2c": "The cache keeps the very same prefixes.",
    "C2": "An archived answer.",
}
SHARED = Shared(
    threads={
        "A": Thread("A", "", None, None, ThreadState.ACTIVE),
        "C": Thread("C", "", "A", None, ThreadState.ARCHIVED),
        "D": Thread("D", "", "A", None, ThreadState.DELETED),
    },
    places={"A2a": "A", "A2b": "A", "A2c": "A", "C2": "C"},
    successors={"A2a": "A2b", "A2b": "A2c"},
)


def landing(text: str, source: QuoteSource | None, selector: Selector | None = None) -> Landing:
    return resolve_quote(Quote(text, source, selector), SHARED, TEXTS.__getitem__)


@pytest.mark.parametrize(
    ("source", "text", "state"),
    [
        (None, "anything", QuoteState.ABSENT),
        (QuoteSource("Z", "A2c"), "very same", QuoteState.ABSENT),
        (QuoteSource("D", "D9"), "anything", QuoteState.DELETED),
        (QuoteSource("D", ""), "anything", QuoteState.DELETED),
        (QuoteSource("D", "A2c"), "very same", QuoteState.DELETED),
        (QuoteSource("A", "A9"), "anything", QuoteState.NOT_FOUND),
        (QuoteSource("A", "A2a"), "words that are gone", QuoteState.NOT_FOUND),
        (QuoteSource("C", "C2"), "words that are gone", QuoteState.NOT_FOUND),
        (QuoteSource("A", "A2a"), "equal prefixes", QuoteState.HISTORICAL),
        (QuoteSource("C", "C2"), "archived answer", QuoteState.ARCHIVED),
        (QuoteSource("A", "A2c"), "very same", QuoteState.CURRENT),
    ],
)
def test_each_state_comes_before_those_after_it(source: QuoteSource | None, text: str, state: QuoteState) -> None:
    assert landing(text, source).state is state


def test_a_message_that_was_replaced_twice_knows_the_one_that_stands_there_now() -> None:
    found = landing("equal prefixes", QuoteSource("A", "A2a"))
    assert (found.message, found.newest) == ("A2a", "A2c")
    assert found.passage is not None
    assert TEXTS["A2a"][found.passage.start : found.passage.end] == "equal prefixes"


def test_words_that_are_gone_still_lead_to_their_message() -> None:
    found = landing("words that are gone", QuoteSource("A", "A2b"))
    assert (found.thread, found.message, found.passage) == ("A", "A2b", None)


@pytest.mark.parametrize("source", [None, QuoteSource("Z", "A2c"), QuoteSource("D", "A2c")])
def test_what_is_not_to_be_seen_is_not_named(source: QuoteSource | None) -> None:
    found = landing("very same", source)
    assert (found.thread, found.message, found.newest, found.passage) == ("", "", "", None)


def test_a_selector_that_points_at_other_words_than_those_shown_is_not_followed() -> None:
    assert landing("very same", QuoteSource("A", "A2c"), Selector("cache")).state is QuoteState.NOT_FOUND


def test_a_tampered_source_is_not_marked_in_place_of_the_quoted_words() -> None:
    assert landing("The cache keeps identical prefixes, all others.", QuoteSource("A", "A2b")).state is (
        QuoteState.NOT_FOUND
    )
