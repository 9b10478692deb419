"""Searching a share: the messages that hold what was asked for, with the passages that lead to the place."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from shareview.chat.quotes import Selector
from shareview.chat.turns import MessagePart
from shareview.pages.addresses import PageAddresses
from shareview.pages.identifiers import fragment, html_id
from shareview.pages.languages import lang_attribute
from shareview.pages.states import LONGEST_PASSAGE, PageState
from shareview.pages.threads import shown_thread, thread_name
from shareview.quotes.visible_text import visible_words
from shareview.rendering.characters import shown_characters
from shareview.rendering.marks import marked_text
from shareview.searching.excerpts import Excerpt, excerpts, find_phrases
from shareview.searching.queries import LONGEST_QUERY, Phrase, read_query
from shareview.shares.models import Share
from shareview.snapshots.models import RenderedMessage
from shareview.snapshots.search_rows import find_messages, is_searchable

MESSAGES_A_PAGE: Final = 20
_MOST_PASSAGES: Final = 3
_AROUND: Final = 32
"""Code points before and behind a passage that its address names too."""


@dataclass(frozen=True)
class PassageView:
    """Words of a message with what was found in them marked; ``html`` is safe. They lead to their place."""

    html: str
    lang: str | None
    href: str


@dataclass(frozen=True)
class FoundView:
    """A message in which something was found; ``more`` counts the places beyond those of its passages."""

    role: str
    number: int
    thread: str
    is_earlier: bool
    href: str
    passages: tuple[PassageView, ...]
    more: int


@dataclass(frozen=True)
class SearchView:
    """What was asked and what was found: messages ``first`` to ``last`` of ``count``.

    ``asks`` is false where there is no word in the question; ``is_searchable`` where the share was never indexed.
    """

    query: str
    asks: bool
    is_searchable: bool
    count: int
    first: int
    last: int
    found: tuple[FoundView, ...]
    previous_href: str
    next_href: str


def search_share(share: Share, query: str, state: PageState, addresses: PageAddresses, *, page: int) -> SearchView:
    """What ``query`` finds in all threads that ``share`` shows, twenty messages a page; ``page`` counts from 1."""
    asked = shown_characters(query)[:LONGEST_QUERY]
    phrases = read_query(asked)
    positions = find_messages(share.snapshot, phrases)
    count = len(positions)
    last_page = max(1, -(-count // MESSAGES_A_PAGE))
    page = min(max(page, 1), last_page)
    start = (page - 1) * MESSAGES_A_PAGE
    rows = share.snapshot.rendered.filter(position__in=positions[start : start + MESSAGES_A_PAGE])
    found = tuple(_Finder(share, state, addresses, phrases).views(rows))
    return SearchView(
        query=asked,
        asks=bool(phrases),
        is_searchable=is_searchable(share.snapshot),
        count=count,
        first=start + 1,
        last=start + len(found),
        found=found,
        previous_href=addresses.search(state, asked, page - 1) if page > 1 else "",
        next_href=addresses.search(state, asked, page + 1) if page < last_page else "",
    )


class _Finder:
    """Makes what is shown of messages in which ``phrases`` were found."""

    def __init__(self, share: Share, state: PageState, addresses: PageAddresses, phrases: tuple[Phrase, ...]) -> None:
        self._state = state
        self._addresses = addresses
        self._phrases = phrases
        self._opening = shown_thread(share, "")
        threads = list(share.snapshot.threads.all())
        self._names = {row.thread: thread_name(row) for row in threads} if len(threads) > 1 else {}

    def views(self, rows: Iterable[RenderedMessage]) -> Iterator[FoundView]:
        """Each of ``rows`` as it is listed."""
        for row in rows:
            text = visible_words(row.html)
            hits = find_phrases(text, self._phrases)
            shown = excerpts(text, hits, _MOST_PASSAGES)
            yield FoundView(
                role=row.outline["role"].lower(),
                number=row.turn,
                thread=self._names.get(row.thread, ""),
                is_earlier=row.part == MessagePart.HISTORY,
                href=self._href(row, None),
                passages=tuple(self._passage(row, text, excerpt) for excerpt in shown),
                more=len(hits) - sum(len(excerpt.hits) for excerpt in shown),
            )

    def _passage(self, row: RenderedMessage, text: str, excerpt: Excerpt) -> PassageView:
        words = text[excerpt.start : excerpt.end]
        marked = [(start - excerpt.start, end - excerpt.start) for start, end in excerpt.hits]
        start, end = excerpt.hits[0]
        place = Selector(
            text[start : min(end, start + LONGEST_PASSAGE)],
            text[max(0, start - _AROUND) : start],
            text[end : end + _AROUND],
            start,
        )
        before, behind = "… " if excerpt.start else "", " …" if excerpt.end < len(text) else ""
        html = f"{before}{marked_text(words, marked)}{behind}"
        return PassageView(html, lang_attribute(words), self._href(row, place))

    def _href(self, row: RenderedMessage, passage: Selector | None) -> str:
        thread = "" if row.thread == self._opening else row.thread
        there = PageState(thread, self._state.language, self._state.theme, passage=passage, at=row.message_id)
        return self._addresses.page(there) + fragment(html_id(row.message_id))
