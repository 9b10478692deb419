"""One message: its markers, characters, code, formulas and links as a reader sees them."""

import html5lib
import pytest

from shareview.rendering.characters import shown_characters
from shareview.rendering.messages import TEXT_LIMIT, RenderingOptions, render_message
from shareview.rendering.superscripts import SuperscriptLink, link_superscripts

SUP = '<sup class="cite-ref" data-n="3">[2]</sup>'


def html_of(text: str, **options: bool) -> str:
    settings = RenderingOptions(**{"code_colour": False, **options})
    return render_message(text, nonce="0123456789abcdef", numbers={3: 2}, options=settings).html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("So[^3^].", f"<p>So{SUP}.</p>"),
        ("**So[^3^]**", f"<p><strong>So{SUP}</strong></p>"),
        ("# So[^3^]", f"<h1>So{SUP}</h1>"),
        ("So[^3^][^3^]", f"<p>So{SUP}{SUP}</p>"),
        ("So[^9^].", "<p>So.</p>"),
        ("So[^03^] so[^3^", "<p>So so[^3^</p>"),
        ("So[^a^] so[^3] so[^^] so[^３^]", "<p>So[^a^] so[^3] so[^^] so[^３^]</p>"),
        ("So[^1234567^]", "<p>So[^1234567^]</p>"),
        ("`[^3^]`", "<p><code>[^3^]</code></p>"),
        (r"So \[^3^]", "<p>So [^3^]</p>"),
        ("So &#91;^3^]", f"<p>So {SUP}</p>"),
        ("[a[^3^]](https://a.example/)", '<p><a target="_blank" rel="noopener noreferrer" href="https://a.example/">a[^3^]</a></p>'),
        ("<div>\n[^3^]\n</div>", "<div>\n[^3^]\n</div>"),
    ],
)  # fmt: skip
def test_a_marker_is_a_superscript_in_running_text_only(text: str, html: str) -> None:
    assert html_of(text) == html


def test_the_text_before_each_superscript_is_noted() -> None:
    rendered = render_message("One. Two[^3^].\n\n- three[^3^]", nonce="0123456789abcdef", numbers={3: 2})
    assert [(mark.n, mark.shown, mark.before) for mark in rendered.superscripts] == [
        (3, 2, "One. Two"),
        (3, 2, "three"),
    ]


@pytest.mark.parametrize(
    "char",
    ["\u202e", "\u2066", "\u200f", "\u061c", "\u200b", "\u2060", "\ufeff", "\u00ad", "\x07", "\x85", "\U000e0041"],
)
def test_characters_that_deceive_are_not_shown(char: str) -> None:
    assert html_of(f"a{char}b &#x{ord(char):x};c") in ("<p>ab c</p>", "<p>ab …c</p>", "<p>ab \ufffdc</p>")


@pytest.mark.parametrize(
    "text",
    [
        "👩\u200d👩\u200d👧\u200d👦",  # a family
        "❤\ufe0f\u200d🔥",  # a heart on fire
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # the flag of Scotland
        "👍🏽",
        "می\u200cخواهم",  # Persian
        "क्\u200dष",  # Devanagari
        "葛\U000e0100",
        "1\ufe0f\u20e3",
    ],
)
def test_what_a_script_or_an_emoji_needs_stays(text: str) -> None:
    assert shown_characters(text) == text


@pytest.mark.parametrize("text", ["1\u200d2", "a \u200c b", "\u200d", "!\u200c?"])
def test_a_joiner_that_joins_nothing_is_not_shown(text: str) -> None:
    assert "\u200c" not in shown_characters(text)
    assert "\u200d" not in shown_characters(text)


def test_an_image_from_elsewhere_is_a_link_with_label_and_host() -> None:
    assert html_of("![Curve](https://lab.example/c.png)") == (
        '<p><a target="_blank" rel="noopener noreferrer" href="https://lab.example/c.png">Curve · lab.example</a></p>'
    )


