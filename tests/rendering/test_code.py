"""Code is shown to the letter, coloured by class where a lexer leaves its text alone."""

import pytest
from pygments.lexers import get_lexer_by_name
from shown import attributes, elements, read, render

from shareview.rendering.code import code_html

LANGUAGES = (
    "python pycon javascript typescript json html css bash console shell-session sql psql sqlite3 c cpp java go rust "
    "diff yaml toml ini xml latex markdown r rconsole ruby rbcon irb php perl haskell literate-haskell matlab "
    "matlabsession elixir iex erlang erl powershell pwsh-session doscon robotframework makefile docker nginx text"
).split()
CODES = [
    "x = 1\n",
    "\n\n  indented\n",
    "trailing  \n\n\n",
    "$ ls\nfile <b>&amp;</b>\n>>> 1 / 0\nError: x\n",
    "a\tb\n\tc\n",
    "中文 'é' \"😀\" `~!@#$%^&*()_+`\n",
    "last line without an end",
    "   \n",
]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_colours_change_no_character(language: str, code: str) -> None:
    get_lexer_by_name(language)
    shown = read(code_html(code, language, colour=True))
    assert shown == code.removesuffix("\n") + "\n"


@pytest.mark.parametrize("colour", [True, False])
def test_markup_in_code_is_text(colour: bool) -> None:
    code = "</code></pre><script>alert('1')</script>&lt;\n"
    html = code_html(code, "html", colour=colour)
    assert {element.tag for element in elements(html)} <= {"code", "span"}
    assert read(html) == code


def test_colours_are_classes_and_nothing_else() -> None:
    html = render("```python\ndef f(): return 'x'  # [^1^]\n```", code_colour=True).html
    names = {(tag, name) for tag, name, _ in attributes(html)}
    assert names == {("pre", "tabindex"), ("code", "data-lang"), ("span", "class")}


@pytest.mark.parametrize(
    ("fence", "label"),
    [
        ("python", "python"),
        ("python title=x", "python"),
        ("{style=x}", "{style=x}"),
        ("{.class #id}", "{.class"),
        ('"onload="alert(1)', '"onload="alert(1)'),
        ("<script>", "<script>"),
        ("C++", "C++"),
        ("中文", "中文"),
        ("&quot;x", "&quot;x"),
        ("[^1^]", "[^1^]"),
    ],
)
def test_the_first_word_of_a_fence_is_its_label_and_nothing_more(fence: str, label: str) -> None:
    html = render(f"~~~ {fence}\nword\n~~~", code_colour=True).html
    pre, code, *_ = elements(html)
    assert pre.attrib == {"tabindex": "0"}
    assert code.attrib == {"data-lang": label}
    assert read(html) == "word\n"


@pytest.mark.parametrize("text", ["```\nword\n```", "    word", "~~~\nword"])
def test_a_block_without_a_language_has_no_label(text: str) -> None:
    assert render(text).html == '<pre tabindex="0"><code>word\n</code></pre>'


def test_a_long_block_is_shown_without_colours() -> None:
    short, long = (
        code_html("x = 1\n" * 8_000, "python", colour=True),
        code_html("x = 1\n" * 9_000, "python", colour=True),
    )
    assert "<span" in short
    assert "<span" not in long
    assert read(long) == "x = 1\n" * 9_000


def test_an_unknown_language_keeps_its_label() -> None:
    assert code_html("x<y\n", "nolang", colour=True) == '<code data-lang="nolang">x&lt;y\n</code>'


def test_a_code_span_is_shown_as_it_is_written() -> None:
    assert render("`` a ` <b> &amp; [^1^] ``").html == "<p><code>a ` &lt;b&gt; &amp;amp; [^1^]</code></p>"
