"""Which characters of a message are shown (design, "Characters").

Taken out of what is shown, never out of the record: bidirectional controls, C0 and C1 controls, zero width
space, word joiner, byte-order mark and soft hyphen; joiners that join neither letters nor emoji; tag
characters outside an emoji flag. All of them can make a text read otherwise than it is written. Half of a
surrogate pair is no character: it is shown as U+FFFD, as a browser shows it.
"""

import re
from itertools import compress
from unicodedata import category, combining

_JOINERS = "\u200c\u200d"
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
_NEVER_SHOWN = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # C0 but tab, line feed and carriage return; C1
    "\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
    "\U000e0000-\U000e007f"
)
_UNSEEN = re.compile(f"[{_NEVER_SHOWN}]")
_SUSPECT = re.compile(f"[{_NEVER_SHOWN}{_JOINERS}\ud800-\udfff]")
_HALF = re.compile("[\ud800-\udfff]")
# Variation selectors, and the one arrow among the emoji that Unicode counts as mathematical.
_ALSO_JOINED = "\ufe0e\ufe0f\u2194"
_VIRAMA = 9  # canonical combining class


def shown_characters(text: str) -> str:
    """``text`` without the characters that are never shown."""
    if not _SUSPECT.search(text):
        return text
    if _HALF.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    flags = _FLAG.findall(text)
    if flags:
        return "".join(part + flag for part, flag in zip(map(_clean, _FLAG.split(text)), [*flags, ""], strict=True))
    return _clean(text)


def _clean(text: str) -> str:
    text = _UNSEEN.sub("", text)
    if any(joiner in text for joiner in _JOINERS):
        kept = _LONE.sub("\0", text.translate(_KINDS)).encode("ascii")
        return "".join(compress(text, kept))
    return text


class _Kinds(dict[int, str]):
    """One letter for each character, by what a joiner beside it does; a text is translated in one call."""

    def __missing__(self, code: int) -> str:
        self[code] = _kind(chr(code))
        return self[code]


def _kind(char: str) -> str:
    if char in _JOINERS:
        return "z"
    if combining(char) == _VIRAMA:
        return "v"
    # Letters, marks (vowel signs before a joiner), and the symbols emoji are made of.
    kind = category(char)
    return "j" if kind[0] in "LM" or kind in ("So", "Sk") or char in _ALSO_JOINED else "-"


_KINDS = _Kinds()
# A joiner joins what stands on both sides; after a virama it shapes what stands before it, at a word's end too.
_LONE = re.compile("(?<![jv])z|(?<!v)z(?![jv])")
