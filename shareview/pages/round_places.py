"""The rounds of a thread's line in order, without their texts: what it inherited, then its own."""

from dataclasses import dataclass
from itertools import pairwise

from django.db.models import Count

from shareview.chat.turns import MessagePart
from shareview.snapshots.models import Snapshot
from shareview.snapshots.thread_line import inherited_rounds

PART_MESSAGES = 100
"""Messages of a part of a long conversation, more or less: rounds are not torn apart."""


@dataclass(frozen=True)
class RoundPlace:
    """Round ``turn`` of ``thread``; an inherited one by the positions of its messages and what they were.

    ``messages`` counts them; ``is_first_of_branch`` where the round before it is another thread's.
    """

    thread: str
    turn: int
    messages: int
    inherited: bool = False
    parts: tuple[tuple[int, MessagePart], ...] = ()
    is_first_of_branch: bool = False


def round_places(snapshot: Snapshot, thread: str) -> list[RoundPlace]:
    """The rounds of the line that ends in ``thread``."""
    counts = (
        snapshot.rendered.filter(thread=thread)
        .exclude(part=MessagePart.HISTORY)
        .order_by("turn")
        .values_list("turn")
        .annotate(messages=Count("pk"))
    )
    places = [
        *(RoundPlace(one.thread, 0, len(one.parts), True, one.parts) for one in inherited_rounds(snapshot, thread)),
        *(RoundPlace(thread, turn, messages) for turn, messages in counts),
    ]
    firsts = [one.thread != other.thread for one, other in pairwise(places)]
    return [
        RoundPlace(one.thread, one.turn, one.messages, one.inherited, one.parts, first)
        for one, first in zip(places, [False, *firsts], strict=False)
    ]


def parts_of(places: list[RoundPlace]) -> list[list[RoundPlace]]:
    """The rounds of each part."""
    parts: list[list[RoundPlace]] = [[]]
    filled = 0
    for place in places:
        if filled and filled + place.messages > PART_MESSAGES:
            parts.append([])
            filled = 0
        parts[-1].append(place)
        filled += place.messages
    return parts