def test_a_link_into_the_site_keeps_its_text_only() -> None:
    assert html_of("[x](/admin/) and <a href='?open=all'>y</a>") == "<p>x and <a>y</a></p>"


def test_a_tag_that_is_not_allowed_shows_as_it_is_written() -> None:
    assert html_of("Use <think> and <T a='1'>") == "<p>Use &lt;think&gt; and &lt;T a='1'&gt;</p>"


def test_code_is_coloured_by_class_and_keeps_its_text() -> None:
    html = html_of("```python\nx = 1 < 2\n```", code_colour=True)
    assert '<code data-lang="python">' in html
    assert 'class="mi"' in html
    assert "style" not in html


@pytest.mark.parametrize(
    "language",
    ["console", "psql", "pycon", "iex", "erl", "doscon", "rconsole", "robotframework", "python", "html", "diff"],
)
@pytest.mark.parametrize("code", ["$ make\nBUILD FAILED", ">>> 1", "a\tb\n\n", "\n\nx", "", "<b>&amp;</b>"])
def test_colours_change_no_character_of_any_code(language: str, code: str) -> None:
    html = html_of(f"~~~{language}\n{code}\n~~~", code_colour=True)
    shown = "".join(html5lib.parseFragment(html.replace('<pre tabindex="0">', "<div>")).itertext())
    assert shown == f"{code}\n"


def test_code_that_nothing_colours_is_escaped() -> None:
    assert html_of("```nolang\n<b>&amp;\n```") == (
        '<pre tabindex="0"><code data-lang="nolang">&lt;b&gt;&amp;amp;\n</code></pre>'
    )


@pytest.mark.parametrize("text", [r"\(E = mc^2\)", r"\[x_1 = 2\]", "$$\nx_1 = 2\n$$", r"a $$x^2$$ b"])
def test_a_formula_becomes_mathml_where_the_site_turns_it_on(text: str) -> None:
    html = html_of(text, math=True)
    assert "<math" in html
    assert "<script" not in html
    assert "<math" not in html_of(text)


@pytest.mark.parametrize("text", [r"\(\begin{matrix} x\)", r"\(\notacommand x\)", r"\(\)", r"costs $$5"])
def test_a_formula_that_does_not_parse_stays_as_source(text: str) -> None:
    html = html_of(text, math=True)
    assert "<math" not in html
    assert html == f"<p>{text}</p>" or html == html_of(text)


def test_dollar_amounts_are_no_formula() -> None:
    assert html_of("from $5 to $10", math=True) == "<p>from $5 to $10</p>"


def test_a_text_beyond_the_bound_is_shown_as_plain_text_without_its_markers() -> None:
    rendered = render_message("word[^3^] " * (TEXT_LIMIT // 9), nonce="0123456789abcdef", numbers={3: 2})
    assert rendered.fault == f"longer than {TEXT_LIMIT} characters"
    assert rendered.html.startswith('<pre class="plain-text" tabindex="0">word word ')


def test_superscripts_are_linked_when_the_page_is_made() -> None:
    def link(k: int, occurrence: int) -> SuperscriptLink:
        return SuperscriptLink(f"ref-{k}-{occurrence}", "?a=1&b=2#x", "/panel", 'Source 2: "T"', occurrence == 2)

    assert link_superscripts(f"<p>{SUP}{SUP}</p>", link) == (
        '<p><sup class="cite-ref" id="ref-2-1" data-n="3"><a href="?a=1&amp;b=2#x" data-panel="/panel" '
        'aria-label="Source 2: &quot;T&quot;">[2]</a></sup>'
        '<sup class="cite-ref" id="ref-2-2" data-n="3"><a href="?a=1&amp;b=2#x" data-panel="/panel" '
        'aria-label="Source 2: &quot;T&quot;" aria-current="true">[2]</a></sup></p>'
    )
