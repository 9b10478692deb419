"""Formulas become MathML where a site turns them on; what does not parse stays as its source."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shown import attributes, elements, read, render

from shareview.rendering.formulas import formula_html
from shareview.rendering.raw_html import ALLOWED_TAGS

MATH = {"math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "msup", "msub", "msubsup", "mfrac", "msqrt", "mroot",
        "mover", "munder", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom", "menclose",
        "mmultiscripts"}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "display"),
    [
        (r"so \(x^2\) is", "inline"),
        (r"so $$x^2$$ is", "block"),
        (r"\[x^2\]", "block"),
        ("$$x^2$$", "block"),
        ("\\[\nx^2\n\\]", "block"),
        ("$$\nx^2\n$$", "block"),
        ("text\n$$\nx^2\n$$\ntext", "block"),
    ],
)
def test_a_formula_is_mathml_in_the_line_or_on_its_own(text: str, display: str) -> None:
    html = render(text, math=True).html
    assert f'<math display="{display}"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>' in html
    assert "$" not in html
    assert "\\" not in html


@pytest.mark.parametrize(
    "text", [r"- \(x\)", r"> \(x\)", r"# \(x\)", "| \\(x\\) |\n|-|", r"**\(x\)**", r"[\(x\)](https://a.example/)"]
)
def test_a_formula_may_stand_in_any_running_text(text: str) -> None:
    assert '<math display="inline"><mrow><mi>x</mi></mrow></math>' in render(text, math=True).html


@pytest.mark.parametrize("text", [r"`\(x\)`", "```\n\\(x\\)\n$$y$$\n```", r"    \[x\]"])
def test_code_holds_no_formula(text: str) -> None:
    assert render(text, math=True).html == render(text).html


@pytest.mark.parametrize("text", ["from $5 to $10", "$x$", "$$", "$$ $$", r"\(x", r"x\)", "$$x\n\ny$$", r"\\(x\\)"])
def test_what_is_no_formula_is_shown_as_in_the_main_chat(text: str) -> None:
    assert render(text, math=True).html == render(text).html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (r"\(x\)", "<p>(x)</p>"),
        (r"\[x\]", "<p>[x]</p>"),
        ("$$x_1$$", "<p>$$x_1$$</p>"),
        (r"$$a_b\_c*d*$$", "<p>$$a_b_c<em>d</em>$$</p>"),
    ],
)
def test_without_formulas_the_text_is_the_main_chats(text: str, html: str) -> None:
    assert render(text).html == html


@pytest.mark.parametrize(
    "source", [r"\notacommand x", r"\begin{matrix} x", r"\left( x", r"x^2^3", r"x_1_2", r"\sqrt[", r"\begin{a}\end{b}"]
)
@pytest.mark.parametrize(("opening", "closing"), [(r"\(", r"\)"), (r"\[", r"\]"), ("$$", "$$")])
def test_what_does_not_parse_stays_as_its_source(source: str, opening: str, closing: str) -> None:
    text = f"{opening}{source}{closing}"
    html = render(text, math=True).html
    assert "<math" in html or read(html) == text


def test_an_unknown_command_is_not_shown_as_a_formula() -> None:
    assert formula_html(r"\notacommand x", display=False) is None
    assert read(render(r"so \(\notacommand x < y\)", math=True).html) == r"so \(\notacommand x < y\)"


def test_a_formula_beyond_the_bound_stays_as_its_source() -> None:
    assert formula_html("x+" * 2_001, display=False) is None
    assert formula_html("x+" * 1_000 + "y", display=False) is not None


@pytest.mark.parametrize(
    "source",
    [
        r"\text{<script>alert(1)</script>}",
        r"\text{<img src=x onerror=alert(1)>}",
        r"\text{</math><script>alert(1)</script>}",
        r"\text{</mtext></math><img src=x onerror=alert(1)>}",
        r"\href{javascript:alert(1)}{x}",
        r"\style{position:fixed}{x}",
        r"\class{cite-ref}{x}",
        r"\cssId{m-1}{x}",
        r"\color{red;background:url(https://a.example)}{x}",
        r"\text{<annotation-xml encoding='text/html'><svg onload=alert(1)>}",
        r"\includegraphics{https://a.example/x.png}",
        r"\text{\ue0000123456789abcdef.0\ue001}",
    ],
)
def test_a_formula_brings_no_markup_but_mathml(source: str) -> None:
    html = render(f"x \\({source}\\) y", math=True).html
    assert {element.tag for element in elements(html)} <= MATH | ALLOWED_TAGS
    assert {name for _, name, _ in attributes(html)} <= {"display", "mathvariant", "stretchy", "mathcolor"}


@pytest.mark.parametrize("source", [r"\text{a <b>word</b> c}", r"\text{if <x y=z>}", r"\text{a <!-- word --> b}"])
def test_a_formula_loses_no_text(source: str) -> None:
    shown = read(render(f"\\({source}\\)", math=True).html).replace("\u00a0", " ")
    assert source.removeprefix(r"\text{").removesuffix("}") in shown


@pytest.mark.parametrize(("source", "shown"), [("a<b", "a<b"), ("a>b", "a>b"), (r"a \& b", "a&b")])
def test_signs_that_html_knows_are_shown_in_a_formula(source: str, shown: str) -> None:
    assert read(formula_html(source, display=False) or "") == shown


PIECES = [*"xy12 {}_^\\&<>=+-()[]$%#~|", "\\frac", "\\sqrt", "\\text{", "\\left", "\\begin{matrix}", "\\end{matrix}"]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@settings(max_examples=200, deadline=None)
def test_no_formula_breaks_the_message(source: str) -> None:
    rendered = render(f"before \\({source}\\) after", math=True)
    assert read(rendered.html).startswith("before ")
    assert read(rendered.html).endswith(" after")
    assert {element.tag for element in elements(rendered.html)} <= MATH | ALLOWED_TAGS
