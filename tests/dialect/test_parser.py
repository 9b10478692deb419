"""The parser's own promises."""

import pytest

from shareview.dialect import BLOCK_NESTING, DialectError, parse


def kinds(text: str, *, math: bool = False) -> list[str]:
    """The kinds of the inline tokens of a one-paragraph text."""
    inline = next(token for token in parse(text, math=math) if token.type == "inline")
    return [child.type for child in inline.children or ()]


def test_blocks_know_the_lines_they_stand_on() -> None:
    assert [token.map for token in parse("# a\n\nb\nc\n") if token.nesting == 1] == [[0, 1], [2, 4]]


def test_nesting_beyond_the_bound_is_refused_and_not_cut() -> None:
    parse(">" * (BLOCK_NESTING - 2) + " x")
    with pytest.raises(DialectError):
        parse(">" * (BLOCK_NESTING + 2) + " x")


def test_one_tilde_strikes_through_as_two_do() -> None:
    assert kinds("~a~") == kinds("~~a~~") == ["s_open", "text", "s_close"]
    assert kinds("~a~~") == ["text"]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("https://a.example/x.", "https://a.example/x"),
        ("(https://a.example/x)", "https://a.example/x"),
        ("www.a.example", "http://www.a.example"),
        ("me@a.example", "mailto:me@a.example"),
        ("ftp://a.example", "ftp://a.example"),
        ("https://a.example/x[^1^]", "https://a.example/x[^1^]"),
    ],
)
def test_a_bare_address_is_linked_without_what_closes_the_sentence(text: str, target: str) -> None:
    inline = next(token for token in parse(text) if token.type == "inline")
    assert [child.attrGet("href") for child in inline.children or () if child.type == "link_open"] == [target]


@pytest.mark.parametrize("text", ["file.py", "Gaussian.com", "a:b", "x@y", "xwww.a.example", "a" * 80 + "@b"])
def test_what_only_looks_like_an_address_is_not_linked(text: str) -> None:
    assert "link_open" not in kinds(text)


def test_formulas_are_read_only_where_they_are_turned_on() -> None:
    assert kinds(r"\(x\)", math=True) == ["math_inline"]
    assert "math_inline" not in kinds(r"\(x\)")


def test_an_address_may_follow_a_tag_or_code() -> None:
    assert kinds("`x`www.a.example") == ["code_inline", "link_open", "text", "link_close"]
    assert "link_open" in kinds("see<br>www.a.example")


@pytest.mark.parametrize("char", ["\v", "\f", "\x1c", "\x85", "\u2028"])
def test_only_a_line_feed_ends_a_line_of_code_in_a_list(char: str) -> None:
    code = [
        token.content for token in parse(f"- a\n\n  ```\n  \tx{char}y\n  ```\n\n  after\n") if token.type == "fence"
    ]
    assert [text.count("\n") for text in code] == [1]
    assert code[0].endswith(f"x{char}y\n")
