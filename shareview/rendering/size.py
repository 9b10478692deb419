"""Bounds on the HTML of one message, held before the sanitizers see it: both take quadratic time on deep nesting."""

import re
from collections import Counter
from typing import Final

ELEMENT_LIMIT: Final = 10_000
NESTING_LIMIT: Final = 250

_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)")
_VOID: Final = frozenset({"br", "hr", "input"})


class OversizeError(Exception):
    """A message makes more HTML than is rendered; it must be shown as plain text."""


def check_size(html: str) -> None:
    """Raises OversizeError where ``html`` has more elements, or deeper ones, than is rendered."""
    elements = 0
    ahead: list[str] = []
    open_now: Counter[str] = Counter()
    for closing, tag in _TAG.findall(html):
        if closing:
            # An end tag without its element closes nothing; another closes all that was left open in it.
            while open_now[tag]:
                last = ahead.pop()
                open_now[last] -= 1
                if last == tag:
                    break
            continue
        elements += 1
        if tag not in _VOID:
            ahead.append(tag)
            open_now[tag] += 1
        if elements > ELEMENT_LIMIT:
            raise OversizeError(f"more than {ELEMENT_LIMIT} elements")
        if len(ahead) > NESTING_LIMIT:
            raise OversizeError(f"elements nest deeper than {NESTING_LIMIT} levels")
