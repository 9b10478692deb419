"""Numbers of payment cards and bank accounts, told by their check digits."""

import re
from collections.abc import Iterator
from typing import Final

from stdnum import iban, luhn

from shareview.leaks.edges import NUMBER_ENDS, begin_number
from shareview.leaks.findings import Leak, LeakClass

# ISO/IEC 7812 numbers of the networks that issue cards to people: first digits, and groups as they are printed.
_FOURS = r"([ -]?)[0-9]{4}\1[0-9]{4}\1[0-9]{4}"
_CARDS: Final = tuple(
    re.compile(form + NUMBER_ENDS)
    for form in (
        begin_number("4") + rf"[0-9]{{3}}{_FOURS}",
        begin_number("5") + rf"[1-5][0-9]{{2}}{_FOURS}",
        begin_number("2") + rf"[2-7][0-9]{{2}}{_FOURS}",
        begin_number("6") + rf"(?:011|4[4-9][0-9]|5[0-9]{{2}}|2[0-9]{{2}}){_FOURS}(?:\1[0-9]{{1,3}})?",
        begin_number("3") + rf"5[2-8][0-9]{_FOURS}",
        begin_number("3") + r"[47][0-9]{2}([ -]?)[0-9]{6}\1[0-9]{5}",
        begin_number("3") + r"(?:0[0-5]|[68][0-9])[0-9]([ -]?)[0-9]{6}\1[0-9]{4}",
    )
)
# One number in ten passes Luhn's check by chance, and identifiers of databases are as long as cards.
_IDENTIFIER: Final = re.compile(r"(?:\bid|_id|Id|ID)[\"'\\]{0,8} ?[:=]? ?[\"'\\]{0,8}\Z")

# ISO 13616: country, check digits, up to 30 letters and digits, on paper in groups of four.
_IBAN: Final = re.compile(
    begin_number("[A-Z]") + r"[A-Z][0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?" + NUMBER_ENDS
)
_SHORTEST_IBAN: Final = 15
_CHECKED: Final = 50_000
"""So many candidates are held against the formats of countries (20 µs each); in a text with more, the form suffices."""


def find_cards(text: str) -> Iterator[Leak]:
    """Numbers of cards: a network's first digits and length, Luhn's check digit, and no identifier by their name."""
    for form in _CARDS:
        for found in form.finditer(text):
            digits = found[0].replace(" ", "").replace("-", "")
            if len(set(digits)) < 2 or not luhn.is_valid(digits):
                continue
            if not _IDENTIFIER.search(text, max(0, found.start() - 24), found.start()):
                yield Leak("card", found.start(), found.end(), LeakClass.PERSONAL)


def find_ibans(text: str) -> Iterator[Leak]:
    """Bank accounts whose check digits and format are those of their country."""
    for checked, found in enumerate(_IBAN.finditer(text)):
        length = _iban_length(found[0]) if checked < _CHECKED else len(found[0])
        if length:
            yield Leak("iban", found.start(), found.start() + length, LeakClass.PERSONAL)


def _iban_length(written: str) -> int:
    """How much of ``written`` is an IBAN: a word in capitals behind it may look like one more group.

    The country's format is checked, its list of banks is not: lists of banks grow old.
    """
    while len(written) >= _SHORTEST_IBAN:
        if iban.is_valid(written, check_country=False):
            return len(written)
        written = written.rpartition(" ")[0]
    return 0
