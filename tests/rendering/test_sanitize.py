"""The gates alone: whatever reaches them, only allowed markup leaves, and two parsers agree on it."""

from collections.abc import Callable

import pytest
from shown import attributes, elements, read, render

from shareview.rendering import sanitize as gates
from shareview.rendering.messages import RenderingOptions, render_message
from shareview.rendering.raw_html import ALLOWED_TAGS
from shareview.rendering.sanitize import UnsafeHtmlError, open_links_elsewhere, same_tree, sanitize

Clean = Callable[[str], str]


def first_gate(monkeypatch: pytest.MonkeyPatch, clean: Clean) -> None:
    """Puts ``clean`` in bleach's place."""

    class FirstGate:
        def clean(self, html: str) -> str:
            return clean(html)

    monkeypatch.setattr(gates, "_bleach", FirstGate)


@pytest.mark.parametrize(
    "html",
    [
        "<script>alert(1)</script>",
        "<svg><script>alert(1)</script></svg>",
        "<p onclick=alert(1) id=x class=y name=z style=top:0 data-n=1 hx-get=/>word</p>",
        '<a href="javascript:123">word</a>',
        '<a href="JAVASCRIPT:alert(1)">word</a>',
        '<a href="java\nscript:alert(1)">word</a>',
        '<a href="&#x1;javascript:alert(1)">word</a>',
        '<a href="data:text/html,x">word</a><a href="vbscript:1">word</a><a href="/admin/">word</a>',
        "<form action=/><button formaction=javascript:1>word</button></form>",
        "<iframe srcdoc=x></iframe><base href=/><meta http-equiv=refresh><link rel=stylesheet href=/>",
        '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
        "<noscript><img src=x onerror=alert(1)></noscript>",
        "<template><b id=x>word</b></template>",
        "<textarea><b onclick=x>word</b></textarea>",
    ],
)
def test_nothing_but_allowed_markup_passes_the_gates(html: str) -> None:
    try:
        clean = sanitize(html)
    except UnsafeHtmlError:
        return
    assert {element.tag for element in elements(clean)} <= ALLOWED_TAGS
    assert list(attributes(clean)) == []


@pytest.mark.parametrize(
    "html",
    [
        "<p>a <b>b</b> <em>c</em></p>",
        '<a href="https://a.example/?a=1&amp;b=2" title="t">x</a>',
        '<ol start="3"><li>x</li></ol>',
        '<table><thead><tr><th align="left">x</th></tr></thead></table>',
        '<input type="checkbox" disabled="">',
        '<details open=""><summary>x</summary>y</details>',
        "a &lt;script&gt; &amp; b",
    ],
)
def test_what_is_allowed_passes_unchanged(html: str) -> None:
    assert same_tree(sanitize(html), html)


@pytest.mark.parametrize(
    "careless",
    [
        '<p onclick="alert(1)">x</p>',
        "<script>alert(1)</script>",
        '<p id="m-1">x</p>',
        '<p class="cite-ref">x</p>',
        '<a href="javascript:alert(1)">x</a>',
        '<a href="javascript:123">x</a>',
        '<a href="/admin/">x</a>',
        '<img src="https://a.example/x">',
        "<svg></svg>",
        '<p style="top:0">x</p>',
    ],
)
def test_what_one_gate_lets_through_the_other_refuses(monkeypatch: pytest.MonkeyPatch, careless: str) -> None:
    first_gate(monkeypatch, lambda html: careless)
    with pytest.raises(UnsafeHtmlError):
        sanitize("<p>x</p>")


def test_a_message_that_the_gates_disagree_on_is_shown_as_its_source(monkeypatch: pytest.MonkeyPatch) -> None:
    first_gate(monkeypatch, lambda html: html + "<script>alert(1)</script>")
    rendered = render("# a <b>&amp;</b> c[^1^]")
    assert rendered.html == '<pre class="plain-text" tabindex="0"># a &lt;b&gt;&amp;amp;&lt;/b&gt; c</pre>'
    assert rendered.fault == "the second sanitizer found something to change"
    assert rendered.superscripts == ()


def test_a_first_gate_that_loses_a_piece_of_the_message_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    first_gate(monkeypatch, lambda html: "<p>x</p>")
    rendered = render("x[^1^] `y`\n\n```\nz\n```")
    assert read(rendered.html) == "x `y`\n\n```\nz\n```"
    assert rendered.fault != ""


def test_a_first_gate_that_shows_a_piece_twice_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    first_gate(monkeypatch, lambda html: html + html)
    assert render("x[^1^]").fault != ""


@pytest.mark.parametrize(
    "forged",
    [
        "\ue0000123456789abcdee.0\ue001",
        "\ue0000.0\ue001",
        "\ue000.0\ue001",
        "\ue000\ue001",
        "https://0123456789abcdee.0.invalid/",
        "&#xe000;0123456789abcdee.0&#xe001;",
        "`\ue0000123456789abcdee.0\ue001`",
        '<a href="https://0123456789abcdee.0.invalid/">x</a>',
    ],
)
def test_a_placeholder_with_a_guessed_nonce_stands_for_nothing(forged: str) -> None:
    html = render(f"{forged}\n\nword[^1^]").html
    assert html.endswith('<p>word<sup class="cite-ref" data-n="1">[1]</sup></p>')
    assert html.count("cite-ref") == 1


def test_no_placeholder_is_left_and_each_render_has_its_own_nonce() -> None:
    text = "a[^1^] [x](https://a:b/) \\(x\\)\n\n```\ny\n```"
    shown = {
        nonce: render_message(text, nonce=nonce, numbers={1: 1}, options=RenderingOptions(math=True)).html
        for nonce in ("0" * 16, "f" * 16)
    }
    assert shown["0" * 16] == shown["f" * 16]
    assert not {"\ue000", "\ue001"} & set(shown["0" * 16])
    assert ".invalid" not in shown["0" * 16]


def test_links_are_opened_elsewhere_only_where_they_lead_to_the_web() -> None:
    assert open_links_elsewhere('<a href="#x">x</a><a href="mailto:a@b.example">x</a>') == (
        '<a href="#x">x</a><a href="mailto:a@b.example">x</a>'
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("<b>x</b>", "<b>x", True),
        ("a&amp;b", "a&b", True),
        ("<b title=x>", '<b title="x"></b>', True),
        ("<b title=x>", "<b title=y>", False),
        ("<b>x</b>y", "<b>xy</b>", False),
        ("<i>x</i>", "<b>x</b>", False),
        ("x", "x ", False),
        ("<p>a<p>b", "<p>a</p><p>b</p>", True),
        ("<p>a<p>b", "<p>a<b></b></p><p>b</p>", False),
    ],
)
def test_trees_are_the_same_where_elements_attributes_and_texts_are(one: str, other: str, same: bool) -> None:
    assert same_tree(one, other) is same
