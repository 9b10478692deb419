"""What holds for every message, whatever stands in it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shown import NONCE, attributes, elements, read, render

from shareview.rendering.messages import TEXT_LIMIT, RenderingOptions, plain_message, render_message
from shareview.rendering.raw_html import ALLOWED_TAGS

MATHML = {"math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "msup", "msub", "msubsup", "mfrac", "mtable"}
ATTRIBUTES = {
    ("a", "href"), ("a", "title"), ("a", "target"), ("a", "rel"), ("details", "open"), ("ol", "start"),
    ("input", "type"), ("input", "checked"), ("input", "disabled"), ("pre", "tabindex"), ("pre", "class"),
    ("table", "tabindex"),
    ("code", "data-lang"), ("span", "class"), ("sup", "class"), ("sup", "data-n"), ("math", "display"),
    *((cell, name) for cell in ("td", "th") for name in ("align", "colspan", "rowspan")),
}  # fmt: skip
PIECES = [
    "word", "中文", "，", "é", "😀", "\u200d", "\u202e", " ", "  ", "\t", "\n", "\n\n", "\r\n", "    ",
    "# ", "- ", "- [ ] ", "1. ", "> ", "```", "```py\n", "~~~", "`", "``", "*", "**", "_", "~", "~~", "---", "===",
    "| ", "|-|", "\n|-|-|\n", "[", "]", "(", ")", "](", "](https://a.example/)", "](javascript:1)", "![", "[r]: /x\n",
    "[^1^]", "[^3^]", "[^9^]", "\\", "\\(", "\\)", "$$", "&amp;", "&#91;", "&#x202e;", "&", "<", ">", "<b>", "</b>",
    "<div>", "</div>", "<table>", "<td>", "</table>", "<script>", "<a href=https://b.example>", "</a>", "<!--", "-->",
    "<sup class=cite-ref data-n=1>", "<img src=x>", "<?", "https://c.example/", "www.d.example", "e@f.example",
    "\ue000", "\ue001", "\x02", "\x03", "\x1d", "\x00",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join), st.booleans(), st.booleans())
@settings(max_examples=500, deadline=None)
def test_any_mixture_renders_to_allowed_markup_without_a_placeholder(text: str, math: bool, line_breaks: bool) -> None:
    rendered = render(text, math=math, line_breaks=line_breaks, code_colour=True)
    assert {element.tag for element in elements(rendered.html)} <= ALLOWED_TAGS | (MATHML if math else set())
    for tag, name, value in attributes(rendered.html):
        assert (tag, name) in ATTRIBUTES or tag in MATHML
        assert name != "href" or value.lower().startswith(("https://", "http://", "mailto:", "#"))
    assert NONCE not in rendered.html
    assert not {"\x02", "\x03", "\x1d", "\u202e"} & set(rendered.html)


@given(st.text(st.characters(categories=["L", "N"], include_characters=" ，。、；：？“”（）《》·"), max_size=80))
@settings(max_examples=200, deadline=None)
def test_a_text_without_markup_is_read_as_it_is_written(text: str) -> None:
    assert read(render(f"a{text}b").html) == f"a{text}b"


MARKS = ["\n", "\n\n", " * ", " ** ", "\n- ", "\n> ", "\n# ", " | ", " ` ", " ~~ ", " <u> ", " [ ", " ] "]


@given(st.lists(st.text(alphabet="abcd", min_size=1, max_size=5), min_size=1, max_size=12), st.data())
@settings(max_examples=200, deadline=None)
def test_no_word_is_lost_between_marks(words: list[str], data: st.DataObject) -> None:
    marks = [data.draw(st.sampled_from(MARKS)) for _ in words]
    text = "".join(mark + word for mark, word in zip(marks, words, strict=True))
    assert "".join(char for char in read(render(text).html) if char in "abcd") == "".join(words)


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\u200b", "\ufeff", "[^9^]", "<!-- x -->"])
def test_a_message_of_nothing_shows_nothing(text: str) -> None:
    rendered = render(text)
    assert read(rendered.html).strip() == ""
    assert rendered.fault == ""


@pytest.mark.parametrize(
    "text", ["a\ud800b", "`\udfff`", "```\n\ud800\n```", "[\ud800](https://a.example/)", "<b>\udc00</b>"]
)
def test_half_of_a_surrogate_pair_does_not_raise(text: str) -> None:
    assert render(text).html.startswith(("<p>", "<pre", "<b>"))


def test_line_ends_of_a_question_are_kept_and_those_of_an_answer_are_spaces() -> None:
    assert render("a\nb", line_breaks=True).html == "<p>a<br>\nb</p>"
    assert render("a\nb").html == "<p>a\nb</p>"
    assert render("a  \nb").html == "<p>a<br>\nb</p>"
    assert render("```\na\nb\n```", line_breaks=True).html == '<pre tabindex="0"><code>a\nb\n</code></pre>'


@pytest.mark.parametrize("text", ["a\r\nb", "a\rb", "a\nb"])
def test_every_kind_of_line_end_is_one(text: str) -> None:
    assert render(text).html == "<p>a\nb</p>"


def test_raw_html_can_be_shown_as_its_source() -> None:
    html = render_message("a <b>b</b> **c**", nonce=NONCE, options=RenderingOptions(raw_html=False)).html
    assert html == "<p>a &lt;b&gt;b&lt;/b&gt; <strong>c</strong></p>"


def test_without_numbers_every_marker_vanishes() -> None:
    rendered = render_message("a[^1^] b", nonce=NONCE)
    assert rendered.html == "<p>a b</p>"
    assert rendered.superscripts == ()


def test_a_message_in_plain_text_is_escaped_and_has_no_markers_or_controls() -> None:
    rendered = plain_message("<b>\u202e&amp; [^1^]", "why")
    assert rendered.html == '<pre class="plain-text" tabindex="0">&lt;b&gt;&amp;amp; </pre>'
    assert rendered.fault == "why"


def test_the_bound_counts_what_is_shown() -> None:
    assert render("a\u200b" * (TEXT_LIMIT // 2)).fault == ""
    assert render("a " * (TEXT_LIMIT // 2) + "b").fault == f"longer than {TEXT_LIMIT} characters"


def test_the_same_text_renders_the_same_twice() -> None:
    text = "# a[^1^]\n\n- [x] b\n\n| c |\n|-|\n| `d` |\n\n[r]\n\n[r]: https://a.example/"
    assert render(text) == render(text)
