"""The picture that stands for a share in a list of links, drawn here so that nobody else is told of it."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final
from unicodedata import category, east_asian_width

from noto_cjk import otc_path
from PIL import Image, ImageDraw, ImageFont

PREVIEW_WIDTH: Final = 1200
PREVIEW_HEIGHT: Final = 630
_MARGIN: Final = 80
_PAPER: Final = (251, 250, 247)
_INK: Final = (28, 30, 33)
_SOFT_INK: Final = (96, 101, 108)
_ACCENT: Final = (31, 79, 130)
_MARK: Final = (28, 30, 33, 26)
_TITLE_SIZES: Final = (64, 54, 46)
_TITLE_LINES: Final = 4
_EXCERPT_SIZE: Final = 30
_EXCERPT_LINES: Final = 3
_SMALL: Final = 26
_MARK_SIZE: Final = 24
_MARK_ANGLE: Final = 24
_MARK_GAP: Final = 170
_LEADING: Final = 1.32
# The faces of the collection: 2 is Simplified Chinese.
_FACE: Final = 2
_NEVER_FIRST: Final = frozenset("，。、；：？！）》」』”’…,.;:?!)]}%")


@dataclass(frozen=True)
class PreviewCard:
    """What is drawn: ``excerpt`` is empty where the share does not let its preview tell anything of its content."""

    title: str
    excerpt: str
    site: str
    frozen: str
    watermark: str


@lru_cache(maxsize=64)
def draw_preview(card: PreviewCard) -> bytes:
    """``card`` as a PNG of 1200 by 630 pixels."""
    picture = Image.new("RGB", (PREVIEW_WIDTH, PREVIEW_HEIGHT), _PAPER)
    picture.paste(_ACCENT, (0, 0, PREVIEW_WIDTH, 12))
    draw = ImageDraw.Draw(picture)
    _draw_sign(draw)
    draw.text((_MARGIN + 64, 66), _drawable(card.site), _SOFT_INK, _font(_SMALL))
    size, lines = _title(_drawable(card.title), _EXCERPT_LINES if card.excerpt else _TITLE_LINES)
    top = _draw_lines(draw, lines, 150, size, _INK)
    if card.excerpt:
        excerpt = _wrapped(_drawable(card.excerpt), _font(_EXCERPT_SIZE), _EXCERPT_LINES)
        _draw_lines(draw, excerpt, top + 22, _EXCERPT_SIZE, _SOFT_INK)
    _draw_foot(draw, card)
    _draw_watermark(picture, _drawable(card.watermark))
    file = io.BytesIO()
    picture.quantize(128).save(file, "PNG", optimize=True)
    return file.getvalue()


def _draw_sign(draw: ImageDraw.ImageDraw) -> None:
    draw.rounded_rectangle((_MARGIN, 64, _MARGIN + 44, 108), 10, _ACCENT)
    for y, end in ((77, 33), (86, 33), (95, 24)):
        draw.line((_MARGIN + 11, y, _MARGIN + end, y), (255, 255, 255), 4)


def _draw_foot(draw: ImageDraw.ImageDraw, card: PreviewCard) -> None:
    y = PREVIEW_HEIGHT - 92
    draw.line((_MARGIN, y - 22, PREVIEW_WIDTH - _MARGIN, y - 22), (222, 219, 212), 2)
    font = _font(_SMALL)
    draw.text((_MARGIN, y), card.frozen, _SOFT_INK, font)
    room = PREVIEW_WIDTH - 2 * _MARGIN - font.getlength(card.frozen) - 60
    mark = _cut(_drawable(card.watermark), font, room)
    draw.text((PREVIEW_WIDTH - _MARGIN - font.getlength(mark), y), mark, _SOFT_INK, font)


def _draw_watermark(picture: Image.Image, text: str) -> None:
    """The mark of the page, here too: turned, over all of it."""
    side = 2 * PREVIEW_WIDTH
    layer = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    draw, font = ImageDraw.Draw(layer), _font(_MARK_SIZE)
    step = round(font.getlength(text)) + 120
    for row, y in enumerate(range(0, side, _MARK_GAP)):
        for x in range(-(row % 2) * step // 2, side, step):
            draw.text((x, y), text, _MARK, font)
    turned = layer.rotate(_MARK_ANGLE, resample=Image.Resampling.BICUBIC)
    left, top = (side - PREVIEW_WIDTH) // 2, (side - PREVIEW_HEIGHT) // 2
    part = turned.crop((left, top, left + PREVIEW_WIDTH, top + PREVIEW_HEIGHT))
    picture.paste(part, (0, 0), part)


def _draw_lines(draw: ImageDraw.ImageDraw, lines: list[str], top: int, size: int, ink: tuple[int, int, int]) -> int:
    """Draws ``lines`` from ``top`` on; gives where the next would stand."""
    step = round(size * _LEADING)
    for at, line in enumerate(lines):
        draw.text((_MARGIN, top + at * step), line, ink, _font(size))
    return top + len(lines) * step


def _title(text: str, lines: int) -> tuple[int, list[str]]:
    """The largest size at which ``text`` fits, and its lines."""
    for size in _TITLE_SIZES:
        wrapped = _wrapped(text, _font(size), lines)
        if not wrapped[-1].endswith("…") or text.endswith("…"):
            return size, wrapped
    return _TITLE_SIZES[-1], _wrapped(text, _font(_TITLE_SIZES[-1]), lines)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(otc_path("sans")), size, index=_FACE)


def _drawable(text: str) -> str:
    """``text`` without what the font has no picture of: emoji and their joiners."""
    kept = (char for char in text if ord(char) < 0x1F000 and category(char) not in ("Cf", "Cc", "Mn", "So"))
    return " ".join("".join(kept).split())


def _wrapped(text: str, font: ImageFont.FreeTypeFont, most: int) -> list[str]:
    """``text`` in at most ``most`` lines; the last ends in "…" where there would be more."""
    lines = [""]
    for piece in _pieces(text):
        if font.getlength((lines[-1] + piece).rstrip()) <= _room() or not lines[-1]:
            lines[-1] += piece
        else:
            lines.append(piece.lstrip())
    if len(lines) > most:
        lines = [*lines[: most - 1], _cut("".join(lines[most - 1 :]), font, _room())]
    return [_cut(line.rstrip(), font, _room()) for line in lines]


def _room() -> int:
    return PREVIEW_WIDTH - 2 * _MARGIN


def _pieces(text: str) -> Iterator[str]:
    """What a line may end behind: words with the space after them, single ideographs with the sign after them."""
    piece = ""
    for char in text:
        if piece and _parts(piece[-1], char):
            yield piece
            piece = ""
        piece += char
    if piece:
        yield piece


def _parts(before: str, after: str) -> bool:
    if after in _NEVER_FIRST or after == " ":
        return False
    return before == " " or any(east_asian_width(char) in "WF" for char in (before, after))


def _cut(text: str, font: ImageFont.FreeTypeFont, room: float) -> str:
    if font.getlength(text) <= room:
        return text
    # No need to measure what could never fit.
    text = text[: int(room)]
    while text and font.getlength(f"{text}…") > room:
        text = text[:-1]
    return f"{text.rstrip()}…"
