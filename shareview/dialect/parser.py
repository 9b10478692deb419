"""The parser: CommonMark by markdown-it-py, with the main chat's rules in place of its own."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import code, fence
from markdown_it.rules_inline import StateInline, autolink, image, link
from markdown_it.token import Token

from shareview.dialect import addresses, formulas, lines
from shareview.dialect import stops as stop_rules
from shareview.dialect.deletion import deletion
from shareview.dialect.emphasis import emphasis
from shareview.dialect.entities import entity
from shareview.dialect.segments import SegmentedInline
from shareview.dialect.stops import Stop
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
    return _new_parser(math=math)


def _new_parser(*, math: bool) -> MarkdownIt:
    parser = _LinksAsWritten("commonmark", {"maxNesting": _MARKDOWN_IT_NESTING})
    parser.enable(["table"])
    parser.inline = SegmentedInline()
    parser.inline.ruler.disable(["linkify", "strikethrough"])
    blocks = parser.block.ruler
    blocks.at("paragraph", lines.paragraph)
    blocks.at("fence", lines.with_tabs_expanded(fence), {"alt": ["paragraph", "reference", "blockquote", "list"]})
    blocks.at("code", lines.with_tabs_expanded(code))
    parser.core.ruler.before("inline", "tasks", mark_tasks)
    parser.core.ruler.before("inline", "stops", stop_rules.place_stops)
    parser.core.ruler.at("inline", stop_rules.inline_with_stops)
    inline = parser.inline.ruler
    inline.before("text", "stops", stop_rules.note_stops)
    inline.at("link", _with_closing_bracket(link))
    inline.at("image", _with_closing_bracket(image))
    inline.at("text", addresses.text)
    inline.at("escape", addresses.escape_sign)
    inline.at("emphasis", emphasis)
    inline.after("emphasis", "deletion", deletion)
    inline.push("address", addresses.address)
    inline.at("entity", entity)
    inline.at("autolink", addresses.with_references_decoded(autolink))
    parser.inline.ruler2.before("fragments_join", "stops", stop_rules.show_stops)
    parser.inline.ruler2.disable(["balance_pairs", "emphasis"])
    # Escaped brackets must stay apart: ``\[^4^]`` is no marker.
    parser.core.ruler.disable("text_join")
    if math:
        formulas.install(parser)
    return parser


@lru_cache(maxsize=1)
def _block_parser() -> MarkdownIt:
    parser = _new_parser(math=False)
    parser.core.ruler.disable(["inline"])
    return parser


def block_tokens(text: str) -> list[Token]:
    """Tokens of the blocks of ``text`` alone: inline tokens have their ``content`` and no children.

    Raises DialectError where blocks nest deeper than ``BLOCK_NESTING``.
    """
    return _checked(_block_parser().parse(text))


def parse(text: str, *, math: bool = False, stops: Sequence[Stop] = ()) -> list[Token]:
    """Tokens of ``text``, with source lines in ``token.map`` of the block tokens.

    Each of ``stops`` is shown as its number between two ``STOP_MARK`` where its place is shown, never in code,
    in a link or in a tag.

    With ``math`` formulas in ``\\(…\\)``, ``\\[…\\]`` and ``$$…$$`` become tokens ``math_inline`` and ``math_block``.

    Raises DialectError where blocks nest deeper than ``BLOCK_NESTING``: text would be lost.
    """
    return _checked(_parser(math).parse(text, {"source": text, "stops": stops}))


def _checked(tokens: list[Token]) -> list[Token]:
    if any(token.level >= BLOCK_NESTING for token in tokens):
        raise DialectError(f"blocks nest deeper than {BLOCK_NESTING} levels")
    return tokens
