"""The Markdown that the main chat speaks: text → tokens → element tree, and nothing about citations or safety.

CommonMark (markdown-it-py) with GFM tables, tasks, strikethrough and bare addresses, bent to
``marked`` where the two differ, because the main chat renders with ``marked``.
"""

from shareview.dialect.extension import DialectExtension
from shareview.dialect.parser import BLOCK_NESTING, DialectError, parse

__all__ = ["BLOCK_NESTING", "DialectError", "DialectExtension", "parse"]
