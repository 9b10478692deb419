"""Where tokens and numbers may begin and end.

Ideographs may stand directly beside a token, and so may ``\\n`` as JSON writes the end of a line, whose letter is none
of the token's. Every look behind comes after what begins, so that ``re`` can leap from one occurrence to the next.
"""

import re
from typing import Final

ENDS: Final = r"(?![A-Za-z0-9])"
"""Matches where a token of letters and digits may end."""

NUMBER_ENDS: Final = r"(?![A-Za-z0-9_]|[./:-][0-9])"
"""Matches where a number that people write may end: not within a decimal, a version, an identifier."""

_STARTS: Final = re.compile(r"(?<![A-Za-z0-9])|(?<=\\[nrt])")


def starts_at(text: str, at: int) -> bool:
    """Whether a token may begin at ``at``."""
    return _STARTS.match(text, at) is not None


def begin_with(prefix: str) -> str:
    """A pattern for the literal ``prefix`` at the beginning of a token."""
    literal = re.escape(prefix)
    return rf"{literal}(?:(?<![A-Za-z0-9]{literal})|(?<=\\[nrt]{literal}))"


def begin_number(first: str) -> str:
    """A pattern for the beginning of a number: ``first`` matches its first character."""
    return rf"{first}(?:(?<![A-Za-z0-9_.+/#\\]{first})(?<![A-Za-z0-9]-{first})|(?<=\\[nrt]{first}))"
