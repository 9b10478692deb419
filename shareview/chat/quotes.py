"""Quotes: words of another message that a question points to."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Selector:
    """A passage of a message's visible text (W3C Web Annotation: TextQuote and TextPosition selectors).

    ``start`` and ``end`` are code points, and may be missing.
    """

    exact: str
    prefix: str = ""
    suffix: str = ""
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class QuoteSource:
    """Where quoted words came from; ``title`` is the thread's at that time, for display only."""

    thread: str
    message: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words quoted in a question; ``source`` is None where it lies outside the share."""

    text: str
    source: QuoteSource | None
    selector: Selector | None
