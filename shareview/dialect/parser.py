"""The parser: CommonMark by markdown-it-py, with the main chat's rules in place of its own."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import code, fence
from markdown_it.rules_inline import StateInline, autolink, image, link
from markdown_it.token import Token

from shareview.dialect import addresses, formulas, lines
from shareview.dialect.deletion import deletion
from shareview.dialect.emphasis import emphasis
from shareview.dialect.entities import entity
from shareview.dialect.segments import SegmentedInline
from shareview.dialect.tasks import mark_tasks

BLOCK_NESTING: Final = 200
"""Levels of quotes and lists that are still parsed. Beyond, markdown-it-py drops text; we refuse instead."""

_MARKDOWN_IT_NESTING: Final = 300


InlineRule = Callable[[StateInline, bool], bool]


class DialectError(Exception):
    """The text cannot be parsed without losing some of it."""


def _with_closing_bracket(rule: InlineRule) -> InlineRule:
    """``rule``, asked only where a ``]`` follows: a run of ``[`` alone would cost it quadratic time."""

    def guarded(state: StateInline, silent: bool) -> bool:
        return state.src.rfind("]") > state.pos and rule(state, silent)

    return guarded


class _LinksAsWritten(MarkdownIt):
    """Takes every link as it is written: which may be followed is decided when it is rendered."""

    def validateLink(self, url: str) -> bool:
        return True

    def normalizeLink(self, url: str) -> str:
        return url

    def normalizeLinkText(self, link: str) -> str:
        return link


@lru_cache(maxsize=2)
def _parser(math: bool) -> MarkdownIt:
    parser = _LinksAsWritten("commonmark", {"maxNesting": _MARKDOWN_IT_NESTING})
    parser.enable(["table"])
    parser.inline = SegmentedInline()
    parser.inline.ruler.disable(["linkify", "strikethrough"])
    blocks = parser.block.ruler
    blocks.at("paragraph", lines.paragraph)
    blocks.at("fence", lines.with_tabs_expanded(fence), {"alt": ["paragraph", "reference", "blockquote", "list"]})
    blocks.at("code", lines.with_tabs_expanded(code))
    parser.core.ruler.before("inline", "tasks", mark_tasks)
    inline = parser.inline.ruler
    inline.at("link", _with_closing_bracket(link))
    inline.at("image", _with_closing_bracket(image))
    inline.at("text", addresses.text)
    inline.at("escape", addresses.escape_sign)
    inline.at("emphasis", emphasis)
    inline.after("emphasis", "deletion", deletion)
    inline.push("address", addresses.address)
    inline.at("entity", entity)
    inline.at("autolink", addresses.with_references_decoded(autolink))
    parser.inline.ruler2.disable(["balance_pairs", "emphasis"])
    # Escaped brackets must stay apart: ``\[^4^]`` is no marker.
    parser.core.ruler.disable("text_join")
    if math:
        formulas.install(parser)
    return parser


def parse(text: str, *, math: bool = False) -> list[Token]:
    """Tokens of ``text``, with source lines in ``token.map`` of the block tokens.

    With ``math`` formulas in ``\\(…\\)``, ``\\[…\\]`` and ``$$…$$`` become tokens ``math_inline`` and ``math_block``.

    Raises DialectError where blocks nest deeper than ``BLOCK_NESTING``: text would be lost.
    """
    tokens = _parser(math).parse(text)
    if any(token.level >= BLOCK_NESTING for token in tokens):
        raise DialectError(f"blocks nest deeper than {BLOCK_NESTING} levels")
    return tokens
