"""Bare addresses: which texts are linked, and what of them belongs to the link."""

import pytest
from markdown_it.token import Token

from shareview.dialect import parse


def inline(text: str) -> list[Token]:
    """The inline tokens of the first block that has any."""
    return next(list(token.children or ()) for token in parse(text) if token.type == "inline")


def linked(text: str) -> list[tuple[str, str]]:
    """Target and text of every link."""
    children = inline(text)
    return [
        (str(token.attrGet("href")), children[at + 1].content)
        for at, token in enumerate(children)
        if token.type == "link_open"
    ]


@pytest.mark.parametrize(
    ("text", "target", "shown"),
    [
        ("http://a.example", "http://a.example", "http://a.example"),
        ("HTTPS://A.example/X", "HTTPS://A.example/X", "HTTPS://A.example/X"),
        ("ftp://a.example/x", "ftp://a.example/x", "ftp://a.example/x"),
        ("www.a.example/x", "http://www.a.example/x", "www.a.example/x"),
        ("me@a.example", "mailto:me@a.example", "me@a.example"),
        ("mailto:me@a.example", "mailto:me@a.example", "mailto:me@a.example"),
        ("me@a.example-x", "mailto:me@a.example-x", "me@a.example-x"),
        ("see https://a.example/x, and", "https://a.example/x", "https://a.example/x"),
        ("(see https://a.example/x)", "https://a.example/x", "https://a.example/x"),
        ("https://a.example/x_(y)", "https://a.example/x_(y)", "https://a.example/x_(y)"),
        ("(https://a.example/x_(y))", "https://a.example/x_(y)", "https://a.example/x_(y)"),
        ("https://a.example/x?!.", "https://a.example/x", "https://a.example/x"),
        ("https://a.example/%E4%B8%AD", "https://a.example/%E4%B8%AD", "https://a.example/%E4%B8%AD"),
        ("https://a.example/中文。", "https://a.example/中文。", "https://a.example/中文。"),
        ("见https://a.example/x", "https://a.example/x", "https://a.example/x"),
        ("https://a.example/x[^1^]", "https://a.example/x[^1^]", "https://a.example/x[^1^]"),
        ("https://a.example/x<b>", "https://a.example/x", "https://a.example/x"),
        ("https://a.example/?a=1&amp;b=2", "https://a.example/?a=1&b=2", "https://a.example/?a=1&b=2"),
        ("https://a.example/x&lt;", "https://a.example/x", "https://a.example/x"),
        ("**https://a.example/x**", "https://a.example/x", "https://a.example/x"),
        ("x[^1^]www.a.example", "", ""),
        # After a raw tag or a code span too, as in the main chat.
        ("see<br>www.a.example", "http://www.a.example", "www.a.example"),
        ("`x`www.a.example", "http://www.a.example", "www.a.example"),
        # A backslash that escapes nothing does not hide what follows.
        (r"\https://a.example", "https://a.example", "https://a.example"),
        (r"\me@a.example", "mailto:me@a.example", "me@a.example"),
    ],
)
def test_an_address_is_linked_as_the_main_chat_links_it(text: str, target: str, shown: str) -> None:
    assert linked(text) == ([(target, shown)] if target else [])


@pytest.mark.parametrize(
    "text",
    [
        "file.py",
        "Gaussian.com",
        "a.example/x",
        "http:/a.example",
        "http//a.example",
        "https://",
        "gopher://a.example",
        "javascript://a.example",
        "xwww.a.example",
        "中www.a.example",
        "me@a",
        "@a.example",
        "me@.example",
        "`https://a.example`",
        "std::vector",
    ],
)
def test_what_only_resembles_an_address_is_not_linked(text: str) -> None:
    assert linked(text) == []


def test_an_address_in_the_text_of_a_link_is_text() -> None:
    assert linked("[https://a.example](https://b.example)") == [("https://b.example", "https://a.example")]


@pytest.mark.parametrize(("letters", "links"), [(64, 64), (65, 64), (200, 64)])
def test_the_local_part_of_an_address_is_capped(letters: int, links: int) -> None:
    ((target, _),) = linked("a" * letters + "@b.example")
    assert target == "mailto:" + "a" * links + "@b.example"


def test_targets_are_taken_as_they_are_written() -> None:
    assert linked("[x](javascript:alert(1)) [y](<a b>) [z](/é)") == [
        ("javascript:alert(1)", "x"),
        ("a b", "y"),
        ("/é", "z"),
    ]
