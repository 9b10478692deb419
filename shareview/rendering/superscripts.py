"""Superscripts of stored HTML become links when a page is made: where they lead depends on its state."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from html import escape

_SUPERSCRIPT = re.compile(r'<sup class="cite-ref" data-n="([0-9]+)">\[([0-9]+)\]</sup>')


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

    def linked(match: re.Match[str]) -> str:
        n, k = match.groups()
        seen[k] += 1
        target = link(int(k), seen[k])
        current = ' aria-current="true"' if target.is_current else ""
        return (
            f'<sup class="cite-ref" id="{escape(target.id)}" data-n="{n}"><a href="{escape(target.href)}"'
            f' data-panel="{escape(target.fragment_address)}" aria-label="{escape(target.label)}"{current}>'
            f"[{k}]</a></sup>"
        )

    return _SUPERSCRIPT.sub(linked, html)
