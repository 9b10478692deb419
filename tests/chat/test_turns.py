"""Turns: where they begin, what their answer is, how they ended (session-export, "Turns")."""

import pytest

from shareview.chat.messages import MessageOutline, Role, Status
from shareview.chat.turns import Turn, group_turns, in_thread, is_answer

CALLS = (("c1", "web_search"),)


def outline(
    id: str,
    role: Role,
    *,
    status: Status = Status.COMPLETED,
    text: bool = True,
    calls: tuple[tuple[str, str], ...] = (),
    replaces: str = "",
    thread: str = "main",
) -> MessageOutline:
    return MessageOutline(id, thread, role, status, text, calls, replaces, None)


def user(id: str, *, replaces: str = "") -> MessageOutline:
    return outline(id, Role.USER, replaces=replaces)


def says(id: str, *, status: Status = Status.COMPLETED, replaces: str = "") -> MessageOutline:
    return outline(id, Role.ASSISTANT, status=status, replaces=replaces)


def calls(id: str, *, text: bool = False, status: Status = Status.COMPLETED, replaces: str = "") -> MessageOutline:
    return outline(id, Role.ASSISTANT, text=text, calls=CALLS, status=status, replaces=replaces)


def silent(id: str, *, status: Status = Status.COMPLETED) -> MessageOutline:
    return outline(id, Role.ASSISTANT, text=False, status=status)


def tool(id: str) -> MessageOutline:
    return outline(id, Role.TOOL)


def system(id: str) -> MessageOutline:
    return outline(id, Role.SYSTEM)


def only_turn(*messages: MessageOutline) -> Turn:
    (turn,) = group_turns(messages)
    return turn


def answer_of(*messages: MessageOutline) -> str | None:
    answer = only_turn(*messages).answer
    return answer.id if answer else None


def cited_in(*messages: MessageOutline) -> list[str]:
    return [message.id for turn in group_turns(messages) for message in turn.messages if turn.is_cited(message)]


def test_a_turn_is_a_question_and_all_up_to_the_next() -> None:
    turns = group_turns([user("1"), calls("2"), tool("3"), system("4"), says("5"), user("6"), says("7")])
    assert [[message.id for message in turn.messages] for turn in turns] == [["1", "2", "3", "4", "5"], ["6", "7"]]
    assert [turn.number for turn in turns] == [1, 2]
    assert [turn.question and turn.question.id for turn in turns] == ["1", "6"]


def test_what_stands_before_the_first_question_is_a_turn_without_one() -> None:
    turns = group_turns([system("1"), says("2"), user("3"), says("4")])
    assert [[message.id for message in turn.messages] for turn in turns] == [["1", "2"], ["3", "4"]]
    assert turns[0].question is None


def test_two_questions_in_a_row_are_two_turns() -> None:
    assert [turn.number for turn in group_turns([user("1"), user("2"), says("3")])] == [1, 2]


def test_no_messages_are_no_turns() -> None:
    assert group_turns([]) == ()


def test_the_answer_is_the_last_that_says_something_and_calls_no_tool() -> None:
    assert answer_of(user("1"), says("2"), calls("3"), tool("4"), says("5")) == "5"
    assert answer_of(user("1"), says("2"), says("3")) == "3"
    assert answer_of(user("1"), says("2"), silent("3")) == "2"
    assert answer_of(user("1"), says("2"), calls("3", text=True)) == "2"
    assert answer_of(user("1"), says("2"), tool("3"), system("4")) == "2"


def test_a_turn_without_such_a_message_has_no_answer() -> None:
    assert answer_of(user("1")) is None
    assert answer_of(user("1"), calls("2", text=True), tool("3"), silent("4")) is None


def test_a_replaced_answer_is_not_the_final_one() -> None:
    assert answer_of(user("1"), says("2"), says("3", replaces="2")) == "3"
    assert answer_of(user("1"), says("2"), calls("3", replaces="2"), tool("4")) is None
    assert answer_of(user("1"), says("2"), says("3"), silent("4")) == "3"


def test_a_question_asked_anew_makes_its_whole_turn_history() -> None:
    turns = group_turns([user("1"), says("2"), user("3", replaces="1"), says("4")])
    assert [turn.is_history for turn in turns] == [True, False]


def test_an_answer_given_anew_does_not_make_its_turn_history() -> None:
    assert only_turn(user("1"), says("2"), says("3", replaces="2")).is_history is False


def test_a_turn_without_a_question_is_never_history() -> None:
    assert only_turn(says("1"), says("2", replaces="1")).is_history is False


@pytest.mark.parametrize(
    ("status", "finished"),
    [(Status.COMPLETED, True), (Status.FAILED, True), (Status.CANCELLED, True), (Status.STREAMING, False)],
)
def test_a_turn_ends_as_its_answer_does(status: Status, finished: bool) -> None:
    turn = only_turn(user("1"), says("2", status=status))
    assert (turn.status, turn.is_finished) == (status, finished)


@pytest.mark.parametrize(
    "messages",
    [
        [user("1")],
        [user("1"), calls("2")],
        [user("1"), calls("2"), tool("3")],
        [user("1"), silent("2")],
        [user("1"), calls("2", status=Status.STREAMING)],
        [user("1"), says("2"), calls("3", replaces="2")],
    ],
)
def test_a_turn_whose_answer_has_not_come_is_unfinished(messages: list[MessageOutline]) -> None:
    turn = only_turn(*messages)
    assert (turn.status, turn.is_finished) == (Status.STREAMING, False)


@pytest.mark.parametrize("status", [Status.FAILED, Status.CANCELLED])
def test_a_turn_that_broke_off_before_its_answer_is_finished(status: Status) -> None:
    for last in (silent("3", status=status), calls("3", status=status)):
        turn = only_turn(user("1"), calls("2"), last)
        assert (turn.status, turn.is_finished) == (status, True)


def test_a_completed_answer_may_be_cited_and_nothing_else_of_its_turn() -> None:
    assert cited_in(user("1"), says("2"), calls("3", text=True), tool("4"), system("5"), says("6"), user("7")) == ["6"]


@pytest.mark.parametrize("status", [Status.FAILED, Status.CANCELLED, Status.STREAMING])
def test_an_answer_that_is_not_completed_is_not_cited(status: Status) -> None:
    assert cited_in(user("1"), says("2", status=status)) == []


def test_a_replaced_answer_keeps_its_citations() -> None:
    assert cited_in(user("1"), says("2"), says("3", replaces="2")) == ["2", "3"]


def test_a_replaced_message_that_is_no_completed_answer_is_not_cited() -> None:
    assert cited_in(user("1"), calls("2", text=True), says("3", replaces="2")) == ["3"]
    assert cited_in(user("1"), says("2", status=Status.FAILED), says("3", replaces="2")) == ["3"]


def test_an_answer_without_a_question_is_not_cited() -> None:
    assert cited_in(calls("1"), tool("2"), says("3")) == []


@pytest.mark.parametrize(
    ("message", "expected"),
    [(says("1"), True), (silent("1"), False), (calls("1", text=True), False), (user("1"), False), (tool("1"), False)],
)
def test_only_an_assistant_that_says_something_and_calls_nothing_answers(
    message: MessageOutline, expected: bool
) -> None:
    assert is_answer(message) is expected


def test_a_thread_has_its_own_messages_in_order() -> None:
    messages = [outline(id, Role.USER, thread=thread) for id, thread in [("3", "A"), ("1", "B"), ("2", "A")]]
    assert [message.id for message in in_thread(messages, "A")] == ["3", "2"]
    assert in_thread(messages, "C") == ()
