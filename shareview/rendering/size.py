"""Bounds on the HTML of one message, held before the sanitizers see it: both take quadratic time on deep nesting."""

import re
from typing import Final

ELEMENT_LIMIT: Final = 10_000
NESTING_LIMIT: Final = 250

_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)")
_VOID: Final = frozenset({"br", "hr", "input"})


class OversizeError(Exception):
    """A message makes more HTML than is rendered; it must be shown as plain text."""


def check_size(html: str) -> None:
    """Raises OversizeError where ``html`` has more elements, or deeper ones, than is rendered."""
    elements = depth = 0
    for closing, tag in _TAG.findall(html):
        if closing:
            depth = max(0, depth - 1)
            continue
        elements += 1
        depth += tag not in _VOID
        if elements > ELEMENT_LIMIT:
            raise OversizeError(f"more than {ELEMENT_LIMIT} elements")
        if depth > NESTING_LIMIT:
            raise OversizeError(f"elements nest deeper than {NESTING_LIMIT} levels")
