"""Which message stands now where another stood."""

from shareview.chat.messages import Message, Role, ToolCall
from shareview.chat.turns import group_turns
from shareview.chat.versions import earlier_versions, newest_version, successors


def said(id: str, *, replaces: str = "", calls: bool = False) -> Message:
    tool_calls = (ToolCall("c", "web_search", "{}"),) if calls else ()
    return Message(id, "A", Role.ASSISTANT, "" if calls else "Words.", replaces=replaces, tool_calls=tool_calls)


def asked(id: str, *, replaces: str = "") -> Message:
    return Message(id, "A", Role.USER, "Why?", replaces=replaces)


def found(*messages: Message) -> dict[str, str]:
    return successors(group_turns([message.outline() for message in messages]))


def test_an_answer_gives_way_to_its_retry_and_that_to_the_next() -> None:
    later = found(asked("1"), said("2"), said("3", replaces="2"), said("4", replaces="3"))
    assert later == {"2": "3", "3": "4"}
    assert newest_version("2", later) == "4"
    assert earlier_versions(later, ["4", "1"]) == {"4": ("2", "3")}


def test_with_a_question_asked_anew_its_whole_turn_gives_way_to_the_new_question() -> None:
    later = found(asked("1"), said("2"), said("3", replaces="2"), asked("4", replaces="1"), said("5"))
    assert later == {"1": "4", "2": "3", "3": "4"}


def test_an_answer_replaced_by_the_first_step_of_a_retry_gives_way_to_its_answer() -> None:
    later = found(
        asked("1"), said("2"), said("3", replaces="2", calls=True),
        Message("4", "A", Role.TOOL, "found", tool_call_id="c"), said("5"),
    )  # fmt: skip
    assert later == {"2": "5"}


def test_what_nothing_replaced_is_its_own_newest_version() -> None:
    assert newest_version("9", {"1": "2"}) == "9"
