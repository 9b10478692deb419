"""Characters that make a text read otherwise than it is written are not shown; those that a script needs are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shown import read, render

from shareview.rendering.characters import shown_characters

CONTROLS = [*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0)]
BIDI = [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
UNSEEN = [0x00AD, 0x200B, 0x2060, 0xFEFF]

PLACES = [
    "a{}b",
    "**a{}b**",
    "# a{}b",
    "- a{}b",
    "`a{}b`",
    "```\na{}b\n```",
    "    a{}b",
    "[a{}b](https://x.example/)",
    "![a{}b](/x.png)",
    "<b>a{}b</b>",
    "<div>\na{}b\n</div>",
    "<blink>a{}b",
    "| a{}b |\n|-|",
]


@pytest.mark.parametrize("code", [*CONTROLS, *BIDI, *UNSEEN], ids=lambda code: f"U+{code:04X}")
def test_a_control_is_taken_out_and_what_stands_beside_it_is_not(code: int) -> None:
    assert shown_characters(f"a{chr(code)}b {chr(code)}") == "ab "


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("char", ["\u202e", "\u2067", "\u200f", "\u200b", "\u2060", "\ufeff", "\u00ad", "\x1b", "\x9f"])
def test_no_place_of_a_message_shows_a_control(place: str, char: str) -> None:
    html = render(place.format(char)).html
    assert char not in html
    assert "ab" in read(html)


@pytest.mark.parametrize(
    "reference",
    [
        "&#x202e;",
        "&#8238;",
        "&#X202E;",
        "&#x2066;",
        "&rlm;",
        "&lrm;",
        "&shy;",
        "&#173;",
        "&ZeroWidthSpace;",
        "&#8203;",
        "&NoBreak;",
        "&#xfeff;",
    ],
)
@pytest.mark.parametrize(
    "place", ["a{}b", "**a{}b**", "<b>a{}b</b>", "<div>\na{}b\n</div>", "[a{}b](https://x.example/)", "| a{}b |\n|-|"]
)
def test_a_reference_to_a_control_is_not_shown_either(place: str, reference: str) -> None:
    assert read(render(place.format(reference)).html).strip() == "ab"


@pytest.mark.parametrize(
    "text",
    ['[x](https://x.example/ "a&#x202e;b")', '<a href="https://x.example/" title="a&#x202e;b">x</a>'],
)
def test_a_title_shows_no_control(text: str) -> None:
    assert ' title="ab"' in render(text).html


@pytest.mark.parametrize("formula", [r"\(\text{a&#x202e;b}\)", r"\(\unicode{x202e}\)", r"$$\text{&#x200f;}$$"])
def test_a_formula_shows_no_control(formula: str) -> None:
    html = render(formula, math=True).html
    assert not {"\u202e", "\u200f"} & set(read(html))


def test_a_reference_in_code_is_shown_as_it_is_written() -> None:
    assert read(render("`&#x202e;`").html) == "&#x202e;"


@pytest.mark.parametrize(
    "text",
    [
        "👨\u200d👩\u200d👧",
        "👩🏽\u200d💻",
        "🏳\ufe0f\u200d🌈",
        "🏳\ufe0f\u200d⚧\ufe0f",
        "🐈\u200d⬛",
        "❤\ufe0f\u200d🩹",
        "🧑\u200d🤝\u200d🧑",
        "👁\ufe0f\u200d🗨\ufe0f",
        "🙂\u200d↕\ufe0f",  # a head that nods
        "🙂\u200d↔\ufe0f",  # a head that shakes: the arrow is a mathematical symbol to Unicode
        "⛓\ufe0f\u200d💥",
        "☺\ufe0e☺\ufe0f",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "🇨🇳🇩🇪",
        "#\ufe0f\u20e3",
        "می\u200cروم، کتاب\u200cها",
        "क\u094d\u200dष क\u094d\u200cष",
        "ක\u0dca\u200dර",
        "辻\U000e0101",
        "שָׁלוֹם עֲלֵיכֶם",
    ],
)
def test_what_a_script_or_an_emoji_is_made_of_is_shown(text: str) -> None:
    assert shown_characters(text) == text
    assert read(render(f"**{text}**").html) == text


def test_tags_are_shown_only_in_a_flag() -> None:
    flag = "🏴\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"
    assert shown_characters(f"a\U000e0068\U000e0069 {flag}\U000e0041\u202e {flag}") == f"a {flag} {flag}"


@pytest.mark.parametrize("text", ["a\u200d", "\u200da", "a \u200d b", "1\u200d2", "a\u200d.", "\u200d\u200d"])
def test_a_joiner_with_nothing_to_join_is_taken_out(text: str) -> None:
    assert shown_characters(text) == text.replace("\u200d", "")


def test_tabs_and_line_ends_stay() -> None:
    assert shown_characters("a\tb\nc\r\nd") == "a\tb\nc\r\nd"


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u2003", "\u202f"])
def test_spaces_that_are_seen_stay_in_the_middle_and_at_the_edge(space: str) -> None:
    assert read(render(f"{space}a{space}b{space}").html) == f"{space}a{space}b{space}"


@given(st.text())
def test_taking_out_twice_takes_out_no_more(text: str) -> None:
    once = shown_characters(text)
    assert shown_characters(once) == once


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_letters_numbers_signs_and_spaces_always_stay(text: str) -> None:
    assert shown_characters(text) == text
