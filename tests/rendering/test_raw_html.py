"""Raw HTML of an answer: allowed tags bare, others as their source text, comments gone, nothing lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shown import attributes, elements, read, render

from shareview.rendering.raw_html import ALLOWED_TAGS, show_raw_html

FORBIDDEN = (
    "script style iframe frame frameset object embed applet form button select option textarea svg math base meta "
    "link noscript template title html head body audio video source track img2 picture canvas dialog slot portal "
    "marquee blink font center nav section header footer article main aside label fieldset custom-element xmp "
    "plaintext listing noembed noframes keygen isindex bgsound"
).split()
BARE = (
    "sub sup kbd mark u s del ins small b i q abbr cite span div p details summary figure figcaption ruby rt rp "
    "dl dt dd blockquote em strong code h1 h2 h3 h4 h5 h6 pre ul ol li"
).split()


@pytest.mark.parametrize("tag", FORBIDDEN)
def test_a_tag_that_is_not_allowed_is_shown_as_its_source(tag: str) -> None:
    source = f'<{tag} a="1">word</{tag}>'
    html = render(f"x {source}").html
    assert read(html) == f"x {source}"
    assert [element.tag for element in elements(html)] == ["p"]
    assert tag not in ALLOWED_TAGS


@pytest.mark.parametrize("tag", BARE)
def test_an_allowed_tag_stays_without_its_attributes(tag: str) -> None:
    hostile = 'class="cite-ref" id="m-1" name="n" style="top:0" data-n="1" hx-get="/" onclick="x()" dir="rtl" lang="x"'
    html = render(f"<div>\n<{tag} {hostile}>word</{tag}>\n</div>").html
    assert tag in [element.tag for element in elements(html)]
    assert list(attributes(html)) == ([("pre", "tabindex", "0")] if tag == "pre" else [])
    assert read(html).strip() == "word"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("<a href='https://a.example/' title=\"t\" target=x>y</a>", '<a href="https://a.example/" title="t">y</a>'),
        ("<DETAILS OPEN CLASS=x>", '<details open="">'),
        ('<td align="left" colspan=2 bgcolor=x>', '<td align="left" colspan="2">'),
        ('<ol start="3" type="a">', '<ol start="3">'),
        ('<input type="checkbox" checked name=x>', '<input type="checkbox" checked="" disabled="">'),
        ("<br/>", "<br>"),
        ("</B\n>", "</b>"),
        ('<b title="a&quot;b">', "<b>"),
        ("a <!-- b --> c <!--> d -->", "a  c "),
        ("a <!-- b", "a &lt;!-- b"),
        ('<input type="text">', "&lt;input type=&quot;text&quot;&gt;"),
        ("<input>", "&lt;input&gt;"),
        ("<?php x ?>", "&lt;?php x ?>"),
        ("<!DOCTYPE html>", "&lt;!DOCTYPE html>"),
        ("<b<i>", "&lt;b<i>"),
        ("<1>", "&lt;1>"),
    ],
)
def test_raw_html_is_reduced_to_what_is_allowed(raw: str, shown: str) -> None:
    assert show_raw_html(raw) == shown


@pytest.mark.parametrize(
    "raw",
    [
        "<scr<script>ipt>alert(1)</scr</script>ipt>",
        "<<script>script>alert(1)<</script>/script>",
        "<script\n>alert(1)</script\n>",
        "<script/src=//a.example>",
        "<script<b>",
        "<b <script>alert(1)</script>>",
        "<a title='>'><script>x</script>",
        "<!-- --><script>x</script>",
        "<!--<script>-->x<script>-->",
        "<![CDATA[<script>x</script>]]>",
        "<?x <script>y</script>?>",
        "<svg><style><img src=x onerror=alert(1)></style></svg>",
        "<math><mi xlink:href='javascript:1'>x</mi></math>",
        "<b/onclick=alert(1)>x</b>",
        "<b onclick =alert(1)//>x</b>",
        "<details/open/ontoggle=alert(1)>",
        "<p><table><td><b></table><script>x</script>",
        "<textarea></textarea><script>x</script>",
        "<ruby><rt><script>x</script>",
        "</p><script>x</script><p>",
        "<h1 hx-on::load='x()' hx-swap-oob='true' id=sources>x</h1>",
        "<span data-hx-get=/admin hx-preserve>x</span>",
    ],
)
@pytest.mark.parametrize("form", ["{}", "word {}", "- {}", "> {}", "| {} |\n|-|", "**{}**", "<div>\n{}\n</div>"])
def test_no_nesting_of_tags_makes_one_that_is_not_allowed(form: str, raw: str) -> None:
    html = render(form.format(raw)).html
    assert {element.tag for element in elements(html)} <= ALLOWED_TAGS
    assert {name for _, name, _ in attributes(html)} <= {"open", "href", "target", "rel", "title", "tabindex", "class"}
    assert not any(name == "class" and value != "plain-text" for _, name, value in attributes(html))


@given(
    st.lists(
        st.sampled_from(
            ["<", ">", "</", "/>", "=", '"', "'", " ", "\n", "b", "script", "a", "href", "onclick", "style", "<!--",
             "-->", "<![CDATA[", "]]>", "<?", "?>", "&lt;", "&#60;", "table", "td", "p", "svg", "javascript:", "div"]
        ),
        max_size=30,
    ).map("".join)
)  # fmt: skip
@settings(max_examples=300, deadline=None)
def test_no_heap_of_tag_pieces_makes_an_attribute_or_element_of_its_own(raw: str) -> None:
    html = render(raw).html
    assert {element.tag for element in elements(html)} <= ALLOWED_TAGS
    assert {name for _, name, _ in attributes(html)} <= {"href", "target", "rel", "tabindex", "class"}
    assert not any(value.lower().startswith("javascript") for _, _, value in attributes(html))


def test_a_task_box_written_by_hand_cannot_be_used() -> None:
    (box,) = elements(render('<input type="checkbox" checked name=q form=f autofocus>').html)
    assert box.attrib == {"type": "checkbox", "checked": "", "disabled": ""}
