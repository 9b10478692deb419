"""Superscripts of stored HTML become links when a page is made: where they lead depends on its state."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

_SUPERSCRIPT_OR_LINK = re.compile(
    r'<sup class="cite-ref" data-n="(?P<n>[0-9]+)">\[(?P<k>[0-9]+)\]</sup>'
    r'|(?P<start><a(?: [a-z]+="[^"]*")*>)|(?P<end></a>)'
)


@dataclass(frozen=True)
class SuperscriptLink:
    """Where a superscript leads and what it is called; ``id`` is that of the superscript itself."""

    id: str
    href: str
    fragment_address: str
    label: str
    is_current: bool


def link_superscripts(html: str, link: Callable[[int, int], SuperscriptLink]) -> str:
    """``html`` of a rendered message with its superscripts linked by ``link(display number, occurrence)``.

    No content can hold this markup: the sanitizer leaves no class and no ``data-*``.
    """
    seen: Counter[str] = Counter()
    around = ""

    def linked(match: re.Match[str]) -> str:
        nonlocal around
        n, k = match["n"], match["k"]
        if n is None:
            around = match["start"] or ""
            return match[0]
        seen[k] += 1
        target = link(int(k), seen[k])
        current = ' aria-current="true"' if target.is_current else ""
        # A link cannot hold another: one written around a marker is closed before it and goes on behind it.
        before, after = ("</a>", around) if around else ("", "")
        return (
            f'{before}<sup class="cite-ref" id="{escape(target.id)}" data-n="{n}"><a href="{escape(target.href)}"'
            f' data-panel="{escape(target.fragment_address)}" aria-label="{escape(target.label)}"{current}>'
            f"[{k}]</a></sup>{after}"
        )

    return _SUPERSCRIPT_OR_LINK.sub(linked, html)
