"""What language a text is in, as far as its letters tell."""

import re
from typing import Final

_KANA = re.compile("[\u3041-\u30ff]")
_HANGUL = re.compile("[\uac00-\ud7a3\u1100-\u11ff]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LETTER = re.compile(r"[^\W\d_]")
_LOOKED_AT: Final = 4_000
_SHARE: Final = 0.2
"""Of all letters: an ideograph says about as much as five Latin letters."""


def language_of(text: str) -> str:
    """``zh``, ``ja`` or ``ko`` where the letters of ``text`` tell (its first 4,000 code points), else nothing."""
    text = text[:_LOOKED_AT]
    letters = len(_LETTER.findall(text))
    han, kana, hangul = (len(letter.findall(text)) for letter in (_HAN, _KANA, _HANGUL))
    if not letters or (han + kana + hangul) / letters < _SHARE:
        return ""
    if hangul > han + kana:
        return "ko"
    # Japanese prose has more kana than one word in ten.
    return "ja" if kana > 0.1 * (han + kana) else "zh"
