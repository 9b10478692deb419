"""Where a marker ``[^n^]`` is a superscript, where it stays text, and where it vanishes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shown import elements, links, read, render, superscripts

from shareview.rendering.processors import Superscript
from shareview.rendering.superscripts import SuperscriptLink, link_superscripts


@pytest.mark.parametrize(
    "text",
    [
        "word[^4^]",
        "word [^4^] word",
        "**word[^4^]**",
        "*word*[^4^]",
        "~~word[^4^]~~",
        "# word[^4^]",
        "word[^4^]\n===",
        "- word[^4^]",
        "1. word\n\n   word[^4^]",
        "- [ ] word[^4^]",
        "> word[^4^]",
        "| a |\n|-|\n| word[^4^] |",
        "| word[^4^] |\n|-|",
        "<u>word[^4^]</u>",
        "<div>\n\nword[^4^]\n\n</div>",
        "word&#91;^4^]",
        "word[^4&#94;]",
        "“word”[^4^]。",
        "word  \n[^4^]",
        "[^4^]",
        "[[^4^]",
    ],
)
def test_a_marker_in_running_text_is_a_superscript(text: str) -> None:
    assert superscripts(render(text).html) == [("4", "[5]")]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("`word[^4^]`", "word[^4^]"),
        ("```\nword[^4^]\n```", "word[^4^]\n"),
        ("    word[^4^]", "word[^4^]\n"),
        ("[word[^4^]](https://a.example/)", "word[^4^]"),
        ("https://a.example/[^4^]", "https://a.example/[^4^]"),
        ("![word[^4^]](https://a.example/c.png)", "word[^4^] · a.example"),
        (r"word\[^4^]", "word[^4^]"),
        (r"word[\^4^]", "word[^4^]"),
        (r"word[^4^\]", "word[^4^]"),
        ("word&lbrack;^4^]", "word[^4^]"),
        ("<div>\nword[^4^]\n</div>", "\nword[^4^]\n"),
        ("<pre>\nword[^4^]</pre>", "word[^4^]"),
        # As in the main chat also where the address may not be followed and only the words are left.
        ("[word[^4^]](/relative)", "word[^4^]"),
        ("![word[^4^]](/c.png)", "word[^4^]"),
    ],
)
def test_a_marker_in_code_a_link_or_an_escape_stays_text(text: str, shown: str) -> None:
    html = render(text).html
    assert superscripts(html) == []
    assert read(html) == shown


@pytest.mark.parametrize(
    "text",
    ["word[^]", "word[^^]", "word[^4]", "word[4^]", "word[^ 4^]", "word[^4 ^]", "word[^-4^]", "word[^4.0^]",
     "word[^a^]",
     "word[^1234567^]", "word[^４^]", "word[^٤^]", "word[^四^]", "word[^4^", "word^4^", "word[^0x4^]"],
)  # fmt: skip
def test_nothing_else_is_a_marker(text: str) -> None:
    html = render(text).html
    assert superscripts(html) == []
    assert read(html) == text


@pytest.mark.parametrize("marker", ["[^2^]", "[^0^]", "[^99^]", "[^999999^]", "[^04^]", "[^000004^]"])
def test_a_marker_that_cites_nothing_vanishes(marker: str) -> None:
    assert render(f"a{marker}b").html == "<p>ab</p>"


def test_markers_are_numbered_by_display_and_carry_their_registry_number() -> None:
    assert superscripts(render("a[^4^] b[^1^][^3^] c[^4^]").html) == [
        ("4", "[5]"),
        ("1", "[1]"),
        ("3", "[2]"),
        ("4", "[5]"),
    ]


def test_a_definition_of_a_link_with_a_markers_name_is_one() -> None:
    html = render("word[^4^]\n\n[^4^]: https://a.example/").html
    assert superscripts(html) == []
    assert '<a target="_blank" rel="noopener noreferrer" href="https://a.example/">^4^</a>' in html


@pytest.mark.parametrize(
    "forged",
    [
        '<sup class="cite-ref" data-n="4">[5]</sup>',
        '<sup class="cite-ref" data-n="4" id="ref-1"><a href="#src-1-1">[5]</a></sup>',
        "<sup class=cite-ref>[5]</sup>",
        '<SUP CLASS="cite-ref" DATA-N="4">[5]</SUP>',
        '`<sup class="cite-ref" data-n="4">[5]</sup>`',
        "&lt;sup class=&quot;cite-ref&quot; data-n=&quot;4&quot;&gt;[5]&lt;/sup&gt;",
        "[x](https://a.example/ \"<sup class='cite-ref' data-n='4'>[5]</sup>\")",
        '```sup class="cite-ref" data-n="4"\n[5]\n```',
    ],
)
def test_no_content_writes_a_superscript_of_ours(forged: str) -> None:
    html = render(forged).html
    assert superscripts(html) == []
    assert link_superscripts(html, never) == html


def never(shown: int, occurrence: int) -> SuperscriptLink:
    raise AssertionError("nothing here is a superscript")


def test_the_text_before_a_superscript_is_that_of_its_block() -> None:
    rendered = render("# Title\n\nOne *two* `three` & four[^4^], five[^1^].\n\n| a | b |\n|-|-|\n| six | seven[^3^] |")
    assert rendered.superscripts[:2] == (
        Superscript(4, 5, "One two three & four"),
        Superscript(1, 1, "One two three & four, five"),
    )
    assert rendered.superscripts[2].n == 3
    assert rendered.superscripts[2].before.split() in (["seven"], ["six", "seven"], ["sixseven"])


PIECES = ["word", "**", "[^1^]", "[^3^]", "[^9^]", "`", "\n\n", "- ", "> ", "[", "](https://a.example)", "|",
          "<b>", "</b>"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@settings(max_examples=200, deadline=None)
def test_the_superscripts_of_the_page_are_those_that_are_reported(text: str) -> None:
    rendered = render(text)
    assert superscripts(rendered.html) == [(str(mark.n), f"[{mark.shown}]") for mark in rendered.superscripts]


def test_a_superscript_within_a_link_of_the_answer_leads_to_its_source() -> None:
    html = render('<a href="https://a.example" title="t">one[^1^] two[^4^] three</a> four').html
    page = link_superscripts(
        html, lambda shown, occurrence: SuperscriptLink(f"ref-{shown}", f"#src-{shown}", "", "", is_current=False)
    )
    assert links(page) == ["https://a.example", "#src-1", "https://a.example", "#src-5", "https://a.example"]
    assert read(page) == "one[1] two[5] three four"
    assert [element.get("id") for element in elements(page) if element.tag == "sup"] == ["ref-1", "ref-5"]
    assert all(element.find(".//a") is None for element in elements(page) if element.tag == "a")
    assert all(element.find("a") is not None for element in elements(page) if element.tag == "sup")


def test_a_link_of_a_superscript_cannot_break_out_of_its_attributes() -> None:
    evil = '"><script>alert(1)</script>'
    html = link_superscripts(
        render("a[^1^]").html, lambda shown, occurrence: SuperscriptLink(evil, evil, evil, evil, is_current=False)
    )
    assert "<script>" not in html
    assert read(html) == "a[1]"
