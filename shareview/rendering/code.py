"""Code blocks: coloured by class, so that one style sheet serves both themes."""

import re
from functools import lru_cache
from html import escape, unescape
from typing import Final

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

_COLOURED_LIMIT: Final = 50_000
"""Code points of a block beyond which it is shown without colours: lexers may take quadratic time."""

_TAG = re.compile(r"<[^>]*>")
_FORMATTER: HtmlFormatter[str] = HtmlFormatter(nowrap=True)


@lru_cache(maxsize=128)
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False, stripall=False, ensurenl=False)
    except ClassNotFound:
        return None


def code_html(code: str, language: str, *, colour: bool) -> str:
    """A ``code`` element with ``code`` in it, text unchanged but for one line end at its close.

    ``language`` is the first word of the fence; it becomes ``data-lang``, drawn by the style sheet.
    """
    text = code.removesuffix("\n") + "\n"
    lexer = _lexer(language.lower()) if colour and language and len(text) <= _COLOURED_LIMIT else None
    label = f' data-lang="{escape(language)}"' if language else ""
    return f"<code{label}>{_coloured(text, lexer) or escape(text, quote=False)}</code>"


def _coloured(text: str, lexer: Lexer | None) -> str:
    """``text`` with colours, or nothing where the lexer would change a character of it."""
    html: str = highlight(text, lexer, _FORMATTER) if lexer else ""
    return html if unescape(_TAG.sub("", html)) == text else ""
