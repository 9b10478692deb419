"""What is searched of a snapshot: the questions, answers and system messages that its pages show."""

from collections.abc import Iterator, Sequence

from django.db import connection

from shareview.chat.messages import Role
from shareview.chat.turns import MessagePart, is_answer
from shareview.quotes.visible_text import visible_words
from shareview.searching.index_terms import fts5_query, index_pieces, tsquery
from shareview.searching.queries import Phrase
from shareview.snapshots.derivation import DERIVATION_VERSION, DerivedMessage
from shareview.snapshots.models import SearchedPiece, Snapshot


def searched_pieces(snapshot: Snapshot, derived: DerivedMessage) -> Iterator[SearchedPiece]:
    """The unsaved rows of what is searched of ``derived``; none for a step, or where nothing is said."""
    outline = derived.outline
    is_spoken = outline.role in (Role.USER, Role.SYSTEM) or is_answer(outline)
    if not is_spoken or derived.part is MessagePart.STEP:
        return
    for piece in index_pieces(visible_words(derived.html), snapshot.pk):
        yield SearchedPiece(snapshot=snapshot, position=derived.position, words=piece)


def find_messages(snapshot: Snapshot, phrases: Sequence[Phrase]) -> list[int]:
    """The positions of the messages of ``snapshot`` that hold every one of ``phrases``, in order."""
    question = {"sqlite": fts5_query, "postgresql": tsquery}[connection.vendor]
    found: set[int] | None = None
    for phrase in phrases:
        pieces = SearchedPiece.objects.filter(words__matches=question(phrase, snapshot.pk))
        positions = set(pieces.values_list("position", flat=True))
        # A database that is asked for all of them at once may look at each message once for each.
        found = positions if found is None else found & positions
        if not found:
            return []
    return sorted(found or ())


def is_searchable(snapshot: Snapshot) -> bool:
    """Whether what is shown was indexed; not before ``rerender`` where an older version froze it."""
    return snapshot.searched.exists() or not snapshot.rendered.exclude(version=DERIVATION_VERSION).exists()
