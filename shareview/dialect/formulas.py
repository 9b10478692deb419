"""Formulas in ``\\(…\\)``, ``\\[…\\]`` and ``$$…$$``, where a site turns them on."""

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

_INLINE_PAIRS = ((r"\(", r"\)", "math_inline"), (r"\[", r"\]", "math_block"), ("$$", "$$", "math_block"))
_BLOCK_PAIRS = ((r"\[", r"\]"), ("$$", "$$"))


def install(parser: MarkdownIt) -> None:
    """Adds the two rules, before those that would read the delimiters as escapes or the lines as blocks."""
    parser.inline.ruler.before("escape", "formula", formula)
    parser.block.ruler.before(
        "fence", "formula", formula_block, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )


def formula(state: StateInline, silent: bool) -> bool:
    """Inline rule: a formula between its delimiters, within one paragraph."""
    for opening, closing, kind in _INLINE_PAIRS:
        if not state.src.startswith(opening, state.pos):
            continue
        end = state.src.find(closing, state.pos + 2, state.posMax)
        if end < 0 or not state.src[state.pos + 2 : end].strip():
            continue
        if not silent:
            token = state.push(kind, "math", 0)
            token.content = state.src[state.pos + 2 : end]
            token.markup = opening + closing
        state.pos = end + 2
        return True
    return False


def formula_block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """Block rule: a formula that begins a line and ends one, blank lines excluded."""
    first = _line(state, start_line)
    pair = next((pair for pair in _BLOCK_PAIRS if first.startswith(pair[0])), None)
    if pair is None or state.is_code_block(start_line):
        return False
    opening, closing = pair
    lines = [first[len(opening) :]]
    line = start_line
    while not lines[-1].rstrip().endswith(closing):
        line += 1
        if line >= end_line or state.isEmpty(line) or state.sCount[line] < state.blkIndent:
            return False
        lines.append(_line(state, line))
    content = "\n".join(lines).rstrip()[: -len(closing)]
    if closing in content or not content.strip():
        return False
    if silent:
        return True
    state.line = line + 1
    state.push("paragraph_open", "p", 1).map = [start_line, state.line]
    token = state.push("inline", "", 0)
    token.map, token.content, token.children = [start_line, state.line], opening + content + closing, []
    state.push("paragraph_close", "p", -1)
    return True


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
