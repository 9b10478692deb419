"""Which characters of a message are shown.

Taken out of what is shown, never out of the record: bidirectional controls, C0 and C1 controls, zero width
space, word joiner, byte-order mark and soft hyphen; joiners that join neither letters nor emoji; tag
characters outside an emoji flag. All of them can make a text read otherwise than it is written.
"""

import re
from unicodedata import category

_JOINERS = "\u200c\u200d"
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # C0 but tab, line feed and carriage return; C1
    "\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff"
    "\U000e0000-\U000e007f]"
)
_SUSPECT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
)
_VARIATION = "\ufe0e\ufe0f"


def shown_characters(text: str) -> str:
    """``text`` without the characters that are never shown."""
    if not _SUSPECT.search(text):
        return text
    flags = _FLAG.findall(text)
    if flags:
        return "".join(part + flag for part, flag in zip(map(_clean, _FLAG.split(text)), [*flags, ""], strict=True))
    return _clean(text)


def _clean(text: str) -> str:
    text = _UNSEEN.sub("", text)
    if not any(joiner in text for joiner in _JOINERS):
        return text
    return "".join(char for at, char in enumerate(text) if char not in _JOINERS or _joins(text, at))


def _joins(text: str, at: int) -> bool:
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    return _joinable(before) and _joinable(after)


def _joinable(char: str) -> bool:
    # Letters, marks (vowel signs before a joiner), and the symbols emoji are made of.
    return char != "" and (category(char)[0] in "LM" or category(char) in ("So", "Sk") or char in _VARIATION)
