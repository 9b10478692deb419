"""A share's conversation, as the page shows it in a state."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape
from typing import Final

from django.db.models import Count

from shareview.chat.turns import MessagePart
from shareview.exports.spool import RecordKind
from shareview.pages.access import NoSuchPlaceError
from shareview.pages.addresses import PageAddresses
from shareview.pages.claims import AnswerClaims
from shareview.pages.identifiers import fragment, html_id
from shareview.pages.languages import lang_attribute
from shareview.pages.rounds import (
    MessageView,
    RoundReader,
    RoundView,
    StepsView,
    claims_of_answer,
    messages_of,
    step_groups,
)
from shareview.pages.sources import SourcesView, sources_view
from shareview.pages.states import PageState
from shareview.snapshots.artifacts import newest_artifacts
from shareview.snapshots.derived import shown_citations
from shareview.snapshots.models import RenderedMessage, Snapshot

PART_MESSAGES: Final = 100
"""Messages of a part of a long conversation, more or less: rounds are not torn apart."""

_QUESTION_LENGTH: Final = 120
_EXCERPT_SOURCE: Final = 4_000
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class RoundEntry:
    """A line of the table of rounds."""

    number: int
    title: str
    lang: str | None
    href: str


@dataclass(frozen=True)
class PartEntry:
    """A part that is not shown: its rounds ``first`` to ``last``."""

    first: int
    last: int
    href: str


@dataclass(frozen=True)
class PartsView:
    """The parts before those rounds that are shown, or after: rounds ``first`` to ``last`` in all."""

    first: int
    last: int
    entries: tuple[PartEntry, ...]


@dataclass(frozen=True)
class ConversationView:
    """The part of a conversation that a state shows, and where the parts beside it are."""

    rounds: tuple[RoundView, ...]
    part: int
    parts: int
    round_count: int
    earlier: PartsView | None
    entries: tuple[RoundEntry, ...]
    later: PartsView | None
    is_wide: bool
    previous: PageState | None
    next: PageState | None


def conversation(snapshot: Snapshot, state: PageState, addresses: PageAddresses) -> ConversationView:
    """What ``state`` shows. Raises NoSuchPlaceError where its thread is not in the share."""
    thread = shown_thread(snapshot, state.thread)
    parts = _parts(snapshot, thread)
    part = 0 if state.everything else _wanted_part(snapshot, parts, state)
    turns = [turn for group in parts for turn in group] if state.everything else parts[part]
    reader = RoundReader(snapshot, state, addresses)
    rounds = reader.rounds(thread, turns)
    part_entries = [] if state.everything else _part_entries(parts, state, addresses)
    first, last = part == 0, state.everything or part == len(parts) - 1
    return ConversationView(
        rounds=rounds,
        part=part + 1,
        parts=1 if state.everything else len(parts),
        round_count=sum(1 for group in parts for turn in group if turn),
        earlier=_parts_view(part_entries[:part]),
        entries=_entries(snapshot, thread, turns, state, addresses),
        later=_parts_view(part_entries[part + 1 :]),
        is_wide=_is_wide(rounds),
        previous=None if first else _in_part(state, part),
        next=None if last else _in_part(state, part + 2),
    )


def _in_part(state: PageState, part: int) -> PageState:
    return PageState(state.thread, state.language, state.theme, opened=state.opened, folded=state.folded, part=part)


def shown_thread(snapshot: Snapshot, asked: str) -> str:
    """The thread to show: the one asked for, else the first without a parent. Raises NoSuchPlaceError."""
    threads = snapshot.rendered.order_by("position").values_list("thread", flat=True)
    if asked:
        if not snapshot.rendered.filter(thread=asked).exists():
            raise NoSuchPlaceError
        return asked
    for line in snapshot.records.filter(kind=RecordKind.THREAD).values_list("line", flat=True):
        record = json.loads(line)
        id = str(record["id"])
        if (
            record.get("parent") is None
            and record.get("state") != "deleted"
            and snapshot.rendered.filter(thread=id).exists()
        ):
            return id
    return str(threads[0])


def _parts(snapshot: Snapshot, thread: str) -> list[list[int]]:
    """The turns of each part."""
    counts = (
        snapshot.rendered.filter(thread=thread)
        .exclude(part=MessagePart.HISTORY)
        .order_by("turn")
        .values_list("turn")
        .annotate(messages=Count("pk"))
    )
    parts: list[list[int]] = [[]]
    filled = 0
    for turn, messages in counts:
        if filled and filled + messages > PART_MESSAGES:
            parts.append([])
            filled = 0
        parts[-1].append(turn)
        filled += messages
    return parts


def _wanted_part(snapshot: Snapshot, parts: Sequence[Sequence[int]], state: PageState) -> int:
    """The part, from 0, that holds what the address leads to."""
    followed = state.cited or state.claim
    wanted = state.at or (followed.message if followed else "")
    if wanted:
        turn = snapshot.rendered.filter(message_id=wanted).values_list("turn", flat=True).first()
        return next((at for at, turns in enumerate(parts) if turn in turns), 0)
    return min(max(state.part, 1), len(parts)) - 1


def _entries(
    snapshot: Snapshot, thread: str, turns: Sequence[int], state: PageState, addresses: PageAddresses
) -> tuple[RoundEntry, ...]:
    if not turns:
        return ()
    questions = snapshot.rendered.filter(
        thread=thread, part=MessagePart.QUESTION, turn__range=(turns[0], turns[-1])
    ).order_by("position")
    return tuple(
        RoundEntry(
            number=turn,
            title=_excerpt(html) or "…",
            lang=lang_attribute(_excerpt(html)),
            href=addresses.page(state.at_message(id)) + fragment(html_id(id)),
        )
        for turn, id, html in questions.values_list("turn", "message_id", "html")
    )


def _part_entries(parts: Sequence[Sequence[int]], state: PageState, addresses: PageAddresses) -> list[PartEntry]:
    return [
        PartEntry(max(turns[0], 1), turns[-1], addresses.page(_in_part(state, number)))
        for number, turns in enumerate(parts, 1)
        if turns
    ]


def _parts_view(entries: Sequence[PartEntry]) -> PartsView | None:
    return PartsView(entries[0].first, entries[-1].last, tuple(entries)) if entries else None


def _is_wide(rounds: Sequence[RoundView]) -> bool:
    """Whether most of the answers are in a script whose lines hold fewer and wider letters."""
    answers = [turn.answer for turn in rounds if turn.answer]
    return 2 * sum(answer.is_wide for answer in answers) > len(answers)


def _excerpt(html: str) -> str:
    """The first words that are read of a rendered message."""
    text = unescape(_TAG.sub(" ", html[:_EXCERPT_SOURCE].rsplit("<", 1)[0] if len(html) > _EXCERPT_SOURCE else html))
    return " ".join(text.split())[:_QUESTION_LENGTH]


def steps_of(snapshot: Snapshot, message: str, state: PageState, addresses: PageAddresses) -> StepsView:
    """The steps before ``message``. Raises NoSuchPlaceError."""
    row = _shown(snapshot, message)
    rows = list(snapshot.rendered.filter(thread=row.thread, turn=row.turn).exclude(part=MessagePart.HISTORY))
    for key, group in step_groups(rows):
        if key == message:
            return RoundReader(snapshot, state, addresses).steps(key, group, messages_of(snapshot, group))
    raise NoSuchPlaceError


def article_of(snapshot: Snapshot, message: str, state: PageState, addresses: PageAddresses) -> MessageView:
    """The answer ``message``. Raises NoSuchPlaceError."""
    row = _shown(snapshot, message)
    if row.part != MessagePart.ANSWER:
        raise NoSuchPlaceError
    return RoundReader(snapshot, state, addresses).answer(row)


def sources_of(snapshot: Snapshot, message: str, state: PageState, addresses: PageAddresses) -> SourcesView:
    """The source panel of ``message``. Raises NoSuchPlaceError."""
    row = _shown(snapshot, message)
    citations = shown_citations(row)
    answer = claims_of_answer(snapshot, row)
    if not citations or (answer and answer.is_complete):
        raise NoSuchPlaceError
    return sources_view(message, citations, state, addresses, verified=row.citations_verified)


def answer_claims(snapshot: Snapshot, message: str) -> AnswerClaims:
    """The claims of ``message``. Raises NoSuchPlaceError where it has no artifact."""
    answer = claims_of_answer(snapshot, _shown(snapshot, message))
    if answer is None:
        raise NoSuchPlaceError
    return answer


def all_claims(snapshot: Snapshot) -> list[AnswerClaims]:
    """The claims of every answer that has an artifact, in the order of the answers."""
    rows = snapshot.rendered.filter(part=MessagePart.ANSWER, message_id__in=list(newest_artifacts(snapshot)))
    found = (claims_of_answer(snapshot, row) for row in rows)
    return [answer for answer in found if answer]


def _shown(snapshot: Snapshot, message: str) -> RenderedMessage:
    row = snapshot.rendered.filter(message_id=message).exclude(part=MessagePart.HISTORY).first()
    if row is None:
        raise NoSuchPlaceError
    return row
