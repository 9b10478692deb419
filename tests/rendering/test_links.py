"""Where links of a message lead, and what stands for an image."""

import pytest
from shown import attributes, elements, links, read, render

from shareview.rendering.links import encode_target, host_of, image_text, may_be_followed, names_a_host

FOLLOWED = [
    "https://a.example/",
    "http://a.example",
    "HTTPS://a.example/x",
    "https://user@a.example:8443/p?q=1#f",
    "https://例子.example/路",
    "mailto:me@a.example",
    "MailTo:me@a.example?subject=x",
    "#section",
    "#",
]
REFUSED = [
    "javascript:alert(1)",
    "javascript:123",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "\x01javascript:alert(1)",
    "javascript&colon;alert(1)",
    "data:text/html,x",
    "vbscript:msgbox(1)",
    "view-source:https://a.example",
    "blob:https://a.example/1",
    "file:///etc/passwd",
    "ftp://a.example/",
    "tel:123",
    "intent://a.example/",
    "//a.example/",
    "/admin/",
    "admin/",
    "../x",
    "?cite=1.1",
    "",
    "https:a.example",
    "https:/a.example",
    "https:///a.example",
    "https://",
    "https:// a.example",
    "httpsx://a.example",
    "xhttps://a.example",
]


@pytest.mark.parametrize("target", FOLLOWED)
def test_a_link_may_lead_to_the_web_to_mail_and_to_the_page(target: str) -> None:
    assert may_be_followed(target)


@pytest.mark.parametrize("target", REFUSED)
def test_a_link_may_lead_nowhere_else(target: str) -> None:
    assert not may_be_followed(target)


@pytest.mark.parametrize("target", [target for target in REFUSED if target.isprintable()])
@pytest.mark.parametrize(
    "form", ["[word](<{}>)", "[word][r]\n\n[r]: <{}>", '<a href="{}">word</a>', "<a href='{}'>word"]
)
def test_a_link_that_is_refused_keeps_its_text(form: str, target: str) -> None:
    html = render(form.format(target)).html
    assert not any(links(html))
    assert "word" in read(html)


@pytest.mark.parametrize(
    "target",
    [
        "&#106;avascript:alert(1)",
        "&#x6A;avascript&#58;alert(1)",
        "javascript&colon;alert(1)",
        "java&Tab;script:alert(1)",
        "java&NewLine;script:alert(1)",
        "&#1;javascript:alert(1)",
        "&nbsp;javascript:alert(1)",
        "d&#97;ta:text/html,x",
        "java&#173;script:alert(1)",
        "&#x202e;javascript:1",
    ],
)
@pytest.mark.parametrize(
    "form", ["[word]({})", '<a href="{}">word</a>', "<{}>", "![word]({})", '<img src="{}" alt="word">']
)
def test_references_in_a_target_hide_no_scheme(form: str, target: str) -> None:
    assert not any(links(render(form.format(target)).html))


@pytest.mark.parametrize(
    "text",
    [
        "[x](< https://a.example>)",
        "[x](<\thttps://a.example>)",
        "[x](<\u3000https://a.example>)",
        "[x](<\u00a0#y>)",
        "[x](< mailto:me@a.example>)",
        "[x](&nbsp;https://a.example)",
    ],
)
def test_white_space_before_a_target_does_not_make_it_relative(text: str) -> None:
    assert all(target.startswith(("http", "mailto:", "#")) for target in links(render(text).html) if target)


@pytest.mark.parametrize(
    "text",
    [
        "[x](https://a.example/)",
        "[x](HTTPS://a.example/)",
        "[x](Http://a.example/)",
        "https://a.example/",
        "HTTPS://a.example/",
        "www.a.example",
        "<https://a.example/>",
        '<a href="https://a.example/">x</a>',
        '<a title="t" href="HTTP://a.example/">x</a>',
        '<a href="\nhttps://a.example/">x</a>',
        "![x](https://a.example/i.png)",
        '<img src="https://a.example/i.png" alt="x">',
    ],
)
def test_a_link_to_the_web_opens_elsewhere_and_tells_nothing(text: str) -> None:
    found = [element for element in elements(render(text).html) if element.tag == "a"]
    assert [(element.get("target"), element.get("rel")) for element in found] == [("_blank", "noopener noreferrer")]


@pytest.mark.parametrize("text", ["[x](#place)", "[x](mailto:me@a.example)", "me@a.example"])
def test_a_link_to_the_page_or_to_mail_opens_no_tab(text: str) -> None:
    assert [name for _, name, _ in attributes(render(text).html)] == ["href"]


