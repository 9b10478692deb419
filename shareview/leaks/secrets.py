"""Every secret of a text."""

from shareview.leaks.assignments import find_assigned
from shareview.leaks.blocks import find_blocks
from shareview.leaks.credentials import find_aws_secrets, find_in_addresses, find_in_headers
from shareview.leaks.findings import Leak, keep_longest
from shareview.leaks.library import find_by_library
from shareview.leaks.prefixes import find_issued


def find_secrets(text: str) -> list[Leak]:
    """The secrets of ``text`` in ascending order, never overlapping; each span covers the secret alone.

    Rules: detect-secrets where its patterns are exact, the issuers' own prefixes, PEM and PuTTY blocks, passwords of
    addresses, ``Authorization`` headers, values given to names such as ``DB_PASSWORD``. Where rules overlap, the
    longest finding stays, and of equally long ones that which knows the issuer. The time grows with the length of
    ``text``, whatever it holds.
    """
    lowered = _lowered(text)
    return keep_longest(
        [
            *find_blocks(text),
            *find_issued(text),
            *find_by_library(text),
            *find_aws_secrets(text, lowered),
            *find_in_addresses(text),
            *find_in_headers(text),
            *find_assigned(text, lowered),
        ]
    )


def _lowered(text: str) -> str:
    """``text`` in lower case, every letter at its place: İ alone would become two."""
    return text.replace("İ", "I").lower()
