"""Pages as trees, and what is looked for in them."""

from xml.etree.ElementTree import Element

import html5lib
from django.test import Client

from shareview.shares.models import Share


def page_of(reader: Client, share: Share, query: str = "") -> Element:
    """The page of ``share`` as a tree."""
    response = reader.get(f"/s/{share.token()}/{query}")
    assert response.status_code == 200, response.status_code
    tree: Element = html5lib.parse(response.content.decode(), namespaceHTMLElements=False)
    return tree


def by_class(tree: Element, name: str) -> list[Element]:
    """Every element of a class, in order."""
    return [element for element in tree.iter() if name in (element.get("class") or "").split()]


def by_id(tree: Element, id: str) -> Element:
    """The element with an id."""
    return next(element for element in tree.iter() if element.get("id") == id)


def text(element: Element) -> str:
    """All text of an element."""
    return "".join(element.itertext())
