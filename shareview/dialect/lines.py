"""Block rules where ``marked`` treats white space at the edge of a line otherwise."""

from collections.abc import Callable

from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.paragraph import paragraph as commonmark_paragraph

BlockRule = Callable[[StateBlock, int, int, bool], bool]


def paragraph(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """Block rule: a paragraph that keeps no-break and ideographic spaces at its edges."""
    if not commonmark_paragraph(state, start_line, end_line, silent):
        return False
    if silent:
        return True
    inline = state.tokens[-2]
    inline.content = state.getLines(start_line, state.line, state.blkIndent, False).strip(" \t\n\r\f\v")
    return True


def with_tabs_expanded(rule: BlockRule) -> BlockRule:
    """``rule`` for code blocks; inside a list, tabs that indent a line are spaces, as in the main chat."""

    def expanded(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
        if not rule(state, start_line, end_line, silent):
            return False
        if silent:
            return True
        token = state.tokens[-1]
        if state.blkIndent > 0 and "\t" in token.content and token.map:
            first = token.map[0] + (token.type == "fence")
            indent = state.sCount[start_line] if token.type == "fence" else state.blkIndent + 4
            count = token.content.count("\n")
            token.content = "".join(_line(state, line, indent) + "\n" for line in range(first, first + count))
        return True

    return expanded


def _line(state: StateBlock, line: int, indent: int) -> str:
    text = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
    return " " * max(0, state.sCount[line] - indent) + text if text else ""
