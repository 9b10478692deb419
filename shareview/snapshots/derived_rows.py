"""What is derived of a snapshot, in the database: put in place of what was, all of it at once."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

from shareview.quotes.resolving import QuoteState
from shareview.snapshots.derivation import DerivedMessage
from shareview.snapshots.derived import rendered_row
from shareview.snapshots.models import RenderedMessage, SearchedPiece, ShownQuote, ShownThread, Snapshot
from shareview.snapshots.quoting import QuoteDerivation
from shareview.snapshots.search_rows import searched_pieces
from shareview.snapshots.shown_versions import note_change

Row = TypeVar("Row")
BATCH: Final = 200
"""Rows that are written or read at a time."""


@dataclass(frozen=True)
class Derived:
    """Messages as they are shown, all of them watched by ``quotes``."""

    messages: Iterable[DerivedMessage]
    quotes: QuoteDerivation


def replace_derived(snapshot: Snapshot, derived: Derived) -> None:
    """Stores ``derived``; what was derived of ``snapshot`` before goes. To be called in a transaction."""
    note_change(snapshot)
    snapshot.rendered.all().delete()
    snapshot.quotes.all().delete()
    snapshot.threads.all().delete()
    snapshot.searched.all().delete()
    for messages in batches(derived.messages):
        RenderedMessage.objects.bulk_create(rendered_row(snapshot, message) for message in messages)
        SearchedPiece.objects.bulk_create(piece for message in messages for piece in searched_pieces(snapshot, message))
    for quotes in batches(derived.quotes.quotes(snapshot)):
        ShownQuote.objects.bulk_create(quotes)
    for threads in batches(derived.quotes.threads(snapshot)):
        ShownThread.objects.bulk_create(threads)


def batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """``rows`` in lists of at most ``BATCH``."""
    remaining = iter(rows)
    while batch := list(islice(remaining, BATCH)):
        yield batch


def lost_quotes(snapshot: Snapshot) -> list[str]:
    """A sentence for each quote whose words were not found in the message that it names."""
    lost = snapshot.quotes.filter(state=QuoteState.NOT_FOUND).exclude(source="")
    return [f"the words that message {one.message_id} quotes do not stand in message {one.source}" for one in lost]
