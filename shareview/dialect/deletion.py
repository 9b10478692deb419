"""Strikethrough as ``marked`` finds it: one tilde or two, closed by a run of the same length."""

import re

from markdown_it.rules_inline import StateInline

from shareview.dialect.characters import is_punctuation, is_space
from shareview.dialect.segments import Segment, read_inside, segment_of

_RUN = re.compile(r"~+")


def deletion(state: StateInline, silent: bool) -> bool:
    """Inline rule for ``~``."""
    if silent or state.src[state.pos] != "~":
        return False
    segment = segment_of(state)
    at = state.pos - segment.start
    run = _RUN.match(segment.text, at)
    length = len(run[0]) if run else 0
    end = _closing(segment, at, length, state.pending[-1:])
    if end is None:
        state.pending += "~" * length
        state.pos += length
        return True
    state.push("s_open", "del", 1).markup = "~" * length
    read_inside(state, state.pos + length, segment.start + end)
    state.push("s_close", "del", -1).markup = "~" * length
    state.pos = segment.start + end + length
    return True


def _edge(char: str) -> bool:
    return is_space(char) or is_punctuation(char)


def _closing(segment: Segment, at: int, length: int, previous: str) -> int | None:
    text, masked = segment.text, segment.masked
    start = at + length
    if length > 2 or start >= len(text) or is_space(text[start]):
        return None
    if is_punctuation(text[start]) and previous and not (_edge(previous) and previous not in "*_"):
        return None
    depth = length
    for run in _RUN.finditer(masked, start):
        if run.start() > segment.last_closers["~"]:
            return None
        if run.start() == start or len(run[0]) != length:
            continue
        before, after = masked[run.start() - 1], masked[run.end() : run.end() + 1]
        if is_space(before) and (not after or is_space(after)):
            continue
        if (_edge(before) and after and not _edge(after)) or is_space(before):
            depth += length
            continue
        depth -= length
        if depth <= 0:
            return run.start()
    return None
