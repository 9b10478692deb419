"""The whitelist: what of an answer's markers and of a recorded list may be shown (answer-citations §5.2)."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shareview.chat.messages import RecordedCitation
from shareview.citations.checking import (
    CheckedCitations,
    Citation,
    DroppedCitation,
    Reason,
    check_citations,
    cite,
    drop_all,
)
from shareview.citations.registry import Registry, Source

A, B, C = "https://a.example/", "https://b.example/", "https://c.example/"


def registry_of(*urls: str) -> Registry:
    registry = Registry()
    results = [{"url": url, "title": f"Title {n}", "content": f"Text {n}"} for n, url in enumerate(urls, 1)]
    registry.add_result("web_search", json.dumps({"results": results}))
    return registry


def shown(checked: CheckedCitations) -> list[tuple[int, str]]:
    return [(citation.n, citation.url) for citation in checked.shown]


def dropped(checked: CheckedCitations) -> list[tuple[int, Reason]]:
    return [(citation.n, citation.reason) for citation in checked.dropped]


def check(recorded: Sequence[RecordedCitation], registry: Registry) -> CheckedCitations:
    return check_citations("Because[^1^][^2^][^3^].", recorded, registry)


# Built from markers


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("", []),
        ("No marker, though https://a.example/ stands here.", []),
        ("One[^1^].", [1]),
        ("In order[^1^][^2^].", [1, 2]),
        ("Out of order[^3^], then[^1^].", [1, 3]),
        ("Again[^2^] and again[^2^][^2^].", [2]),
        ("Some beyond[^2^][^4^][^9^].", [2]),
        ("All beyond[^4^][^20^][^999999^].", []),
        ("Zero[^0^].", []),
        ("With zeros before[^01^].", [1]),
        ("Footnote[^1], letters[^a^], half[^1^.", []),
        ("`code[^1^]` counts[^2^]", [1, 2]),
        ("Forged https://evil.example/[^1^].", [1]),
    ],
)
def test_markers_cite_what_the_turn_retrieved_once_each_in_order(answer: str, numbers: list[int]) -> None:
    checked = check_citations(answer, None, registry_of(A, B, C))
    assert [citation.n for citation in checked.shown] == numbers
    assert (checked.dropped, checked.verified, checked.recorded) == ((), True, False)


def test_a_built_citation_has_what_the_registry_has() -> None:
    assert check_citations("Two[^2^].", None, registry_of(A, B)).shown == (Citation(2, B, "Title 2", ("Text 2",)),)


def test_nothing_is_built_where_the_turn_retrieved_nothing() -> None:
    assert check_citations("Because[^1^].", None, Registry()).shown == ()
    assert check_citations("Because[^1^].", None, registry_of()).shown == ()


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "ftp://a.example/", "https://user@a.example/", "https://", "/local"]
)
def test_a_marker_of_an_address_that_cannot_be_shown_vanishes_and_the_others_keep_their_numbers(url: str) -> None:
    checked = check_citations("One[^1^] two[^2^].", None, registry_of(url, B))
    assert shown(checked) == [(2, B)]
    assert checked.display_numbers() == {2: 1}


def test_a_marker_of_the_21st_address_vanishes() -> None:
    registry = registry_of(*(f"https://a.example/{n}" for n in range(1, 23)))
    assert shown(check_citations("x[^20^][^21^]", None, registry)) == [(20, "https://a.example/20")]


def test_display_numbers_are_dense_and_in_registry_order() -> None:
    five = registry_of(A, B, C, "https://d.example/", "https://e.example/")
    assert check_citations("Five[^5^], two[^2^].", None, five).display_numbers() == {2: 1, 5: 2}


@given(st.lists(st.integers(0, 30), max_size=20))
def test_whatever_numbers_are_marked_only_registered_ones_are_cited(numbers: list[int]) -> None:
    sources = [Source(n, f"https://a.example/{n}", "", ()) for n in range(1, 6)]
    cited = [citation.n for citation in cite("".join(f"x[^{n}^]" for n in numbers), sources)]
    assert cited == [n for n in (1, 2, 3, 4, 5) if n in numbers]


# Recorded lists


def test_a_recorded_list_whose_numbers_and_addresses_match_is_shown() -> None:
    checked = check([RecordedCitation(1, A, "Title 1"), RecordedCitation(3, C, "Title 3")], registry_of(A, B, C))
    assert shown(checked) == [(1, A), (3, C)]
    assert checked.display_numbers() == {1: 1, 3: 2}
    assert (checked.dropped, checked.verified, checked.recorded) == ((), True, True)


def test_a_recorded_title_gives_way_to_the_title_retrieved() -> None:
    checked = check([RecordedCitation(2, B, "Trust me")], registry_of(A, B))
    assert checked.shown == (Citation(2, B, "Title 2", ("Text 2",)),)
    assert checked.dropped == ()


def test_a_recorded_list_decides_over_the_markers() -> None:
    assert shown(check_citations("Because[^1^][^2^].", [RecordedCitation(2, B, "")], registry_of(A, B))) == [(2, B)]


def test_an_empty_list_decides_too() -> None:
    checked = check_citations("Because[^1^].", [], registry_of(A))
    assert checked == CheckedCitations(recorded=True)


def test_a_list_of_which_nothing_is_left_still_decides() -> None:
    checked = check_citations("Because[^1^].", [RecordedCitation(1, "https://evil.example/", "E")], registry_of(A))
    assert checked.shown == ()
    assert checked.dropped == (DroppedCitation(1, "https://evil.example/", "E", Reason.OTHER_ADDRESS),)
    assert checked.recorded is True


@pytest.mark.parametrize("n", [3, 20, 21, 999_999_999_999])
def test_a_number_beyond_the_registry_is_dropped(n: int) -> None:
    assert dropped(check([RecordedCitation(n, A, "")], registry_of(A, B))) == [(n, Reason.NOT_RETRIEVED)]


@pytest.mark.parametrize(
    "url", [B, "https://a.example", "HTTPS://a.example/", "https://a.example/?", "", "javascript:x"]
)
def test_another_address_than_that_under_its_number_is_dropped(url: str) -> None:
    assert dropped(check([RecordedCitation(1, url, "")], registry_of(A, B))) == [(1, Reason.OTHER_ADDRESS)]


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "https://me:pw@a.example/", "http://"])
def test_a_recorded_address_that_cannot_be_shown_is_dropped_even_where_it_was_retrieved(url: str) -> None:
    checked = check([RecordedCitation(1, url, ""), RecordedCitation(2, B, "")], registry_of(url, B))
    assert dropped(checked) == [(1, Reason.NOT_SHOWABLE)]
    assert checked.display_numbers() == {2: 1}


def test_a_number_that_is_shown_already_is_dropped() -> None:
    checked = check([RecordedCitation(1, A, ""), RecordedCitation(1, A, "again")], registry_of(A))
    assert shown(checked) == [(1, A)]
    assert checked.dropped == (DroppedCitation(1, A, "again", Reason.REPEATED),)


def test_a_forged_entry_does_not_stand_in_the_way_of_the_true_one() -> None:
    checked = check([RecordedCitation(1, "https://evil.example/", ""), RecordedCitation(1, A, "")], registry_of(A))
    assert shown(checked) == [(1, A)]
    assert dropped(checked) == [(1, Reason.OTHER_ADDRESS)]


def test_failed_and_other_tools_results_bear_out_nothing() -> None:
    for tool, content in (("web_search", '{"error": "quota"}'), ("read_file", "words")):
        registry = Registry()
        registry.add_result(tool, content)
        checked = check([RecordedCitation(1, A, "")], registry)
        assert dropped(checked) == [(1, Reason.NOT_RETRIEVED)]
        assert checked.verified is True


# Lists that cannot be checked


def test_without_any_tool_result_a_list_is_shown_but_not_as_verified() -> None:
    checked = check([RecordedCitation(1, A, "Own title"), RecordedCitation(4, B, "")], Registry())
    assert checked.shown == (Citation(1, A, "Own title"), Citation(4, B, ""))
    assert (checked.dropped, checked.verified, checked.recorded) == ((), False, True)


def test_what_cannot_be_checked_must_still_be_showable_and_stand_once() -> None:
    checked = check(
        [RecordedCitation(1, "javascript:x", ""), RecordedCitation(2, B, ""), RecordedCitation(2, C, "")], Registry()
    )
    assert shown(checked) == [(2, B)]
    assert dropped(checked) == [(1, Reason.NOT_SHOWABLE), (2, Reason.REPEATED)]


def test_at_most_20_are_shown_where_nothing_can_be_checked() -> None:
    recorded = [RecordedCitation(n, f"https://a.example/{n}", "") for n in range(1, 23)]
    checked = check(recorded, Registry())
    assert [n for n, _ in shown(checked)] == list(range(1, 21))
    assert dropped(checked) == [(21, Reason.TOO_MANY), (22, Reason.TOO_MANY)]


def test_a_number_that_no_registry_can_hold_is_dropped_where_nothing_can_be_checked() -> None:
    assert dropped(check([RecordedCitation(21, A, "")], Registry())) == [(21, Reason.TOO_MANY)]


# Messages that may carry none


def test_a_list_on_another_message_than_the_answer_is_dropped_whole() -> None:
    checked = drop_all([RecordedCitation(1, A, "T"), RecordedCitation(2, B, "")])
    assert checked.shown == ()
    assert checked.dropped == (
        DroppedCitation(1, A, "T", Reason.NO_ANSWER),
        DroppedCitation(2, B, "", Reason.NO_ANSWER),
    )


def test_where_no_list_is_nothing_is_dropped() -> None:
    assert drop_all(None).dropped == ()


def test_each_reason_completes_a_sentence_about_an_entry() -> None:
    assert f"dropped, because it {Reason.OTHER_ADDRESS}" == (
        "dropped, because it names another address than the registry has under its number"
    )
