"""The only module that knows bleach and nh3: from here on, HTML of a message is safe.

Three checks one after another. bleach cleans with an explicit profile. Our own rule looks at every link that
is left, since bleach 6.4.0 lets ``javascript:123``-like links through. nh3, another parser in another language,
must find nothing left to change with the same profile; else the message is not shown as HTML.
"""

import re
from functools import lru_cache
from typing import Final

import nh3
from bleach.sanitizer import Cleaner
from selectolax.lexbor import LexborHTMLParser, LexborNode

from shareview.rendering.links import may_be_followed
from shareview.rendering.raw_html import ALLOWED_TAGS, KEPT_ATTRIBUTES

_PROTOCOLS: Final = frozenset({"http", "https", "mailto"})
# Without an element around it html5lib drops what it moves out of a table; content cannot close this one.
_ROOT: Final = "section"
_REL: Final = "noopener noreferrer"
_WEB_LINK = re.compile(r'<a href="(?=https?:)', re.IGNORECASE)


class UnsafeHtmlError(Exception):
    """Two sanitizers disagree about a message: it must be shown as plain text."""


def _attribute_is_allowed(tag: str, name: str, value: str) -> bool:
    if name == "href":
        return may_be_followed(value)
    return name in KEPT_ATTRIBUTES.get(tag, ())


@lru_cache(maxsize=1)
def _bleach() -> Cleaner:
    return Cleaner(
        tags=ALLOWED_TAGS | {_ROOT},
        attributes=_attribute_is_allowed,
        protocols=_PROTOCOLS,
        strip=False,
        strip_comments=True,
    )


def _nh3_attribute(tag: str, name: str, value: str) -> str | None:
    return value if name != "href" or may_be_followed(value) else None


def sanitize(html: str) -> str:
    """``html`` of a message with nothing in it but the allowed tags and attributes, in nh3's spelling.

    Raises UnsafeHtmlError where the second gate would have changed the parsed tree.
    """
    cleaned = _bleach().clean(f"<{_ROOT}>{html}</{_ROOT}>").removeprefix(f"<{_ROOT}>").removesuffix(f"</{_ROOT}>")
    checked = nh3.clean(
        cleaned,
        tags=set(ALLOWED_TAGS),
        clean_content_tags=set(),
        attributes={tag: set(names) for tag, names in KEPT_ATTRIBUTES.items()},
        attribute_filter=_nh3_attribute,
        url_schemes=set(_PROTOCOLS),
        link_rel=None,
    )
    if checked != cleaned and not same_tree(checked, cleaned):
        raise UnsafeHtmlError("the second sanitizer found something to change")
    return checked


def open_links_elsewhere(html: str) -> str:
    """Sanitized ``html`` whose links open in a new tab that learns nothing of this page."""
    return _WEB_LINK.sub(f'<a target="_blank" rel="{_REL}" href="', html)


def same_tree(one: str, other: str) -> bool:
    """Whether two pieces of HTML parse to the same elements, attributes and texts."""
    return list(_events(one)) == list(_events(other))


def _events(html: str) -> list[tuple[object, ...]]:
    body = LexborHTMLParser(f"<!doctype html><body>{html}").body
    found: list[tuple[object, ...]] = []
    stack: list[tuple[LexborNode | None, int]] = [(body, 0)]
    while stack:
        node, depth = stack.pop()
        if node is None:
            continue
        if node.tag == "-text":
            found.append((depth, "text", node.text_content))
        else:
            found.append(
                (depth, node.tag, tuple(sorted((name, value or "") for name, value in node.attributes.items())))
            )
            stack.extend((child, depth + 1) for child in reversed(list(node.iter(include_text=True))))
    return found
