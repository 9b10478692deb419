"""A turn's registry: which tool results count, how their addresses are numbered (answer-citations §5.2)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shareview.citations.registry import Registry, Retrieved, Source, retrieved_pages
from shareview.exports.jsonlines import canonical


def found(*results: object, **fields: object) -> str:
    """A search's result."""
    return json.dumps({"query": "q", "results": results, "total_results": len(results), **fields})


def page(url: str, title: str = "", content: str = "") -> dict[str, str]:
    return {"url": url, "title": title, "content": content}


def pages(tool: str, content: str) -> list[Retrieved]:
    return list(retrieved_pages(tool, content))


def test_a_search_gives_its_results_in_order() -> None:
    content = found(page("https://a.example/1", "通知", "截止"), page("https://b.example/2", "Guide", "Text"))
    assert pages("web_search", content) == [
        Retrieved("https://a.example/1", "通知", "截止"),
        Retrieved("https://b.example/2", "Guide", "Text"),
    ]


def test_an_opened_page_gives_itself() -> None:
    content = json.dumps({**page("https://a.example/", "A", "Words."), "content_length": 6, "truncated": False})
    assert pages("open_web_page", content) == [Retrieved("https://a.example/", "A", "Words.")]


def test_a_page_that_was_cut_short_or_is_empty_was_opened_all_the_same() -> None:
    cut = json.dumps({"url": "https://a.example/", "title": "A", "content": "Wor", "truncated": True})
    empty = json.dumps({"url": "https://a.example/", "title": "A", "content": ""})
    assert pages("open_web_page", cut) == [Retrieved("https://a.example/", "A", "Wor")]
    assert pages("open_web_page", empty) == [Retrieved("https://a.example/", "A", "")]


@pytest.mark.parametrize(
    "entry", [{"title": "A", "content": "x"}, page(""), {"url": None}, {"url": 5}, "https://b.example/", None, []]
)
def test_a_result_without_an_address_is_passed_over(entry: object) -> None:
    assert pages("web_search", found(entry, page("https://a.example/"))) == [Retrieved("https://a.example/", "", "")]


@pytest.mark.parametrize("missing", [{}, {"title": None, "content": None}, {"title": 5, "content": ["x"]}])
def test_a_missing_title_or_text_is_empty(missing: dict[str, object]) -> None:
    assert pages("web_search", found({"url": "https://a.example/", **missing})) == [
        Retrieved("https://a.example/", "", "")
    ]


NO_SUCCESS = [
    "",
    "Error: timeout",
    "{",
    "null",
    "[]",
    '"results"',
    "7",
    "{}",
    '{"error": "quota"}',
    '{"error": "404", "url": "https://a.example/"}',
    '{"results": {"url": "https://a.example/"}}',
    '{"results": null}',
    '{"results": "https://a.example/"}',
    '{"url": "https://a.example/", "title": "A", "content": null}',
    '{"url": "https://a.example/", "title": "A"}',
    '{"title": "A", "content": "no address"}',
    '{"url": "", "content": "x"}',
    "[" * 200_000,
]


@pytest.mark.parametrize("content", NO_SUCCESS)
@pytest.mark.parametrize("tool", ["web_search", "open_web_page"])
def test_a_failure_no_json_and_another_shape_give_nothing(tool: str, content: str) -> None:
    assert pages(tool, content) == []


def test_each_tool_succeeds_by_its_own_shape_only() -> None:
    assert pages("open_web_page", found(page("https://a.example/"))) == []
    assert pages("web_search", json.dumps(page("https://a.example/", "A", "x"))) == []


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_constants_that_json_does_not_know_make_it_no_json(constant: str) -> None:
    # The main chat's JSON.parse refuses these, so its numbers do not count the result.
    assert pages("web_search", f'{{"results": [{{"url": "https://a.example/"}}], "score": {constant}}}') == []


@pytest.mark.parametrize("field", ["title", "content"])
def test_half_a_surrogate_pair_does_not_come_through(field: str) -> None:
    content = f'{{"results": [{{"url": "https://a.example/", "{field}": "cut \\ud83d"}}]}}'
    for retrieved in pages("web_search", content):
        assert canonical([retrieved.url, retrieved.title, retrieved.text]).startswith('["https://a.example/"')