@pytest.mark.parametrize(
    ("target", "encoded"),
    [
        ("https://a.example/路", "https://a.example/%E8%B7%AF"),
        ("https://a.example/a b", "https://a.example/a%20b"),
        ("https://a.example/%20?a=1&b=[2]", "https://a.example/%20?a=1&b=%5B2%5D"),
        ('https://a.example/"><b', "https://a.example/%22%3E%3Cb"),
        ("https://a.example/'()*!~", "https://a.example/'()*!~"),
        ("https://a.example/\ud800", None),
    ],
)
def test_a_target_is_encoded_as_the_main_chat_encodes_it(target: str, encoded: str | None) -> None:
    assert encode_target(target) == encoded


def test_an_address_without_a_sound_host_is_still_shown_as_a_link() -> None:
    assert links(render("[x](https://a.example:port/p)").html) == ["https://a.example:port/p"]
    assert not names_a_host("https://a.example:port/p")
    assert names_a_host("https://a.example:1/p")


def test_an_address_without_a_sound_host_cannot_leave_its_attribute() -> None:
    html = render('[x](<https://a.example:p/"onclick="alert(1)>) and **y**').html
    assert [name for _, name, _ in attributes(html)] == ["target", "rel", "href"] or not links(html)
    assert "y" in read(html)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("https://a.example/?a=1&copy=2", "https://a.example/?a=1&copy=2"),
        ("[x](https://a.example/?a=1&copy=2)", "https://a.example/?a=1&copy=2"),
        ('<a href="https://a.example/?a=1&copy=2">x</a>', "https://a.example/?a=1&copy=2"),
        ('<a href="https://a.example/?a=1&amp;lt=2">x</a>', "https://a.example/?a=1&lt=2"),
        ('<a href="https://a.example/?region=1&reg_x=2">x</a>', "https://a.example/?region=1&reg_x=2"),
        ("[x](https://a.example/?a=1&amp;b=2)", "https://a.example/?a=1&b=2"),
    ],
)
def test_parameters_of_an_address_are_not_taken_for_references(text: str, target: str) -> None:
    assert links(render(text).html) == [target]


@pytest.mark.parametrize(
    ("source", "label", "within_link", "words"),
    [
        ("https://a.example/c.png", "Curve", False, "Curve · a.example"),
        ("https://a.example:8443/c.png", "Curve", False, "Curve · a.example:8443"),
        ("https://a.example/c.png", "Curve", True, "Curve"),
        ("https://a.example/c.png", " ", False, "a.example"),
        ("https://a.example/c.png", "", True, "a.example"),
        ("/c.png", "Curve", False, "Curve"),
        ("/c.png", "", False, ""),
        ("data:image/png;base64,AA", "Curve", False, "Curve"),
    ],
)
def test_an_image_is_named_by_its_label_and_host(source: str, label: str, within_link: bool, words: str) -> None:
    assert image_text(source, label, within_link=within_link) == words


@pytest.mark.parametrize(
    ("text", "targets", "words"),
    [
        ("![c](https://a.example/c.png)", ["https://a.example/c.png"], "c · a.example"),
        ("![c](/c.png)", [], "c"),
        ("![c](javascript:alert(1))", [], "c"),
        ("![c](data:image/png;base64,AA)", [], "c"),
        ('<img src="https://a.example/c.png" alt="c">', ["https://a.example/c.png"], "c · a.example"),
        ("<img alt=c>", [], "c"),
        ("[![c](https://a.example/c.png)](https://b.example/)", ["https://b.example/"], "c"),
        ("[![c](https://a.example/c.png)](/rel)", [], "c"),
        # The main chat's reader of the share sees the words of the image in one link.
        ('[<img src="https://a.example/c.png" alt="c">](https://b.example/)', ["https://b.example/"], "c"),
    ],
)
def test_an_image_is_a_link_or_within_one_its_words(text: str, targets: list[str], words: str) -> None:
    html = render(text).html
    assert links(html) == targets
    assert read(html) == words


@pytest.mark.parametrize(
    "text",
    [
        "![c](https://a.example:port/c.png) and **bold**",
        '<img src="https://a.example:port/c.png" alt="c"> and **bold**',
        "![c](<https://exa mple/c.png>) and **bold**",
        "![c](https:c.png) and **bold**",
    ],
)
def test_an_image_of_an_unsound_address_does_not_take_the_message_with_it(text: str) -> None:
    rendered = render(text)
    assert rendered.fault == ""
    assert [element.tag for element in elements(rendered.html)][-1] == "strong"
    assert read(rendered.html).startswith("c")


def test_no_image_is_ever_loaded() -> None:
    html = render(
        "![a](https://a.example/1)\n\n<IMG SRC=https://a.example/2><picture><source srcset=https://a.example/3>"
    ).html
    assert {element.tag for element in elements(html)} == {"p", "a"}


@pytest.mark.parametrize(("target", "host"), [("https://例子.example/", "xn--fsqu00a.example"), ("x y", "x y")])
def test_the_host_is_named_as_a_browser_asks_for_it(target: str, host: str) -> None:
    assert host_of(target) == host
