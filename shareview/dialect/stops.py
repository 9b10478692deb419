"""Places of a source carried through the parser, to where what stands there is shown.

Text, code points of the source → the inline token that shows it. A stop changes nothing of how a text is read:
it is noted while inline rules run, and put into the text when they are done. One that falls into code, a link
or a tag stands behind it.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from shareview.dialect.source_lines import BlockKind, SourceLines, TextBlock

STOP_MARK: Final = "\x1c"
"""Stands on both sides of a stop's number in a text; no text of a message holds it."""

STOP: Final = re.compile(f"{STOP_MARK}([0-9]+){STOP_MARK}")


@dataclass(frozen=True, slots=True)
class Stop:
    """A place of the source: behind what ends there, or before what begins there."""

    place: int
    is_end: bool


@dataclass(frozen=True, slots=True)
class _Run:
    """Inline tokens that show a stretch of lines: one of a paragraph or heading, or all cells of a row."""

    first: int
    last: int
    tokens: tuple[Token, ...]
    is_row: bool


def place_stops(state: StateCore) -> None:
    """Core rule before inline rules: gives each stop of ``env`` to the inline token that shows its place."""
    stops: Sequence[Stop] = state.env.get("stops", ())
    if not stops:
        return
    lines = SourceLines(state.env["source"])
    runs = list(_runs(state.tokens))
    for number, stop in enumerate(stops):
        run = _run_at(runs, lines.line_of(stop.place - stop.is_end))
        if run is None:
            continue
        token = run.tokens[-1 if stop.is_end else 0]
        at = _in_token(lines, run, token, stop)
        token.meta.setdefault("stops", []).append((at, number))


def _runs(tokens: Sequence[Token]) -> Iterator[_Run]:
    cells: list[Token] = []
    row: list[int] | None = None
    for token in tokens:
        if token.type == "tr_open":
            cells, row = [], token.map
        elif token.type == "tr_close" and row and cells:
            yield _Run(row[0], row[0] + 1, tuple(cells), is_row=True)
            row = None
        elif token.type == "inline" and row:
            cells.append(token)
        elif token.type == "inline" and token.map:
            yield _Run(token.map[0], token.map[1], (token,), is_row=False)


def _run_at(runs: Sequence[_Run], line: int) -> _Run | None:
    """The run that shows ``line``, else the last before it, else the first."""
    before = [run for run in runs if run.first <= line]
    return next((run for run in reversed(before) if line < run.last), before[-1] if before else next(iter(runs), None))


def _in_token(lines: SourceLines, run: _Run, token: Token, stop: Stop) -> int:
    if run.is_row:
        return len(token.content) if stop.is_end else 0
    block = TextBlock.of_lines(lines, BlockKind.PARAGRAPH, token.content, run.first, run.last)
    return block.in_content(stop.place)


def inline_with_stops(state: StateCore) -> None:
    """Core rule in place of ``inline``: tells the inline rules the stops of each token."""
    for token in state.tokens:
        if token.type == "inline":
            state.env["stops_ahead"] = deque(sorted(token.meta.get("stops", ())))
            state.env["stops_met"] = []
            token.children = []
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def note_stops(state: StateInline, silent: bool) -> bool:
    """Inline rule before all others: notes the stops that are reached, and reads nothing."""
    ahead: deque[tuple[int, int]] = state.env.get("stops_ahead") or deque()
    while ahead and ahead[0][0] <= state.pos and not silent and not state.linkLevel:
        state.env["stops_met"].append((len(state.tokens), len(state.pending), ahead.popleft()[1]))
    return False


def next_stop(state: StateInline, end: int) -> int:
    """Where plain text that would run to ``end`` has to pause for a stop."""
    ahead: deque[tuple[int, int]] | None = state.env.get("stops_ahead")
    return min(end, ahead[0][0]) if ahead and state.pos < ahead[0][0] else end


def show_stops(state: StateInline) -> None:
    """Puts the stops that were met into the text, those that were not at its end."""
    met: list[tuple[int, int, int]] = state.env.get("stops_met") or []
    ahead: deque[tuple[int, int]] = state.env.get("stops_ahead") or deque()
    met += [(len(state.tokens), 0, number) for _, number in ahead]
    ahead.clear()
    for index, offset, number in reversed(met):
        mark = f"{STOP_MARK}{number}{STOP_MARK}"
        token = state.tokens[index] if index < len(state.tokens) else None
        if token is not None and token.type == "text" and offset <= len(token.content):
            token.content = token.content[:offset] + mark + token.content[offset:]
        else:
            level = token.level if token is not None else state.level
            state.tokens.insert(index, Token("text", "", 0, content=mark, level=level))
    met.clear()