@given(st.text(), st.sampled_from(["web_search", "open_web_page"]))
def test_any_text_is_read_without_a_fault(content: str, tool: str) -> None:
    assert all(retrieved.url for retrieved in retrieved_pages(tool, content))


def test_addresses_are_numbered_from_1_over_both_tools() -> None:
    registry = Registry()
    registry.add_result("web_search", found(page("https://a.example/", "A", "a"), page("https://b.example/", "B", "b")))
    registry.add_result("open_web_page", json.dumps(page("https://c.example/", "C", "c")))
    registry.add_result("web_search", found(page("https://d.example/", "D", "d")))
    assert registry.sources() == (
        Source(1, "https://a.example/", "A", ("a",)),
        Source(2, "https://b.example/", "B", ("b",)),
        Source(3, "https://c.example/", "C", ("c",)),
        Source(4, "https://d.example/", "D", ("d",)),
    )


def test_a_repeated_address_keeps_its_first_number_and_title_and_all_its_texts() -> None:
    registry = Registry()
    registry.add_result(
        "web_search", found(page("https://a.example/", "First", "short"), page("https://b.example/", "B"))
    )
    registry.add_result("open_web_page", json.dumps(page("https://a.example/", "Second", "the whole page")))
    registry.add_result(
        "web_search", found(page("https://a.example/", "Third", ""), page("https://a.example/", "4", "short"))
    )
    assert registry.sources() == (
        Source(1, "https://a.example/", "First", ("short", "the whole page", "short")),
        Source(2, "https://b.example/", "B", ()),
    )


@pytest.mark.parametrize(
    "other", ["https://a.example", "https://A.example/", "http://a.example/", "https://a.example/#x"]
)
def test_addresses_are_the_same_only_to_the_letter(other: str) -> None:
    registry = Registry()
    registry.add_result("web_search", found(page("https://a.example/"), page(other)))
    assert [source.url for source in registry.sources()] == ["https://a.example/", other]


def test_at_most_20_addresses_are_numbered() -> None:
    registry = Registry()
    registry.add_result("web_search", found(*(page(f"https://a.example/{n}") for n in range(1, 20))))
    registry.add_result("web_search", found(page("https://a.example/20"), page("https://a.example/21")))
    registry.add_result("open_web_page", json.dumps(page("https://a.example/22", "", "x")))
    assert [source.n for source in registry.sources()] == list(range(1, 21))
    assert registry.sources()[19].url == "https://a.example/20"


def test_repeated_addresses_use_up_no_number_and_gain_texts_beyond_the_20th() -> None:
    registry = Registry()
    registry.add_result("web_search", found(*(page("https://a.example/1", "", "x") for _ in range(30))))
    registry.add_result("web_search", found(*(page(f"https://a.example/{n}") for n in range(1, 25))))
    registry.add_result("open_web_page", json.dumps(page("https://a.example/20", "", "opened")))
    sources = registry.sources()
    assert len(sources) == 20
    assert len(sources[0].texts) == 30
    assert (sources[19].url, sources[19].texts) == ("https://a.example/20", ("opened",))


@pytest.mark.parametrize(
    "tool", ["", "read_file", "web_search ", "WEB_SEARCH", "webSearch", "mcp_web_search", "generate_image"]
)
def test_other_tools_give_no_source(tool: str) -> None:
    registry = Registry()
    registry.add_result(tool, found(page("https://a.example/")))
    assert registry.sources() == ()


def test_an_address_that_cannot_be_shown_keeps_its_number() -> None:
    registry = Registry()
    registry.add_result("web_search", found(page("javascript:alert(1)"), page("https://a.example/")))
    assert [(source.n, source.url) for source in registry.sources()] == [
        (1, "javascript:alert(1)"),
        (2, "https://a.example/"),
    ]


def test_a_registry_knows_whether_any_tool_answered() -> None:
    registry = Registry()
    assert (registry.has_results, registry.sources()) == (False, ())
    registry.add_result("web_search", '{"error": "quota"}')
    assert (registry.has_results, registry.sources()) == (True, ())
