"""Every found range becomes marks that leave the markup whole."""

import re

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shareview.quotes.marking import Marking, mark_passages
from shareview.quotes.visible_text import visible_text


def marked(html: str, words: str) -> str:
    visible = visible_text(html)
    at = visible.text.index(words)
    return mark_passages(html, visible, [Marking(at, at + len(words))])


MARK = '<mark class="passage">'


@pytest.mark.parametrize(
    ("html", "words", "expected"),
    [
        ("<p>One two three.</p>", "two", f"<p>One {MARK}two</mark> three.</p>"),
        ("<p>One <b>two</b> three.</p>", "One two", f"<p>{MARK}One </mark><b>{MARK}two</mark></b> three.</p>"),
        ("<li>a b</li>\n<li>c</li>\n", "b c", f"<li>a {MARK}b</mark></li>\n<li>{MARK}c</mark></li>\n"),
        ("<tr><td>a</td><td>b</td></tr>", "a b", f"<tr><td>{MARK}a</mark></td><td>{MARK}b</mark></td></tr>"),
        ("<p>1 &lt; 2</p>", "1 < 2", f"<p>{MARK}1 &lt; 2</mark></p>"),
        ('<p>a<sup class="cite-ref" data-n="1">[1]</sup>b</p>', "ab",
         f'<p>{MARK}a</mark><sup class="cite-ref" data-n="1">[1]</sup>{MARK}b</mark></p>'),
        ("<p>a   b</p>", "a b", f"<p>{MARK}a   b</mark></p>"),
        ("<p>If <math><mi>x</mi><mo>=</mo><mn>2</mn></math>.</p>", "If x",
         f"<p>{MARK}If </mark>{MARK}<math><mi>x</mi><mo>=</mo><mn>2</mn></math></mark>.</p>"),
    ],
)  # fmt: skip
def test_a_passage_is_marked_across_the_borders_of_elements(html: str, words: str, expected: str) -> None:
    assert marked(html, words) == expected


PIECES = st.lists(
    st.sampled_from(
        ["<p>", "</p>", "<b>", "</b>", "<li>", "</li>", "<td>", "</td>", "<code>", "</code>", "a", "bc", "中文", "👩‍🚀",
         " ", "\n", "&lt;", "&amp;", "<br>", '<sup class="cite-ref" data-n="1">[1]</sup>', "e\u0301", "עברית"]
    ),
    max_size=30,
).map("".join)  # fmt: skip


@given(PIECES, st.data())
def test_the_marks_of_any_range_hold_its_words_and_change_no_others(html: str, data: st.DataObject) -> None:
    visible = visible_text(html)
    start = data.draw(st.integers(0, len(visible.text)))
    end = data.draw(st.integers(start, len(visible.text)))
    result = mark_passages(html, visible, [Marking(start, end)])
    assert re.sub(r'<mark class="passage">|</mark>', "", result) == html
    assert visible_text(result).text == visible.text
    within = "".join(visible_text(words).text for words in re.findall(rf"{MARK}(.*?)</mark>", result, re.DOTALL))
    assert within.replace(" ", "") == visible.text[start:end].replace(" ", "")
    assert not re.search(rf"{MARK}[^<]*<(?!/mark>)", result), "a mark holds text alone"


def test_the_marked_html_is_read_by_a_browser_as_it_was_meant() -> None:
    html = "<ul><li>one <em>two</em></li></ul><table><tbody><tr><td>three</td></tr></tbody></table>"
    result = mark_passages(html, visible_text(html), [Marking(0, len(visible_text(html).text))])
    tree = html5lib.parse(result, namespaceHTMLElements=False)
    assert ["".join(mark.itertext()) for mark in tree.iter("mark")] == ["one ", "two", "three"]


SPAN = ('<span class="branched">', "</span>")
SIGN = '<a class="branch-sign"></a>'


@pytest.mark.parametrize(
    ("html", "markings", "expected"),
    [
        ("<p>abcd</p>", [Marking(0, 3), Marking(2, 4, SPAN)],
         f"<p>{MARK}ab</mark>{MARK}{SPAN[0]}c</span></mark>{SPAN[0]}d</span></p>"),
        ("<p>abcd</p>", [Marking(0, 4), Marking(1, 2, SPAN)],
         f"<p>{MARK}a</mark>{MARK}{SPAN[0]}b</span></mark>{MARK}cd</mark></p>"),
        ("<p>ab</p>", [Marking(0, 1, SPAN, SIGN), Marking(0, 1, SPAN, "!")],
         f"<p>{SPAN[0]}{SPAN[0]}a</span></span>{SIGN}!b</p>"),
        ('<p><a href="x">ab</a>c</p>', [Marking(0, 1, SPAN, SIGN)],
         f'<p><a href="x">{SPAN[0]}a</span>b</a>{SIGN}c</p>'),
        ("<p><abbr>ab</abbr>c</p>", [Marking(0, 1, SPAN, SIGN)],
         f"<p><abbr>{SPAN[0]}a</span>{SIGN}b</abbr>c</p>"),
        ("<p>ab</p>", [], "<p>ab</p>"),
        ("<p>ab</p>", [Marking(1, 1, SPAN, SIGN)], "<p>ab</p>"),
    ],
)  # fmt: skip
def test_passages_may_overlap_and_be_followed_by_a_sign(html: str, markings: list[Marking], expected: str) -> None:
    assert mark_passages(html, visible_text(html), markings) == expected
