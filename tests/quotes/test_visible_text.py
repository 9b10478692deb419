"""Visible text is what a reader sees, in one line."""

import pytest
from sessions import FreezeRecords

from shareview.quotes.visible_text import visible_text, visible_words


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
        ("<p>If <math><mi>x</mi> <mo>&lt;</mo><mn>2</mn></math> then</p>", "If x <2 then"),
    ],
)
def test_it_is_what_one_reads_in_one_line(html: str, text: str) -> None:
    assert visible_text(html).text == text
    assert visible_words(html) == text


@pytest.mark.parametrize("name", ["battery.en.jsonl", "claims.zh.jsonl", "deadline.zh.jsonl", "threads.zh.jsonl"])
def test_the_words_alone_are_those_of_the_whole_reading(freeze: FreezeRecords, name: str) -> None:
    for row in freeze(name).snapshot.rendered.all():
        assert visible_words(row.html) == visible_text(row.html).text
