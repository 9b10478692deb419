"""Claims in rendered text: each ends where its words end, and the text is the chat's."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shown import NONCE, elements, read, render

from shareview.citations.claims import split_claims
from shareview.dialect import DialectError
from shareview.rendering.claims import ClaimLink, link_claims, mark_claim
from shareview.rendering.messages import Anchor, render_message


def anchored(text: str) -> str:
    """``text`` rendered with an anchor at both ends of each of its claims."""
    places = [
        (span.id, place, is_end)
        for span in split_claims(text)
        for place, is_end in ((span.start, False), (span.end, True))
    ]
    anchors = [Anchor(place, is_end, name) for name, place, is_end in places]
    return render_message(text, nonce=NONCE, anchors=anchors).html


def ends(html: str) -> str:
    """The text that is read, with ``|`` where a claim ends."""
    return read(link_claims(html, lambda claim: (ClaimLink("i", 1, "b", "", "#", "#", "l", is_current=False),)))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("One. Two", "One.[1] Two[1]"),
        ("第一句。第二句", "第一句。[1]第二句[1]"),
        ("**Bold.** After", "Bold.[1] After[1]"),
        ("See [a. b](https://a.example). End", "See a. b.[1] End[1]"),
        ("Run `x. y`. End", "Run x. y.[1] End[1]"),
        ("*It is. Now* so", "It is.[1] Now so[1]"),
        ("👨‍👩‍👧 e\u0301. Next", "👨‍👩‍👧 e\u0301.[1] Next[1]"),
        ("a\u202eb\u200b. Next", "ab.[1] Next[1]"),
        ("One &amp; two. Next", "One & two.[1] Next[1]"),
        ("a\r\nb. C", "a\nb.[1] C[1]"),
    ],
)
def test_a_superscript_stands_right_behind_its_claim(text: str, shown: str) -> None:
    assert ends(anchored(text)) == shown


@pytest.mark.parametrize(
    ("text", "parent"),
    [("- item.\n- other", "li"), ("| h | i |\n|-|-|\n| a | b |", "td"), ("> quoted.", "p"), ("1. one\n\n   two", "p")],
)
def test_a_superscript_stays_within_its_block(text: str, parent: str) -> None:
    html = anchored(text)
    holders = [element.tag for element in elements(html) if any(child.get("data-claim-end") for child in element)]
    assert set(holders) == {parent}


def test_that_of_a_row_stands_in_its_last_cell() -> None:
    assert "<td>b<span data-claim-end=" in anchored("| h | i |\n|-|-|\n| a | b |")


PIECES = [
    "word", "中文", "。", ". ", "\n", "\n\n", "- ", "> ", "| a | b |\n|-|-|\n", "| c |", "**", "*", "_", "~~", "`",
    "```\n", "[x. y](https://a.example)", "https://b.example/c.d", "😀", "\u202e", "&amp;", "\\*", "<b>", "</b>",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@settings(max_examples=300, deadline=None)
def test_anchors_change_nothing_that_is_read_and_never_stand_in_code_or_a_link(text: str) -> None:
    try:
        html = anchored(text)
    except DialectError:
        return
    assert read(html) == read(render(text).html.replace("cite-ref", ""))
    for element in elements(html):
        if element.tag in ("code", "a"):
            assert not any(child.get("data-claim-end") or child.get("data-claim-start") for child in element.iter())


def test_the_words_of_a_claim_are_marked_across_elements() -> None:
    html = mark_claim(anchored("One. **Two** `and` [three](https://a.example). Four"), {"span_0002"})
    marked = ("".join(element.itertext()) for element in elements(html) if element.get("class") == "claim")
    assert "".join(marked) == "Two and three."
    assert read(html) == "One. Two and three. Four"
