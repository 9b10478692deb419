"""Where a link of an answer may lead, and what becomes of images.

Links lead to http, https, mailto or a place on the page (design, "Where we differ"); a relative one would point
into this site and keeps its text only. A remote image would tell a third party who reads: it becomes a link.
"""

import re
from html import escape
from typing import Final
from urllib.parse import quote

from ada_url import URL

_FOLLOWED = re.compile(r"(?:https?://[^\s/]|mailto:|#)", re.IGNORECASE)
_WEB = re.compile(r"https?:", re.IGNORECASE)
# What JavaScript's encodeURI leaves as it is.
_URI_SAFE: Final = ";/?:@&=+$,#-_.!~*'()%"


def may_be_followed(target: str) -> bool:
    """Whether a link of an answer may lead to ``target``; one that begins with white space is relative."""
    return bool(_FOLLOWED.match(target))


def encode_target(target: str) -> str | None:
    """``target`` percent-encoded as the main chat does it (encodeURI, existing escapes kept); None if it cannot be."""
    try:
        return quote(target, safe=_URI_SAFE)
    except UnicodeEncodeError:
        return None


def names_a_host(target: str) -> bool:
    """Whether ``target`` parses as an address at all (WHATWG URL)."""
    try:
        URL(target)
    except ValueError:
        return False
    return True


def host_of(target: str) -> str:
    """Host and port that a browser would ask, or ``target`` where it names none."""
    try:
        return URL(target).host
    except ValueError:
        return target


def image_text(source: str, label: str, *, within_link: bool) -> str:
    """The words that stand for an image: its label and host."""
    if label.strip():
        return label if within_link or not may_be_followed(source) else f"{label} · {host_of(source)}"
    return host_of(source) if may_be_followed(source) else ""


def image_is_link(source: str, *, within_link: bool) -> bool:
    """Whether an image from ``source`` becomes a link of its own."""
    return not within_link and bool(_WEB.match(source)) and may_be_followed(source)


def image_html(source: str, label: str, *, within_link: bool) -> str:
    """An image written as raw HTML, as the share page shows it."""
    text = escape(image_text(source, label, within_link=within_link))
    if not image_is_link(source, within_link=within_link) or not names_a_host(source):
        return text
    return f'<a href="{escape(source)}">{text}</a>'
