"""Blocks: the bound on their nesting, task lists, lines, and white space at their edges."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it.token import Token

from shareview.dialect import BLOCK_NESTING, DialectError, parse


def inline(text: str) -> list[Token]:
    """The inline tokens of the first block that has any."""
    return next(list(token.children or ()) for token in parse(text) if token.type == "inline")


def words(tokens: list[Token]) -> str:
    """All text that the tokens hold."""
    return "".join(token.content for token in tokens)


@pytest.mark.parametrize("opening", [">", "- ", "1. ", "> - ", "* > 1. "])
def test_blocks_too_deep_are_refused_before_text_is_lost(opening: str) -> None:
    for levels in range(50, 360, 10):
        text = opening * (levels // max(1, len(opening.split()))) + "word"
        try:
            tokens = parse(text)
        except DialectError:
            break
        assert "word" in words(tokens)
    with pytest.raises(DialectError, match=f"blocks nest deeper than {BLOCK_NESTING} levels"):
        parse(text)


def test_a_list_of_500_levels_is_refused() -> None:
    with pytest.raises(DialectError):
        parse("".join("  " * level + "- item\n" for level in range(500)))


def test_what_stands_beside_a_deep_block_is_refused_with_it() -> None:
    with pytest.raises(DialectError):
        parse("before\n\n" + ">" * 300 + " x\n\nafter")


@pytest.mark.parametrize(
    ("text", "checked", "content"),
    [
        ("- [ ] a", False, "a"),
        ("- [x] a", True, "a"),
        ("- [X] **a**", True, "**a**"),
        ("1. [ ] a", False, "a"),
        ("* [x]  a", True, "a"),
        ("- [x]a", None, "[x]a"),
        ("- [] a", None, "[] a"),
        ("- [y] a", None, "[y] a"),
        ("- a [x] b", None, "a [x] b"),
        ("- [x]", None, "[x]"),
        ("[x] a", None, "[x] a"),
        ("> [ ] a", None, "[ ] a"),
    ],
)
def test_a_task_is_a_box_at_the_start_of_an_item(text: str, checked: bool | None, content: str) -> None:
    tokens = parse(text)
    metas = [token.meta["checked"] for token in tokens if token.meta and "checked" in token.meta]
    assert metas == ([] if checked is None else [checked])
    assert [token.content for token in tokens if token.type == "inline"] == [content]


def test_only_the_first_paragraph_of_an_item_may_be_a_task() -> None:
    tokens = parse("- a\n\n  [x] b")
    assert not any(token.meta for token in tokens)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\nb\n\nc", [[0, 2], [3, 4]]),
        ("# a\n\n- b\n- c\n", [[0, 1], [2, 4], [2, 3], [2, 3], [3, 4], [3, 4]]),
        ("> a\n> b", [[0, 2], [0, 2]]),
    ],
)
def test_a_block_knows_its_lines(text: str, lines: list[list[int]]) -> None:
    assert [token.map for token in parse(text) if token.nesting == 1] == lines


@pytest.mark.parametrize("space", ["\u00a0", "\u3000"])
def test_spaces_that_are_seen_stay_at_the_edge_of_a_paragraph(space: str) -> None:
    assert inline(f"{space}{space}a{space}")[0].content == f"{space}{space}a{space}"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("- a\n\n\t\tb\tc\n", "  b\tc\n"),
        ("- ```\n\tx\n  ```\n", "  x\n"),
        ("\ta\tb\n", "a\tb\n"),
    ],
)
def test_tabs_before_code_in_a_list_are_spaces(text: str, code: str) -> None:
    (block,) = [token for token in parse(text) if token.type in ("fence", "code_block")]
    assert block.content == code


@pytest.mark.parametrize("char", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
def test_only_a_line_feed_ends_a_line_of_code(char: str) -> None:
    (block,) = [token for token in parse(f"- a\n\n      x{char}y\tz\n      w\n") if token.type == "code_block"]
    assert block.content == f"x{char}y\tz\nw\n"


@given(st.text(alphabet=st.sampled_from(list("ab \n\t*_~`[]()<>!|#>-+.:/&;\\$=@1")), max_size=80))
@settings(max_examples=300, deadline=None)
def test_any_text_is_parsed_or_refused(text: str) -> None:
    for math in (False, True):
        tokens = parse(text, math=math)
        assert sum(token.nesting for token in tokens) == 0
        for token in tokens:
            assert sum(child.nesting for child in token.children or ()) == 0
