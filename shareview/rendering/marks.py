"""Plain text as HTML with some of its words marked."""

from collections.abc import Iterable
from html import escape
from itertools import groupby

from shareview.rendering.characters import shown_characters


def marked_text(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    """``text`` as HTML, with the code points in ``ranges`` marked; what is never shown is left out."""
    places = {at for start, end in ranges for at in range(start, end)}
    runs = groupby(enumerate(text), key=lambda item: item[0] in places)
    shown = ((marked, escape(shown_characters("".join(char for _, char in run)))) for marked, run in runs)
    return "".join(f"<mark>{piece}</mark>" if marked else piece for marked, piece in shown)
