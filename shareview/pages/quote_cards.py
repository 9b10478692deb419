"""Quotes above questions, and the signs where branches were opened, as the page shows them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from shareview.chat.sessions import ThreadState
from shareview.pages.addresses import PageAddresses
from shareview.pages.identifiers import fragment, html_id
from shareview.pages.states import PageState, QuotePlace
from shareview.pages.threads import thread_name
from shareview.quotes.finding import find_passage
from shareview.quotes.marking import Marking, mark_passages
from shareview.quotes.resolving import QuoteState
from shareview.quotes.visible_text import visible_text
from shareview.snapshots.models import ShownQuote, ShownThread

FORK_ID: Final = "fork"
"""The id of the line between what a branch inherited and its own rounds."""
_BRANCHED: Final = ('<span class="branched">', "</span>")
_SIGN: Final = (
    '<svg class="i" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><circle cx="4" cy="3.5" r="1.7"></circle>'
    '<circle cx="12" cy="12.5" r="1.7"></circle><path d="M4 5.2v4.3a3 3 0 0 0 3 3h3.3"></path></svg>'
)


@dataclass(frozen=True)
class QuoteCardView:
    """A quote above a question: its words, where they are from, and a way there or the reason why there is none."""

    text: str
    title: str
    state: str
    words: str
    note: str
    href: str
    fragment_address: str
    newest_href: str
    newest_fragment: str


def quote_card(row: ShownQuote, state: PageState, addresses: PageAddresses) -> QuoteCardView:
    """The card of a stored quote."""
    words, note = _words(QuoteState(row.state), is_shown=bool(row.source))
    there = state.following(row.thread, QuotePlace(row.message_id, row.number))
    newest = state.in_thread(row.thread, at=row.newest)
    has_newer = bool(row.source) and row.newest != row.source
    return QuoteCardView(
        text=row.text,
        title=row.title,
        state=row.state,
        words=words,
        note=note,
        href=addresses.page(there) + fragment(html_id(row.source)) if row.source else "",
        fragment_address=addresses.thread(there) if row.source else "",
        newest_href=addresses.page(newest) + fragment(html_id(row.newest)) if has_newer else "",
        newest_fragment=addresses.thread(newest) if has_newer else "",
    )


def _words(state: QuoteState, *, is_shown: bool) -> tuple[str, str]:
    """What is said of a state, and what is added to it."""
    kept = _("Only the words as they were are kept.")
    said: dict[QuoteState, tuple[str, str]] = {
        QuoteState.CURRENT: (_("See the original"), ""),
        QuoteState.HISTORICAL: (_("See the earlier version"), _("This message was replaced later.")),
        QuoteState.ARCHIVED: (_("See the original, archived"), ""),
        QuoteState.ABSENT: (_("Not in this share"), kept),
        QuoteState.DELETED: (_("Source deleted"), kept),
        QuoteState.NOT_FOUND: (
            (_("Open the message"), _("These words do not stand in it.")) if is_shown else (_("Source not found"), kept)
        ),
    }
    return said[state]


@dataclass(frozen=True)
class ArrivalView:
    """What is said above a message that a quote, or a reader's own link, leads to."""

    found: bool
    words: str
    back_href: str
    back_fragment: str


def arrival_view(
    followed: ShownQuote | None, thread: str, *, found: bool, state: PageState, addresses: PageAddresses
) -> ArrivalView:
    """What is said of a followed quote asked in ``thread``; without one, of a passage that a reader's link names.

    The words of an address are not repeated: anybody could put any words into one.
    """
    if followed is None:
        return ArrivalView(found, "", "", "")
    back = state.in_thread(thread, at=followed.message_id)
    place = fragment(html_id(followed.message_id))
    return ArrivalView(found, followed.text, addresses.page(back) + place, addresses.thread(back))


def branch_markings(rows: Iterable[ShownThread], state: PageState, addresses: PageAddresses) -> list[Marking]:
    """A sign behind each passage of a message that one of the branches ``rows`` came from."""
    markings = []
    for row in rows:
        if row.passage_start is None or row.passage_end is None or row.state == ThreadState.DELETED:
            continue
        there = state.in_thread(row.thread)
        count = ngettext("%(count)s message", "%(count)s messages", row.message_count) % {"count": row.message_count}
        label = _("Branch from here: %(title)s, %(count)s") % {"title": thread_name(row), "count": count}
        sign = (
            f'<a class="branch-sign" href="{escape(addresses.page(there) + fragment(FORK_ID))}"'
            f' data-thread="{escape(addresses.thread(there))}" aria-label="{escape(label)}"'
            f' data-count="{row.message_count}" data-title="{escape(thread_name(row))}">{_SIGN}</a>'
        )
        markings.append(Marking(row.passage_start, row.passage_end, _BRANCHED, sign))
    return markings


def passage_markings(html: str, state: PageState, quotes: Sequence[ShownQuote], *, is_asked: bool) -> list[Marking]:
    """The passages of a message that ``quotes`` lead to, and the one that the address names where it ``is_asked``."""
    markings = [
        Marking(row.passage_start, row.passage_end)
        for row in quotes
        if row.passage_start is not None and row.passage_end is not None
    ]
    if is_asked and state.passage:
        found = find_passage(visible_text(html).text, state.passage)
        markings += [Marking(found.start, found.end)] if found else []
    return markings


def marked(html: str, markings: Sequence[Marking]) -> str:
    """``html`` of a stored message with ``markings`` made in it."""
    return mark_passages(html, visible_text(html), markings) if markings else html
