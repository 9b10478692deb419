"""Ids of elements, from ids of messages."""

from urllib.parse import quote

_SAFE = "_.-"


def escaped_id(message: str) -> str:
    """A message's id with characters outside ``[A-Za-z0-9_.-]`` percent-escaped."""
    return quote(message, safe=_SAFE).replace("~", "%7E")


def html_id(message: str) -> str:
    """The id of a message's element."""
    return f"m-{escaped_id(message)}"


def source_id(message: str, k: int) -> str:
    """The id of entry ``k`` in a message's source panel."""
    return f"src-{escaped_id(message)}-{k}"


def sources_id(message: str) -> str:
    """The id of a message's source panel."""
    return f"sources-{escaped_id(message)}"


def superscript_id(message: str, k: int, occurrence: int) -> str:
    """The id of the ``occurrence``-th superscript (from 1) of source ``k``."""
    return f"ref-{escaped_id(message)}-{k}-{occurrence}"


def card_id(message: str) -> str:
    """The id of the card of a message's claim."""
    return f"card-{escaped_id(message)}"


def claim_id(message: str, span: str, k: int) -> str:
    """The id of the superscript of block ``k`` at a claim."""
    return f"ref-{escaped_id(message)}-{escaped_id(span)}-{k}"


def evidence_id(message: str, block: str) -> str:
    """The id of an evidence block, in a panel and in its document."""
    return f"block-{escaped_id(message)}-{escaped_id(block)}"


def steps_id(message: str) -> str:
    """The id of the steps before a message."""
    return f"steps-{escaped_id(message)}"


def fragment(element: str) -> str:
    """``#…`` that leads to an element; its id may hold percent signs."""
    return "#" + element.replace("%", "%25")
