"""The visible mark of a share, drawn over its page (design, "Watermark")."""

from dataclasses import dataclass
from typing import Final
from unicodedata import east_asian_width

_FONT_SIZE: Final = 15
_NARROW: Final = 0.6
_WIDE: Final = 1.0
_GAP: Final = 90
_HEIGHT: Final = 224


@dataclass(frozen=True)
class WatermarkTile:
    """The repeated tile: its text and its sides in CSS pixels; ``half`` shifts every second row."""

    text: str
    width: int
    height: int
    half: int


def watermark_tile(text: str) -> WatermarkTile:
    """A tile as wide as ``text`` needs: 0.6 em a narrow letter, 1 em a wide one, and a gap."""
    ems = sum(_WIDE if east_asian_width(char) in "WF" else _NARROW for char in text)
    width = round(ems * _FONT_SIZE) + _GAP
    return WatermarkTile(text, width, _HEIGHT, width // 2)
