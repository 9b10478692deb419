"""The words of a piece of Markdown without its marks."""

from typing import Final

from markdown_it.token import Token

from shareview.dialect.parser import DialectError, parse

_BREAKS: Final = frozenset({"softbreak", "hardbreak"})


def plain_text(text: str) -> str:
    """What one reads of ``text``, on one line; ``text`` itself where it cannot be parsed."""
    try:
        tokens = parse(text)
    except DialectError:
        return " ".join(text.split())
    pieces = [piece for token in tokens for piece in (*(token.children or [token]), None)]
    return " ".join("".join(map(_words, pieces)).split())


def _words(piece: Token | None) -> str:
    """What one reads of an inline token; a space where a block ends."""
    if piece is None or piece.type in _BREAKS:
        return " "
    return "" if piece.type == "html_inline" else piece.content
