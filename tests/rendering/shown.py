"""What a browser makes of a rendered message: its elements, their attributes and the text that is read."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

import html5lib

from shareview.rendering.messages import RenderedMessage, RenderingOptions, render_message

NONCE = "0123456789abcdef"
NUMBERS = {1: 1, 3: 2, 4: 5}


def render(text: str, *, math: bool = False, code_colour: bool = False, line_breaks: bool = False) -> RenderedMessage:
    """``text`` with the markers 1, 3 and 4 cited."""
    options = RenderingOptions(math=math, code_colour=code_colour)
    return render_message(text, nonce=NONCE, numbers=NUMBERS, line_breaks=line_breaks, options=options)


def tree(html: str) -> Element:
    """The document fragment that a browser parses."""
    root: Element = html5lib.parseFragment(html, namespaceHTMLElements=False)
    return root


def elements(html: str) -> list[Element]:
    """Every element below the fragment, in the order of the document; MathML under its bare names."""
    found = [element for element in tree(html).iter() if isinstance(element.tag, str)][1:]
    for element in found:
        element.tag = element.tag.removeprefix("{http://www.w3.org/1998/Math/MathML}")
    return found


def read(html: str) -> str:
    """The text that is read."""
    return "".join(tree(html).itertext())


def links(html: str) -> list[str]:
    """Where the links lead, ``""`` for one that leads nowhere."""
    return [element.get("href", "") for element in elements(html) if element.tag == "a"]


def superscripts(html: str) -> list[tuple[str, str]]:
    """Registry number and text of each superscript of ours."""
    found = [element for element in elements(html) if element.get("class") == "cite-ref"]
    assert all(element.tag == "sup" and set(element.attrib) == {"class", "data-n"} for element in found)
    return [(element.get("data-n", ""), "".join(element.itertext())) for element in found]


def depth(html: str) -> int:
    """How deep the elements nest."""
    deepest = 0
    ahead: list[tuple[Element, int]] = [(tree(html), 0)]
    while ahead:
        element, level = ahead.pop()
        deepest = max(deepest, level)
        ahead += [(child, level + 1) for child in element]
    return deepest


def attributes(html: str) -> Iterator[tuple[str, str, str]]:
    """Tag, name and value of every attribute."""
    for element in elements(html):
        for name, value in element.attrib.items():
            yield str(element.tag), str(name), str(value)
