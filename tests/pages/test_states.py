"""The state of a page: what is open in it, and what comes of a click in it."""

import pytest
from django.http import QueryDict

from shareview.pages.states import PageState, read_state


def state(query: str) -> PageState:
    return read_state(QueryDict(query))


@pytest.mark.parametrize(
    ("current", "asked", "after"),
    [
        ("", "open=4.sources", "?at=4&open=4.sources"),
        ("open=8.sources", "open=4.sources", "?at=4&open=4.sources,8.sources"),
        ("open=4.sources", "fold=4.sources", "?at=4&fold=4.sources"),
        ("open=8.steps&lang=zh", "cite=4.2&lang=en", "?lang=zh&open=8.steps&cite=4.2"),
        ("cite=4.2", "fold=4.sources", "?at=4&fold=4.sources"),
        ("cite=8.1", "fold=4.sources", "?at=4&fold=4.sources&cite=8.1"),
        ("fold=4.sources", "cite=4.1", "?cite=4.1"),
        ("open=all", "open=all&fold=4.sources", "?at=4&open=all&fold=4.sources"),
        ("open=all&fold=4.sources", "open=all", "?at=4&open=all"),
    ],
)
def test_a_click_changes_what_it_names_and_nothing_else(current: str, asked: str, after: str) -> None:
    assert state(current).doing(state(asked), "4", "sources").query() == after


@pytest.mark.parametrize(
    ("query", "is_open"),
    [
        ("", None),
        ("open=4.sources", True),
        ("open=all", True),
        ("open=all&fold=4.sources", False),
        ("cite=4.1", True),
        ("cite=8.1", None),
        ("fold=4.sources", False),
    ],
)
def test_a_panel_is_open_as_asked_else_as_it_is_by_itself(query: str, is_open: bool | None) -> None:
    for by_itself in (True, False):
        expected = by_itself if is_open is None else is_open
        assert state(query).is_open("4", "sources", by_itself=by_itself) is expected


@pytest.mark.parametrize(
    ("query", "place"), [("", ""), ("at=a b", "m-a%20b"), ("cite=4.2", "src-4-2"), ("cite=a.b.2", "src-a.b-2")]
)
def test_a_state_leads_to_its_place(query: str, place: str) -> None:
    assert state(query).place() == place
