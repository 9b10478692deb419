"""Telephone numbers: international ones, Chinese mobile numbers, and North American ones in their usual form."""

import re
from collections.abc import Iterator
from typing import Final

from phonenumbers import PhoneNumberMatcher

from shareview.leaks.edges import NUMBER_ENDS, begin_number
from shareview.leaks.findings import Leak, LeakClass

_FORMS: Final = tuple(
    (region, re.compile(form + NUMBER_ENDS))
    for region, form in (
        # The region of numbers without +, and how they are written.
        (None, begin_number(r"\+") + r"[1-9](?:[ ().-]{0,2}[0-9]){6,14}"),
        ("CN", begin_number("1") + r"[3-9][0-9]([ -]?)[0-9]{4}\1[0-9]{4}"),
        ("CN", begin_number("[08]") + r"(?:(?<=8)6|086)[ -]?1[3-9][0-9]([ -]?)[0-9]{4}\1[0-9]{4}"),
        ("US", begin_number("[2-9]") + r"[0-9]{2}-[2-9][0-9]{2}-[0-9]{4}"),
        ("US", begin_number(r"\(") + r"[2-9][0-9]{2}\) ?[2-9][0-9]{2}-[0-9]{4}"),
        ("US", begin_number("1") + r"[ -](?:[2-9][0-9]{2}-|\([2-9][0-9]{2}\) ?)[2-9][0-9]{2}-[0-9]{4}"),
    )
)
_CHECKED: Final = 50_000
"""So many candidates are held against the numbering plans (30 µs each); in a text with more, the form suffices."""


def find_phones(text: str) -> Iterator[Leak]:
    """Numbers that exist by the plans of libphonenumber; any other row of digits, if only long enough, is none."""
    candidates = ((region, found) for region, form in _FORMS for found in form.finditer(text))
    for checked, (region, found) in enumerate(candidates):
        if found[0].count(".") == 1:  # a decimal with its sign
            continue
        span = _in_plan(text, found, region) if checked < _CHECKED else found.span()
        if span:
            yield Leak("phone", *span, LeakClass.PERSONAL)


def _in_plan(text: str, found: re.Match[str], region: str | None) -> tuple[int, int] | None:
    # An opening bracket belongs to the number, or the closing one would spoil it: (+86) 138….
    start = found.start() - (text[max(0, found.start() - 1) : found.start() + 1] == "(+")
    number = next(iter(PhoneNumberMatcher(text[start : found.end()], region)), None)
    return (start + number.start, start + number.end) if number else None
