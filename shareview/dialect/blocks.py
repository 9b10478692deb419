"""The running text of a Markdown source, block by block, with where each piece stands in the source."""

from collections.abc import Iterator

from shareview.dialect.parser import block_tokens
from shareview.dialect.source_lines import BlockKind, SourceLines, TextBlock


def text_blocks(source: str, *, with_heads: bool = False) -> Iterator[TextBlock]:
    """Each paragraph, list item and row of a table's body of ``source``, in order.

    Code and raw HTML are none; headings and heads of tables are only ``with_heads``. Raises DialectError.
    """
    lines = SourceLines(source)
    lists = 0
    in_body = False
    held = ("paragraph_open", "heading_open") if with_heads else ("paragraph_open",)
    tokens = block_tokens(source)
    for at, token in enumerate(tokens):
        lists += (token.type == "list_item_open") - (token.type == "list_item_close")
        if token.type in ("tbody_open", "tbody_close"):
            in_body = token.type == "tbody_open"
        elif token.type == "tr_open" and (in_body or with_heads) and token.map:
            yield TextBlock.of_row(lines, token.map[0])
        elif token.type == "inline" and token.map and tokens[at - 1].type in held:
            kind = BlockKind.LIST_ITEM if lists else BlockKind.PARAGRAPH
            yield TextBlock.of_lines(lines, kind, token.content, *token.map)
