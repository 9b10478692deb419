"""What a model is given: rules, shared history, quote, question; nothing that tells branches apart too early."""

from shareview.chat.messages import Attachment, Message, Role, ToolCall
from shareview.chat.quotes import Quote, QuoteSource, Selector
from shareview.quotes.asked import AskedQuote
from shareview.quotes.model_input import RULES, InputCall, InputMessage, model_input

HISTORY = [Message("A1", "A", Role.USER, "How?"), Message("A2", "A", Role.ASSISTANT, "So.")]


def quote(text: str) -> AskedQuote:
    return AskedQuote(Quote(text, QuoteSource("A", "A2", "A title"), Selector(text, "before", "after", 3, 4)))


def test_rules_come_first_then_history_then_the_quote_then_the_question() -> None:
    line = [*HISTORY, Message("B1", "B", Role.USER, "Why?")]
    assert model_input(line, {"B1": [quote("one\ntwo"), quote("three")]}) == (
        InputMessage(Role.SYSTEM, RULES),
        InputMessage(Role.USER, "How?"),
        InputMessage(Role.ASSISTANT, "So."),
        InputMessage(Role.USER, "> one\n> two\n\n> three\n\nWhy?"),
    )


def test_the_rules_say_that_quoted_orders_are_not_obeyed() -> None:
    assert "what the question below them is about" in RULES
    assert "not instructions" in RULES


def test_no_line_of_a_quote_can_leave_it() -> None:
    given = model_input([Message("B1", "B", Role.USER, "Why?")], {"B1": [quote("a\r\nb\rc\u2028d\n\ne")]})
    assert given[-1].content == "> a\n> b\n> c\n> d\n>\n> e\n\nWhy?"


def test_calls_are_numbered_anew_and_keep_their_results() -> None:
    line = [
        Message("1", "A", Role.USER, "Find."),
        Message("2", "A", Role.ASSISTANT, "", tool_calls=(ToolCall("id-x", "web_search", "{}"),)),
        Message("3", "A", Role.TOOL, "found", tool_call_id="id-x"),
        Message("4", "A", Role.ASSISTANT, "", tool_calls=(ToolCall("id-x", "web_search", "{}"),)),
        Message("5", "A", Role.TOOL, "found too", tool_call_id="id-x"),
    ]
    assert model_input(line, {})[2:] == (
        InputMessage(Role.ASSISTANT, "", (InputCall(1, "web_search", "{}"),)),
        InputMessage(Role.TOOL, "found", answers=1),
        InputMessage(Role.ASSISTANT, "", (InputCall(2, "web_search", "{}"),)),
        InputMessage(Role.TOOL, "found too", answers=2),
    )


def test_a_call_without_its_result_and_a_result_without_its_call_are_left_out() -> None:
    calls = (ToolCall("a", "web_search", "{}"), ToolCall("b", "web_search", "{}"))
    line = [
        Message("1", "A", Role.ASSISTANT, "Searching.", tool_calls=calls),
        Message("2", "A", Role.TOOL, "found", tool_call_id="a"),
        Message("3", "A", Role.USER, "Well?"),
        Message("4", "A", Role.TOOL, "late", tool_call_id="b"),
    ]
    assert model_input(line, {})[1:] == (
        InputMessage(Role.ASSISTANT, "Searching."),
        InputMessage(Role.USER, "Well?"),
    )


def test_attachments_are_named() -> None:
    line = [Message("1", "A", Role.USER, "See.", attachments=(Attachment("plan.pdf", "application/pdf", "", "", 3),))]
    assert model_input(line, {})[-1].content == "See.\n\n[Attachment: plan.pdf]"
