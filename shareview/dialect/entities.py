"""Character references, kept in the text they stand in, as ``marked`` keeps them."""

import re
from html import unescape

from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.entity import entity as commonmark_entity

_REFERENCE = re.compile(r"&(?:#[0-9]{1,7}|#[xX][a-fA-F0-9]{1,6}|[A-Za-z0-9_]+);")
_COULD_FORM_A_MARKER = frozenset("[]^0123456789")


def decode_references(text: str) -> str:
    """``text`` with each ``&…;`` read as a browser reads it, old names without a semicolon of their own included."""
    return _REFERENCE.sub(lambda match: unescape(match[0]), text)


def entity(state: StateInline, silent: bool) -> bool:
    """Inline rule for ``&…;``: what it stands for joins the text around it.

    A named reference (``&lbrack;``) stays apart, since the main chat does not decode it before it looks
    for markers; a numeric one (``&#91;``) does take part in a marker there.
    """
    before = len(state.tokens)
    start = state.pos
    pending = state.pending
    if not commonmark_entity(state, silent):
        return _old_name(state, silent)
    if silent or len(state.tokens) == before:
        return True
    shown = state.tokens[-1].content
    if state.src.startswith("&#", start) or not _COULD_FORM_A_MARKER.intersection(shown):
        del state.tokens[before:]
        state.pending = pending + shown
    return True


def _old_name(state: StateInline, silent: bool) -> bool:
    # ``&notit;`` reaches the browser as it is, and the browser reads ``&not`` in it.
    match = _REFERENCE.match(state.src, state.pos, state.posMax)
    if match is None or unescape(match[0]) == match[0]:
        return False
    if not silent:
        state.pending += unescape(match[0])
    state.pos = match.end()
    return True
