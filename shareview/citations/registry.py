"""A turn's registry: the URLs that its web tools retrieved, in order (answer-citations §5.2)."""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NoReturn

REGISTRY_LIMIT: Final = 20
SEARCH: Final = "web_search"
OPEN_PAGE: Final = "open_web_page"
COUNTED_TOOLS: Final = frozenset({SEARCH, OPEN_PAGE})

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """One page as a tool returned it; ``text`` is what the tool said it reads."""

    url: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """A registry entry; ``texts`` are all that the turn retrieved for this URL, in order."""

    n: int
    url: str
    title: str
    texts: tuple[str, ...]


@dataclass
class Registry:
    """Grows with the tool results of one turn; numbers URLs from 1, each once, at most ``REGISTRY_LIMIT``."""

    has_results: bool = False
    _pages: dict[str, Retrieved] = field(default_factory=dict)
    _texts: dict[str, list[str]] = field(default_factory=dict)

    def add_result(self, tool: str, content: str, *, is_left_out: bool = False) -> None:
        """Takes in the result of a call of ``tool``; what is no success of a counted tool adds nothing.

        Of one that was left out, an entry without an address takes its number, and nothing can cite it.
        """
        self.has_results = True
        if tool not in COUNTED_TOOLS:
            return
        for page in self._left_out(content) if is_left_out else retrieved_pages(tool, content):
            if page.url not in self._pages and len(self._pages) >= REGISTRY_LIMIT:
                logger.info("more than %d sources in one turn: the rest is not numbered", REGISTRY_LIMIT)
                continue
            # The chat numbers a repeated URL once: the first wins, its title too (answer-citations §5.2).
            self._pages.setdefault(page.url, page)
            self._texts.setdefault(page.url, []).append(page.text)

    def _left_out(self, content: str) -> Iterator[Retrieved]:
        for at, entry in enumerate(json.loads(content)["results"], len(self._pages)):
            # No address begins with a space: it stands for one that is not told.
            yield Retrieved(entry.get("url") or f" {at}", _text(entry.get("title")), "")

    def sources(self) -> tuple[Source, ...]:
        """The entries so far."""
        return tuple(
            Source(n, page.url, page.title, tuple(text for text in self._texts[page.url] if text))
            for n, page in enumerate(self._pages.values(), 1)
        )


def retrieved_pages(tool: str, content: str) -> Iterator[Retrieved]:
    """The pages in the result of ``web_search`` or ``open_web_page``, success judged by its shape alone.

    Nothing for errors, for text that is no JSON and for other shapes.
    """
    try:
        result = json.loads(content, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return
    if not isinstance(result, dict):
        return
    if tool == SEARCH:
        found = result.get("results")
        entries = found if isinstance(found, list) else []
    else:
        entries = [result] if isinstance(result.get("content"), str) else []
    for entry in entries:
        if isinstance(entry, dict) and isinstance(entry.get("url"), str) and entry["url"]:
            yield Retrieved(_text(entry["url"]), _text(entry.get("title")), _text(entry.get("content")))


def _refuse(constant: str) -> NoReturn:
    # The main chat's JSON.parse knows no NaN: what holds one is no JSON there, and no source.
    raise ValueError(constant)


def _text(value: object) -> str:
    if not isinstance(value, str):
        return ""
    # Half of a surrogate pair, cut off in the middle of an emoji, cannot be written in UTF-8.
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
