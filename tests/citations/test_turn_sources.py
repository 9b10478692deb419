"""The registry behind an answer: its own turn's results, calls looked up within the turn (session-export, "Turns")."""

import json

from shareview.chat.messages import Message, Role, ToolCall
from shareview.citations.turn_sources import TurnSources


def user(id: str) -> Message:
    return Message(id, "main", Role.USER, "Why?")


def calls(id: str, **tools: str) -> Message:
    return Message(
        id, "main", Role.ASSISTANT, "", tool_calls=tuple(ToolCall(call, name, "") for call, name in tools.items())
    )


def search_result(id: str, call: str, *urls: str) -> Message:
    content = json.dumps({"results": [{"url": url, "title": "", "content": ""} for url in urls]})
    return Message(id, "main", Role.TOOL, content, tool_call_id=call)


def page_result(id: str, call: str, url: str) -> Message:
    return Message(id, "main", Role.TOOL, json.dumps({"url": url, "content": "x"}), tool_call_id=call)


def answer(id: str, *, replaces: str = "") -> Message:
    return Message(id, "main", Role.ASSISTANT, "Because[^1^].", replaces=replaces)


def taken(*messages: Message) -> TurnSources:
    sources = TurnSources()
    for message in messages:
        sources.take(message)
    return sources


def urls(sources: TurnSources) -> list[str]:
    return [source.url for source in sources.registry.sources()]


def test_results_of_the_two_web_tools_are_gathered_in_the_order_of_the_messages() -> None:
    sources = taken(
        user("1"),
        calls("2", c1="web_search", c2="open_web_page", c3="web_search"),
        page_result("3", "c2", "https://b.example/"),
        search_result("4", "c1", "https://a.example/", "https://b.example/"),
        search_result("5", "c3", "https://c.example/"),
    )
    assert urls(sources) == ["https://b.example/", "https://a.example/", "https://c.example/"]


def test_results_of_other_tools_are_not_gathered() -> None:
    sources = taken(
        user("1"),
        calls("2", c1="read_file", c2="web_search"),
        search_result("3", "c1", "https://a.example/"),
        search_result("4", "c2", "https://b.example/"),
    )
    assert urls(sources) == ["https://b.example/"]


def test_results_of_an_earlier_turn_are_forgotten() -> None:
    first = [user("1"), calls("2", c1="web_search"), search_result("3", "c1", "https://a.example/"), answer("4")]
    sources = taken(*first, user("5"))
    assert urls(sources) == []
    assert sources.registry.has_results is False
    assert urls(
        taken(*first, user("5"), calls("6", c2="web_search"), search_result("7", "c2", "https://b.example/"))
    ) == ["https://b.example/"]


def test_a_call_of_an_earlier_turn_is_not_answered_in_a_later_one() -> None:
    sources = taken(user("1"), calls("2", c1="web_search"), answer("3"), user("4"))
    assert sources.take(search_result("5", "c1", "https://a.example/")) is False
    assert urls(sources) == []


def test_a_call_id_used_again_means_the_call_of_its_own_turn() -> None:
    first = [
        user("1"),
        calls("2", call_0="web_search"),
        search_result("3", "call_0", "https://a.example/"),
        answer("4"),
    ]
    sources = taken(
        *first, user("5"), calls("6", call_0="read_file"), search_result("7", "call_0", "https://b.example/")
    )
    assert urls(sources) == []
    sources = taken(
        *first, user("5"), calls("6", call_0="open_web_page"), page_result("7", "call_0", "https://b.example/")
    )
    assert urls(sources) == ["https://b.example/"]


def test_a_call_id_used_again_within_a_turn_means_the_call_before_its_result() -> None:
    sources = taken(
        user("1"),
        calls("2", call_0="web_search"),
        search_result("3", "call_0", "https://a.example/"),
        calls("4", call_0="open_web_page"),
        page_result("5", "call_0", "https://b.example/"),
    )
    assert urls(sources) == ["https://a.example/", "https://b.example/"]


def test_a_result_that_answers_no_call_of_its_turn_is_told_and_counts_for_nothing() -> None:
    sources = taken(user("1"), calls("2", c1="web_search"))
    assert sources.take(search_result("3", "c9", "https://a.example/")) is False
    assert sources.take(search_result("4", "c1", "https://b.example/")) is True
    assert urls(sources) == ["https://b.example/"]


def test_every_other_message_is_taken_without_complaint() -> None:
    sources = TurnSources()
    system = Message("0", "main", Role.SYSTEM, "Be brief.")
    assert [sources.take(message) for message in (system, user("1"), calls("2", c="web_search"), answer("3"))] == [
        True
    ] * 4


def test_an_answer_given_anew_stands_on_all_results_of_its_turn_and_the_old_one_on_what_came_before_it() -> None:
    sources = TurnSources()
    before = [user("1"), calls("2", c1="web_search"), search_result("3", "c1", "https://a.example/"), answer("4")]
    for message in before:
        sources.take(message)
    assert urls(sources) == ["https://a.example/"]
    for message in (
        calls("5", c2="web_search"),
        search_result("6", "c2", "https://b.example/"),
        answer("7", replaces="4"),
    ):
        sources.take(message)
    assert urls(sources) == ["https://a.example/", "https://b.example/"]


def test_a_registry_handed_out_for_a_turn_does_not_change_with_the_next() -> None:
    sources = taken(user("1"), calls("2", c1="web_search"), search_result("3", "c1", "https://a.example/"))
    registry = sources.registry
    sources.take(user("4"))
    assert [source.url for source in registry.sources()] == ["https://a.example/"]
