"""Which quotes stand above a question: its own, an edit's, a branch's; and what contradicts the session."""

import pytest

from shareview.chat.messages import Message, Role
from shareview.chat.quotes import Quote, QuoteSource, Selector
from shareview.chat.sessions import Fork, Thread, ThreadState
from shareview.quotes.asked import asked_quotes

A = Thread("A", "Main line", None, None, ThreadState.ACTIVE)
B = Thread("B", "Branch", "A", Fork("A2", Selector("same prefix")), ThreadState.ACTIVE)
THREADS = {"A": A, "B": B}
ANSWER = Message("A2", "A", Role.ASSISTANT, "The cache keeps the same prefix.")


def quoting(text: str, message: str = "A2", thread: str = "A") -> Quote:
    return Quote(text, QuoteSource(thread, message, "Then called so"), Selector(text))


def question(id: str, *quotes: Quote, thread: str = "B", replaces: str = "") -> Message:
    return Message(id, thread, Role.USER, "Why?", replaces=replaces, quotes=quotes)


def words(messages: list[Message], id: str) -> list[tuple[str, str, bool]]:
    quotes = asked_quotes([ANSWER, *messages], THREADS).by_question.get(id, ())
    return [(one.quote.text, one.quote.source.message if one.quote.source else "", one.is_fork) for one in quotes]


def test_an_empty_branch_that_is_asked_later_quotes_what_it_was_forked_at() -> None:
    assert words([question("B1")], "B1") == [("same prefix", "A2", True)]


def test_a_branch_without_chosen_words_quotes_nothing() -> None:
    thread = Thread("B", "", "A", Fork("A2", None), ThreadState.ACTIVE)
    assert asked_quotes([ANSWER, question("B1")], {"A": A, "B": thread}).by_question == {}


def test_later_questions_of_a_branch_quote_nothing_by_themselves() -> None:
    assert words([question("B1"), question("B2"), question("B3")], "B2") == []


def test_a_quote_of_the_fork_s_own_words_is_kept_as_it_was() -> None:
    (asked,) = asked_quotes([ANSWER, question("B1", quoting("same prefix"))], THREADS).by_question["B1"]
    assert asked.quote.source == QuoteSource("A", "A2", "Then called so")
    assert asked.is_fork


def test_an_edit_has_the_quotes_of_what_it_replaces_also_twice() -> None:
    messages = [question("B1", quoting("same prefix")), question("B2", quoting("cache")),
                question("B3", replaces="B2"), question("B4", replaces="B3")]  # fmt: skip
    assert words(messages, "B3") == words(messages, "B4") == [("cache", "A2", False)]


def test_an_edit_with_quotes_of_its_own_keeps_to_them() -> None:
    messages = [
        question("X1", quoting("cache"), thread="A"),
        question("X2", quoting("keeps"), thread="A", replaces="X1"),
    ]
    assert words(messages, "X2") == [("keeps", "A2", False)]


def test_the_edit_of_a_branch_s_first_question_is_its_first_question_too() -> None:
    messages = [question("B1"), question("B1b", replaces="B1")]
    assert words(messages, "B1b") == [("same prefix", "A2", True)]


def test_a_retry_of_the_answer_changes_no_quotes() -> None:
    messages = [
        question("B1", quoting("same prefix")),
        Message("B2", "B", Role.ASSISTANT, "So."),
        Message("B2b", "B", Role.ASSISTANT, "So it is.", replaces="B2"),
    ]
    assert words(messages, "B1") == [("same prefix", "A2", True)]
    assert words(messages, "B2b") == []


def test_a_question_may_quote_several_passages_one_of_which_is_the_fork_s() -> None:
    messages = [question("B1", quoting("cache"), quoting("same prefix"), quoting("keeps"))]
    assert words(messages, "B1") == [("cache", "A2", False), ("same prefix", "A2", True), ("keeps", "A2", False)]


@pytest.mark.parametrize(
    ("quote", "expected", "said"),
    [
        (quoting("same prefix", "A9"), ("same prefix", "A2", True), "forked at message A2"),
        (quoting("other words"), ("other words", "A2", True), "other words of message A2"),
        (Quote("same prefix", None, None), ("same prefix", "A2", True), ""),
        (quoting("same **prefix**"), ("same **prefix**", "A2", True), ""),
        (quoting("same pre…"), ("same pre…", "A2", True), ""),
    ],
)
def test_the_fork_says_where_a_first_question_s_quote_leads_and_contradictions_are_told(
    quote: Quote, expected: tuple[str, str, bool], said: str
) -> None:
    messages = [question("B1", quote)]
    assert words(messages, "B1") == [expected]
    told = asked_quotes([ANSWER, *messages], THREADS).contradictions
    assert len(told) == bool(said)
    assert said in "".join(told)


def test_a_quote_that_names_another_thread_than_its_message_s_is_told() -> None:
    messages = [ANSWER, question("A3", quoting("cache", thread="B"), thread="A")]
    assert asked_quotes(messages, THREADS).contradictions == (
        "a quote in message A3 names thread B; its message is in thread A",
    )
