"""The words of a text, as both databases index them (design, "Search in Chinese").

Databases part a text into words in ways of their own, and neither parts Chinese. So it is done here: every Han, kana
and hangul character is a word of its own; letters, digits and the marks on them in a row are one; all else parts
words. Words are compared without case, width and accents.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_SINGLE: Final = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9d"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
    "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7af\ud7b0-\ud7fb\uffa1-\uffdc"
)
"""Kana, Han and hangul, of full and half width: words of one character."""
_MARKS: Final = "".join(chr(code) for code in range(0x300, 0xAC00) if unicodedata.category(chr(code))[0] == "M")
_LETTER: Final = rf"[^\W_{_SINGLE}]"
_WORD = re.compile(rf"[{_SINGLE}][{_MARKS}\uff9e\uff9f]*|{_LETTER}+(?:[{_MARKS}]+{_LETTER}*)*")
_LONGEST: Final = 64
"""Code points of a word that count."""
_ACCENTS = re.compile("[\u0300-\u036f]+")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, and the code points of the text that it stands for."""

    text: str
    start: int
    end: int


def words_of(text: str) -> Iterator[Word]:
    """The words of ``text`` in order. One character may stand for several: ``½`` for 1 and 2."""
    for found in _WORD.finditer(text):
        if found[0].isascii():
            yield Word(found[0].lower()[:_LONGEST], found.start(), found.end())
        else:
            for folded in _folded(found[0]):
                yield Word(folded, found.start(), found.end())


@lru_cache(maxsize=65_536)
def _folded(word: str) -> tuple[str, ...]:
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", word.casefold()))
    # Composed again, or hangul would fall apart into its letters.
    return tuple(part[:_LONGEST] for part in _WORD.findall(unicodedata.normalize("NFC", bare.casefold())))
