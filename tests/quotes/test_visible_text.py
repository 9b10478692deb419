"""Visible text is what a reader sees, and every found range becomes marks that leave the markup whole."""

import re

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shareview.quotes.visible_text import mark_passage, visible_text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One <strong>two</strong> three.</p>", "One two three."),
        ("<p>One</p>\n<p>Two</p>", "One Two"),
        ("<p>un<em>break</em>able</p>", "unbreakable"),
        ("<ul>\n<li>a</li>\n<li>b</li>\n</ul>", "a b"),
        ("<table><thead><tr><th>h</th></tr></thead><tbody><tr><td>a</td><td>b</td></tr></tbody></table>", "h a b"),
        ("<p>a<br>b</p>", "a b"),
        ("<p>a  \n  b\u3000c\u00a0d</p>", "a b c d"),
        ("<pre><code>x =  1\n  y</code></pre>", "x = 1 y"),
        ("<p>1 &lt; 2 &amp; 3 &gt; 2 &quot;q&quot;</p>", '1 < 2 & 3 > 2 "q"'),
        ("<p>&#20013;&#x6587;</p>", "中文"),
        ('<p>Cited<sup class="cite-ref" data-n="3">[1]</sup>.</p>', "Cited."),
        ('<p>Cited<sup class="cite-ref" id="r" data-n="3"><a href="/s/">[1]</a></sup>.</p>', "Cited."),
        ("<p>x<sup>2</sup></p>", "x2"),
        ('<p><span data-claim-start="s"></span>Claim.<span data-claim-end="s"></span></p>', "Claim."),
        ("<p>👨‍👩‍👧 é</p>", "👨‍👩‍👧 é"),
        ("<hr><p> a </p><hr>", "a"),
        ("", ""),
        ("<p>a & b</p>", "a & b"),
    ],
)
def test_it_is_what_one_reads_in_one_line(html: str, text: str) -> None:
    assert visible_text(html).text == text


def marked(html: str, words: str) -> str:
    visible = visible_text(html)
    at = visible.text.index(words)
    return mark_passage(html, visible, at, at + len(words))


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
    result = mark_passage(html, visible, start, end)
    assert re.sub(r'<mark class="passage">|</mark>', "", result) == html
    assert visible_text(result).text == visible.text
    within = "".join(visible_text(words).text for words in re.findall(rf"{MARK}(.*?)</mark>", result, re.DOTALL))
    assert within.replace(" ", "") == visible.text[start:end].replace(" ", "")
    assert not re.search(rf"{MARK}[^<]*<(?!/mark>)", result), "a mark holds text alone"


def test_the_marked_html_is_read_by_a_browser_as_it_was_meant() -> None:
    html = "<ul><li>one <em>two</em></li></ul><table><tbody><tr><td>three</td></tr></tbody></table>"
    result = mark_passage(html, visible_text(html), 0, len(visible_text(html).text))
    tree = html5lib.parse(result, namespaceHTMLElements=False)
    assert ["".join(mark.itertext()) for mark in tree.iter("mark")] == ["one ", "two", "three"]
