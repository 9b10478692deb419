"""Which addresses a source may have, and how its host is shown."""

import re
from typing import Final
from unicodedata import category, name
from urllib.parse import unquote

import ada_url

_AUTHORITY = re.compile(r"[a-zA-Z]+://[^/?#]+")
_WEB: Final = ("http:", "https:")
# Ideographs that pass for punctuation or a letter in an address.
_LOOKALIKES: Final = frozenset("丶丿丨一亅乀乁〇ノー・ソン")
_SHOWN_SCRIPTS: Final = ("CJK UNIFIED IDEOGRAPH", "HIRAGANA", "KATAKANA", "HANGUL SYLLABLE", "BOPOMOFO")


def is_showable(address: str) -> bool:
    """Whether a source with ``address`` may be shown: http or https, with a host, without user info.

    Judged as a browser would read it (WHATWG URL); an address with control characters, backslashes or white
    space at its edges is refused, since those make it read otherwise than it is written.
    """
    if address != address.strip() or "\\" in address or any(_is_control(char) for char in address):
        return False
    try:
        url = ada_url.URL(address)
    except ValueError:
        return False
    authority = _AUTHORITY.match(address)
    named = any(char.isalnum() for char in url.hostname)
    return url.protocol in _WEB and named and authority is not None and "@" not in authority[0]


def _is_control(char: str) -> bool:
    # Control and format characters: what turns the text around or cannot be seen.
    return category(char) in ("Cc", "Cf")


def shown_host(address: str) -> str:
    """The host of a showable ``address`` as a reader sees it, without ``www.``.

    In its own script only where that is Chinese, Japanese or Korean throughout a label; every other
    international host in punycode, so that none can pass for another.
    """
    host = ada_url.URL(address).hostname
    bare = host.removeprefix("www.")
    labels = (bare if "." in bare else host).split(".")
    return ".".join(_shown_label(label) for label in labels)


def _shown_label(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    decoded = ada_url.idna_to_unicode(label)
    return decoded if all(_is_plainly_cjk(char) for char in decoded) else label


def _is_plainly_cjk(char: str) -> bool:
    if char in _LOOKALIKES:
        return False
    return char in "0123456789-" or name(char, "").startswith(_SHOWN_SCRIPTS)


def host_and_path(address: str) -> str:
    """What stands for a source without a title: host and path, decoded where that is readable."""
    url = ada_url.URL(address)
    return shown_host(address) + (_readable(url.pathname) if url.pathname != "/" else "")


def _readable(path: str) -> str:
    """``path`` decoded, where that gives letters and signs and nothing that hides or turns the text."""
    try:
        decoded = unquote(path, errors="strict")
    except UnicodeDecodeError:
        return path
    return decoded if all(category(char)[0] not in "CZ" for char in decoded) else path
