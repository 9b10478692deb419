"""Evidence of a turn whose export brings none: what its web tools returned, as blocks with stable ids."""

from collections.abc import Iterator, Sequence
from typing import Final

from shareview.chat.artifacts import EvidenceBlock
from shareview.citations.registry import Source
from shareview.citations.web_addresses import is_showable

BLOCK_LENGTH: Final = 1_500
"""Code points of a block at most."""


def evidence_blocks(sources: Sequence[Source]) -> tuple[EvidenceBlock, ...]:
    """The texts of ``sources`` as evidence, split at paragraphs where they are longer than ``BLOCK_LENGTH``.

    Ids are ``source_N_P``: the source's registry number, and the place of the piece among that source's, from 1;
    the same results give the same ids. A block's text stands letter by letter in a result. The same text twice is
    one block; a source that may not be shown gives none.
    """
    return tuple(block for source in sources if is_showable(source.url) for block in _blocks(source))


def _blocks(source: Source) -> Iterator[EvidenceBlock]:
    pieces = list(dict.fromkeys(piece for text in source.texts for piece in split_text(text)))
    for number, piece in enumerate(pieces, 1):
        yield EvidenceBlock(
            id=f"source_{source.n}_{number}",
            document=f"source_{source.n}",
            title=source.title,
            section=f"{number}/{len(pieces)}" if len(pieces) > 1 else "",
            url=source.url,
            version="",
            text=piece,
        )


def split_text(text: str) -> Iterator[str]:
    """``text`` in pieces of at most ``BLOCK_LENGTH``: whole paragraphs where they fit, else whole lines or words."""
    rest = text.strip()
    while len(rest) > BLOCK_LENGTH:
        end = _last_break(rest[: BLOCK_LENGTH + 1])
        if piece := rest[:end].rstrip():
            yield piece
        rest = rest[end:].lstrip()
    if rest:
        yield rest


def _last_break(text: str) -> int:
    for separator in ("\n\n", "\n", "。", ". ", " "):
        at = text.rfind(separator, 1)
        if at > 0:
            return min(at + len(separator.rstrip()), BLOCK_LENGTH)
    return BLOCK_LENGTH
