"""Task list items: ``- [ ]`` and ``- [x]``, found in the item's first paragraph, as ``marked`` finds them."""

import re

from markdown_it.rules_core import StateCore

_TASK = re.compile(r"\[([ xX])\][ \t]+(?=\S)")


def mark_tasks(state: StateCore) -> None:
    """Core rule: takes the box off the text and notes it in the paragraph's ``meta["checked"]``."""
    tokens = state.tokens
    for item, paragraph, inline in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if item.type != "list_item_open" or paragraph.type != "paragraph_open":
            continue
        box = _TASK.match(inline.content)
        if box:
            paragraph.meta = {"checked": box[1] != " "}
            inline.content = inline.content[box.end() :]
