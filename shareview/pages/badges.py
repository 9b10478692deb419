"""A source's badge, drawn here: no icon is fetched from anywhere."""

import hashlib
from dataclasses import dataclass
from typing import Final

from shareview.citations.web_addresses import host_and_path, shown_host
from shareview.rendering.characters import shown_characters

TITLE_LENGTH: Final = 60
_HUES: Final = 8
# Endings under which anybody can register; enough to keep one owner's hosts in one colour.
_SECOND_LEVEL: Final = frozenset({"ac", "co", "com", "edu", "gov", "net", "org"})


@dataclass(frozen=True)
class Badge:
    """Host, first letter and hue (0 to 7) of a source's domain."""

    host: str
    letter: str
    hue: int


def badge_of(address: str) -> Badge:
    """The badge of a showable ``address``."""
    host = shown_host(address)
    domain = registrable_domain(host)
    hue = hashlib.sha256(domain.encode()).digest()[0] % _HUES
    return Badge(host, domain[:1].upper(), hue)


def registrable_domain(host: str) -> str:
    """The part of ``host`` that its owner registered, as near as it can be told without a list of suffixes."""
    labels = host.split(".")
    if host.startswith("[") or labels[-1].isdecimal():
        return host
    keep = 3 if len(labels) > 2 and labels[-2] in _SECOND_LEVEL else 2
    return ".".join(labels[-keep:])


def source_title(title: str, address: str) -> str:
    """What a source is called: 60 characters of its title, else host and path (answer-citations §5.5)."""
    shown = " ".join(shown_characters(title).split()) or host_and_path(address)
    return shown if len(shown) <= TITLE_LENGTH else shown[:TITLE_LENGTH] + "…"
