"""Character classes as ``marked`` draws them: JavaScript's ``\\s`` and the Unicode categories P and S."""

from functools import lru_cache
from unicodedata import category

_JS_SPACE = frozenset("\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff") | {
    chr(c) for c in range(0x2000, 0x200B)
}


def is_space(char: str) -> bool:
    """Whether ``char`` is white space to a JavaScript regular expression."""
    return char in _JS_SPACE


@lru_cache(maxsize=4096)
def is_punctuation(char: str) -> bool:
    """Whether ``char`` is in one of the Unicode categories P and S."""
    return category(char)[0] in "PS"


def is_letter_or_number(char: str) -> bool:
    """Whether ``char`` is in one of the Unicode categories L and N."""
    return category(char)[0] in "LN"
