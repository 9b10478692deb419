"""Emphasis, strikethrough, references, escapes and formulas, where the main chat has rules of its own."""

import pytest
from markdown_it.token import Token

from shareview.dialect import parse


def inline(text: str, *, math: bool = False) -> list[Token]:
    """The inline tokens of the first block that has any."""
    return next(list(token.children or ()) for token in parse(text, math=math) if token.type == "inline")


def kinds(text: str, *, math: bool = False) -> list[str]:
    """The kinds of the inline tokens of the first block."""
    return [token.type for token in inline(text, math=math)]


def shape(text: str, *, math: bool = False) -> str:
    """The inline tokens of ``text`` in short: tags in brackets around their text."""
    parts = []
    for token in inline(text, math=math):
        if token.nesting == 1:
            parts.append(f"<{token.tag}>")
        elif token.nesting == -1:
            parts.append(f"</{token.tag}>")
        else:
            parts.append(f"({token.content})" if token.type.startswith("math") else token.content)
    return "".join(parts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("~a~", "<del>a</del>"),
        ("~~a~~", "<del>a</del>"),
        ("~a b~ c", "<del>a b</del> c"),
        ("5~50 and 2~8", "5<del>50 and 2</del>8"),
        ("~a~~", "~a~~"),
        ("~~a~", "~~a~"),
        ("~~~a~~~", "~~~a~~~"),
        ("~ a~", "~ a~"),
        ("a ~ b ~ c", "a ~ b ~ c"),
        (r"\~a~", "~a~"),
        ("~`a~`", "~a~"),
        ("~**a**~", "<del><strong>a</strong></del>"),
        ("**~a~**", "<strong><del>a</del></strong>"),
        ("约~3天", "约~3天"),
    ],
)
def test_one_tilde_strikes_through_as_two_do(text: str, expected: str) -> None:
    assert shape(text if not text.startswith("~~~") else "x " + text).removeprefix("x ") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*a*", "<em>a</em>"),
        ("**a**", "<strong>a</strong>"),
        ("***a***", "<em><strong>a</strong></em>"),
        ("snake_case_name", "snake_case_name"),
        ("2*3*4", "2<em>3</em>4"),
        ("** a **", "** a **"),
        ("中**文**字", "中<strong>文</strong>字"),
        ("**“文”**字", "**“文”**字"),
        ("**a*", "*<em>a</em>"),
        (r"\*a*", "*a*"),
        ("*a `b*`", "*a b*"),
        ("*[a*](b)", "*<a>a*</a>"),
    ],
)
def test_emphasis_is_found_as_the_main_chat_finds_it(text: str, expected: str) -> None:
    assert shape(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("&amp;", "&"),
        ("&copy;", "©"),
        ("&copy", "&copy"),
        ("&#65;&#x42;", "AB"),
        ("&nosuch;", "&nosuch;"),
        ("&#0;", "\ufffd"),
        ("AT&T", "AT&T"),
        ("&notit;", "¬it;"),
    ],
)
def test_a_reference_is_read_as_a_browser_reads_it(text: str, expected: str) -> None:
    assert shape(text) == expected


def test_an_escaped_bracket_stays_apart_and_a_numeric_reference_does_not() -> None:
    assert [token.content for token in inline(r"a\[^4^]")] == ["a", "[", "^4^]"]
    assert [token.content for token in inline("a&#91;^4^]")] == ["a[^4^]"]
    assert [token.content for token in inline("a&lbrack;^4^]")] == ["a", "[", "^4^]"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"a \(x_1\) b", "a (x_1) b"),
        (r"\[x*y*z\]", "(x*y*z)"),
        ("a $$x$$ b", "a (x) b"),
        ("$$\nx\ny\n$$", "(\nx\ny\n)"),
        (r"\(a\)\(b\)", "(a)(b)"),
        ("$5 and $6", "$5 and $6"),
        ("$$5", "$$5"),
        (r"\(x", "(x"),
        (r"\\(x\\)", r"\(x\)"),
        (r"`\(x\)`", r"\(x\)"),
    ],
)
def test_formulas_are_read_to_the_letter_where_they_are_on(text: str, expected: str) -> None:
    assert shape(text, math=True) == expected


@pytest.mark.parametrize("text", [r"\(x\)", r"\[x\]", "$$x$$", "$$\nx\n$$", r"a \(x\) b"])
def test_formulas_are_text_where_they_are_off(text: str) -> None:
    assert "math_inline" not in kinds(text)
    assert "math_block" not in kinds(text)
    assert {"math_inline", "math_block"} & set(kinds(text, math=True))
