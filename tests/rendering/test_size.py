"""Size is bounded: whatever its shape, a message renders or is shown as its source, in time, and nothing is lost."""

import re
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from html import unescape
from multiprocessing import get_context

import pytest
from shown import depth, elements, read, render

from shareview.rendering.messages import DEFAULT_OPTIONS, RenderedMessage, RenderingOptions
from shareview.rendering.pool import RenderJob, RenderPool, render_job
from shareview.rendering.size import ELEMENT_LIMIT, NESTING_LIMIT, OversizeError, check_size

NONCE = "0123456789abcdef"

SHAPES = {
    "emphasis that opens": "*a " * 40_000,
    "emphasis nested": "*a **b " * 400 + "c" + "** *" * 400,
    "one tilde and two": "~~a~ " * 20_000,
    "links": "[a](b) " * 20_000,
    "links nested": "[" * 2_000 + "a" + "](b)" * 2_000,
    "links with open targets": "[x](<" * 20_000,
    "links with open titles": '[a](b "' * 15_000,
    "references to nothing": "[a]" * 30_000,
    "brackets nested": "[a" * 20_000 + "]" * 20_000,
    "brackets and parentheses": "[a]" + "(" * 50_000,
    "images nested": "![" * 3_000 + "a" + "](b)" * 3_000,
    "schemes": "http://" * 20_000,
    "addresses that end in references": "https://a.example/" + "&amp;" * 20_000,
    "addresses that end in parentheses": "https://a.example/" + "(" * 30_000 + ")" * 20_000 + "." * 5_000,
    "mail": "a@" * 30_000,
    "mail with one long label": "a@b." + "c" * 60_000 + "-",
    "mail with many labels": "a@" + "b." * 40_000,
    "ampersands": "&" * 100_000,
    "references to controls": "&#1;" * 30_000,
    "comments left open": "<!-- " * 20_000,
    "comments closed late": "<!-- " * 10_000 + "--> " * 10_000,
    "processing instructions": "<?" * 30_000,
    "attributes": "<a " + "x " * 60_000 + ">",
    "attributes left open": "<a x='" * 20_000,
    "backticks of all lengths": "".join("`" * length + " a " for length in range(1, 400)),
    "backticks that cross": "`a``b" * 15_000,
    "backslashes": "\\" * 100_000,
    "lists of all markers": "".join(" " * level + "-*+"[level % 3] + " w\n" for level in range(400)),
    "quotes and lists": "> - " * 3_000 + "w",
    "numbers and quotes": "1. > " * 3_000 + "w",
    "lazy lines": "> a\n" + "b\n" * 40_000,
    "heading underlined late": "a\n" * 40_000 + "===",
    "tables of one row": "|" * 40_000 + "\n" + "|-" * 40_000 + "\n",
    "tables of empty rows": "| a |\n|-|\n" + "|\n" * 20_000,
    "table cells missing": "|" + "a|" * 300 + "\n|" + "-|" * 300 + "\n" + "|b\n" * 5_000,
    "fences": "```\n" * 20_000,
    "indented code": "    a\n\n" * 20_000,
    "code to colour": "```perl\n" + "s{" * 20_000 + "\n```",
    "markers": "[^1^]" * 20_000,
    "Chinese bold": "中文**加粗**，" * 15_000,
    "tags closed by others": "<div></b>" * 4_900 + "w",
    "formatting left open": "<p><b></p>" * 3_000 + "w",
    "a paragraph in formatting": "<b><p>" * 3_000 + "w",
    "tables left open": "<table>" * 5_000 + "w",
    "table cells left open": "<table><tr><td>" * 2_000 + "w",
    "lists left open": "<ul><li>" * 3_000 + "w",
    "blank lines": "a" + "\n" * 300_000 + "b",
    "joiners": "a\u200d" * 1_000_000,
    "controls": "a\u202e" * 1_000_000,
    "a text of a few million": "word " * 1_500_000,
}  # fmt: skip


def timed(text: str, math: bool) -> tuple[float, RenderedMessage]:
    """CPU seconds of rendering ``text``, and what came of it."""
    started = time.process_time()
    rendered = render_job(RenderJob(text, NONCE, {1: 1}), RenderingOptions(math=math))
    return time.process_time() - started, rendered


@pytest.fixture(scope="module")
def worker() -> Iterator[ProcessPoolExecutor]:
    """A process of its own, as rendering has it."""
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as executor:
        executor.submit(timed, "```perl\nx\n```", math=True).result()
        yield executor


def source_of(rendered: RenderedMessage) -> str:
    """The text of a message that is shown as its source."""
    found = re.fullmatch(r'<pre class="plain-text" tabindex="0">([^<]*)</pre>', rendered.html)
    assert found, "a message with a fault is one block of text"
    return unescape(found[1])


