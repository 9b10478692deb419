"""The marker ``[^n^]``, its extraction and its removal (answer-citations §5.1).

``n`` is one to six ASCII digits. Nothing else is a marker: ``[^a^]``, ``[^1^`` and the footnote ``[^1]`` are text.
"""

import re
from typing import Final

MARKER: Final = re.compile(r"\[\^([0-9]{1,6})\^\]")


def extract_markers(text: str) -> tuple[int, ...]:
    """The numbers of all markers in ``text``, in order, repeated and out of range ones included."""
    return tuple(int(digits) for digits in MARKER.findall(text))


def strip_markers(text: str) -> str:
    """``text`` without its markers, for wherever it leaves the page as plain text."""
    return MARKER.sub("", text)
