"""An answer as Markdown with its display numbers, for a reader who takes it along."""

import re
from collections.abc import Iterable, Mapping

from shareview.citations.claim_citations import Claim
from shareview.citations.markers import MARKER, strip_markers
from shareview.dialect import DialectError
from shareview.dialect.blocks import text_blocks

# A link whose text holds a marker: one pair of brackets within the other.
_LINK = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\([^()\n]*\)")

Change = tuple[int, int, str]
"""A range of the answer, and what comes in its place."""


def number_markers(answer: str, numbers: Mapping[int, int]) -> str:
    """``answer`` with ``[k]`` for each marker in running text that ``numbers`` (registry → display) has.

    Other markers there are taken out; in code, links and raw HTML they are text, and stay. An answer that cannot
    be parsed loses all of them.
    """
    try:
        return _changed(answer, _markers(answer, numbers))
    except DialectError:
        return strip_markers(answer)


def number_claims(answer: str, claims: Iterable[Claim]) -> str:
    """``answer`` with ``[k]`` for each block that a claim cites behind the claim, and no markers in running text."""
    try:
        return _changed(answer, [*_markers(answer, {}), *_ends(answer, claims)])
    except DialectError:
        return strip_markers(answer)


def _markers(answer: str, numbers: Mapping[int, int]) -> Iterable[Change]:
    for block in text_blocks(answer, with_heads=True):
        links = [match.span() for match in _LINK.finditer(block.masked)]
        for marker in MARKER.finditer(block.masked):
            if any(start < marker.start() < end for start, end in links):
                continue
            shown = numbers.get(int(marker[1])) if marker[1] == str(int(marker[1])) else None
            at = block.in_source(marker.start())
            yield at, at + len(marker[0]), f"[{shown}]" if shown else ""


def _ends(answer: str, claims: Iterable[Claim]) -> Iterable[Change]:
    for claim in claims:
        numbers = "".join(f"[{cited.k}]" for cited in claim.cited)
        # Behind the last bar of a row a number would be lost.
        end = claim.span.end - (claim.span.text.endswith("|") and 1)
        yield end, end, f"{numbers} " if end < claim.span.end else numbers


def _changed(answer: str, changes: Iterable[Change]) -> str:
    parts: list[str] = []
    done = 0
    for start, end, words in sorted(changes):
        parts += [answer[done:start], words]
        done = max(done, end)
    return "".join(parts) + answer[done:]