@pytest.mark.parametrize("shape", SHAPES)
def test_any_shape_renders_or_is_shown_as_its_source_in_time(worker: ProcessPoolExecutor, shape: str) -> None:
    text = SHAPES[shape] + "\n\nlast word"
    seconds, rendered = worker.submit(timed, text, math=False).result()
    assert seconds < 2
    if not rendered.fault:
        assert "last word" in read(rendered.html)
    elif shape == "joiners":
        assert source_of(rendered) == text.replace("a\u200d\n", "a\n")
    else:
        assert source_of(rendered) == text.replace("[^1^]", "").replace("\u202e", "")


@pytest.mark.parametrize(
    "text",
    [r"\(" * 40_000, "$$" * 40_000, r"\(x\) " * 3_000, "$$a\n" * 10_000, r"\(" + "{" * 3_900 + r"\)",
     r"\[" * 30_000 + r"\]", r"\(" + r"\frac" * 700 + r"\)",
     r"\(" + r"\left(" * 600 + r"\)", r"\(" + "x^{" * 1_200 + "}" * 300 + r"\)"],
    ids=["openings", "dollars", "small", "lines", "braces", "one end", "fractions", "fences", "powers"],
)  # fmt: skip
def test_formulas_of_any_shape_are_bounded_too(worker: ProcessPoolExecutor, text: str) -> None:
    seconds, rendered = worker.submit(timed, text + "\n\nlast word", math=True).result()
    assert seconds < 2
    assert read(rendered.html).endswith("last word")


def test_a_pool_bounds_hostile_messages_and_renders_the_one_between() -> None:
    texts = ["[" * 8_000, "**a**", SHAPES["one tilde and two"], SHAPES["quotes and lists"]]
    with RenderPool(DEFAULT_OPTIONS, workers=2) as pool:
        brackets, between, emphasis, quotes = pool.render_all(RenderJob(text, NONCE) for text in texts)
    assert read(brackets.html) == texts[0]
    assert between.html == "<p><strong>a</strong></p>"
    assert emphasis.fault == "" or source_of(emphasis) == texts[2]
    assert source_of(quotes) == texts[3]


@pytest.mark.parametrize(
    "html",
    [
        "<br>" * (ELEMENT_LIMIT + 1),
        "<b></b>" * (ELEMENT_LIMIT + 1),
        "<b>" * (NESTING_LIMIT + 1),
        "<div>" * NESTING_LIMIT + "<p>",
        # An end tag that closes nothing brings nothing up.
        "<div></b>" * (NESTING_LIMIT + 1),
        "</b>" * 10 + "<div>" * (NESTING_LIMIT + 1),
    ],
    ids=["voids", "siblings", "bold", "mixed", "stray ends", "stray ends before"],
)
def test_more_than_is_rendered_is_refused(html: str) -> None:
    with pytest.raises(OversizeError):
        check_size(html)


@pytest.mark.parametrize(
    "html",
    [
        "<br>" * ELEMENT_LIMIT,
        "<b>" * NESTING_LIMIT + "x" + "</b>" * NESTING_LIMIT,
        "<p>x</p>" * (NESTING_LIMIT + 1),
        "&lt;b&gt;" * (ELEMENT_LIMIT + 1),
        "<hr>" * (NESTING_LIMIT + 1),
    ],
    ids=["voids", "nested", "siblings", "text", "rules"],
)
def test_what_lies_within_the_bounds_is_not(html: str) -> None:
    check_size(html)


@pytest.mark.parametrize("text", ["<div></b>" * 400 + "word", "<u></i>" * 400 + "word", "<span></div>" * 400 + "word"])
def test_no_message_is_shown_deeper_than_the_bound(text: str) -> None:
    rendered = render(text)
    assert read(rendered.html).endswith("word")
    assert depth(rendered.html) <= NESTING_LIMIT


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (">" * 250 + " word", "blocks nest deeper than 200 levels"),
        ("<b>" * 300 + "word", "elements nest deeper than 250 levels"),
        ("a  \n" * 10_050 + "word", "more than 10000 elements"),
    ],
)
def test_a_message_beyond_a_bound_says_which(text: str, fault: str) -> None:
    rendered = render(text)
    assert rendered.fault == fault
    assert source_of(rendered) == text
    assert [element.tag for element in elements(rendered.html)] == ["pre"]


def test_a_message_just_within_the_bounds_keeps_its_markup() -> None:
    assert render("> " * 90 + "**word**").fault == ""
    assert render("a **b**\n\n" * 4_000).fault == ""
