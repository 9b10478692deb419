"""A share's conversation, as the page shows it in a state."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Final

from shareview.chat.sessions import ThreadState
from shareview.chat.turns import MessagePart
from shareview.chat.versions import newest_version
from shareview.pages.access import NoSuchPlaceError
from shareview.pages.addresses import PageAddresses
from shareview.pages.claims import AnswerClaims
from shareview.pages.identifiers import fragment, html_id
from shareview.pages.languages import lang_attribute
from shareview.pages.round_places import RoundPlace, parts_of, round_places
from shareview.pages.round_views import MessageView, RoundView, StepsView
from shareview.pages.rounds import RoundReader
from shareview.pages.sources import SourcesView, sources_view
from shareview.pages.states import PageState
from shareview.pages.stored_rounds import (
    claims_of_answer,
    earlier_steps,
    messages_of,
    rows_at,
    step_groups,
    stored_successors,
)
from shareview.pages.threads import ThreadTree, shown_thread, thread_tree
from shareview.shares.models import Share
from shareview.snapshots.artifacts import newest_artifacts
from shareview.snapshots.derived import shown_citations
from shareview.snapshots.models import RenderedMessage, Snapshot

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
    """A part that is not shown: its rounds ``first`` to ``last``, both 0 where all of them were inherited."""

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
    tree: ThreadTree | None
    is_archived: bool
    is_unasked: bool
    is_lost: bool


def conversation(share: Share, state: PageState, addresses: PageAddresses) -> ConversationView:
    """What ``state`` shows. Raises NoSuchPlaceError where its thread is not in the share."""
    snapshot, thread = share.snapshot, shown_thread(share, state.thread)
    parts = parts_of(round_places(snapshot, thread))
    usual = _first_own_part(parts)
    part = 0 if state.everything else _wanted_part(snapshot, parts, state, usual)
    places = [place for group in parts for place in group] if state.everything else parts[part]
    rounds = RoundReader(snapshot, state, addresses).rounds(places, thread)
    part_entries = [] if state.everything else _part_entries(parts, state, addresses, usual)
    first, last = part == 0, state.everything or part == len(parts) - 1
    turns = [place.turn for place in places if not place.inherited]
    return ConversationView(
        rounds=rounds,
        part=part + 1,
        parts=1 if state.everything else len(parts),
        round_count=sum(1 for group in parts for place in group if place.turn),
        earlier=_parts_view(part_entries[:part]),
        entries=_entries(snapshot, thread, turns, state, addresses),
        later=_parts_view(part_entries[part + 1 :]),
        is_wide=_is_wide(rounds),
        previous=None if first else _in_part(state, part - 1, usual),
        next=None if last else _in_part(state, part + 1, usual),
        tree=thread_tree(snapshot, thread, state, addresses),
        is_archived=snapshot.threads.filter(thread=thread, state=ThreadState.ARCHIVED).exists(),
        is_unasked=not any(not place.inherited for group in parts for place in group),
        is_lost=bool(state.passage) and not snapshot.rendered.filter(message_id=state.at).exists(),
    )


def first_views(share: Share) -> Iterator[PageState]:
    """The states in which each part of each thread is seen first, that of the share itself before all others."""
    snapshot, opening = share.snapshot, shown_thread(share, "")
    for thread in (opening, *_other_threads(snapshot, opening)):
        parts = parts_of(round_places(snapshot, thread))
        usual = _first_own_part(parts)
        state = PageState(thread="" if thread == opening else thread)
        yield state
        yield from (_in_part(state, part, usual) for part in range(len(parts)) if part != usual)


def _other_threads(snapshot: Snapshot, opening: str) -> list[str]:
    threads = snapshot.threads.exclude(thread=opening).exclude(state=ThreadState.DELETED)
    return list(threads.values_list("thread", flat=True))


def _in_part(state: PageState, part: int, usual: int) -> PageState:
    number = 0 if part == usual else part + 1
    return PageState(state.thread, state.language, state.theme, opened=state.opened, folded=state.folded, part=number)


def _first_own_part(parts: Sequence[Sequence[RoundPlace]]) -> int:
    """The part that is shown where none is asked for: a branch opens where its own rounds begin."""
    own = (at for at, places in enumerate(parts) if any(not place.inherited for place in places))
    return next(own, len(parts) - 1)


def _wanted_part(snapshot: Snapshot, parts: Sequence[Sequence[RoundPlace]], state: PageState, usual: int) -> int:
    """The part, from 0, that holds what the address leads to."""
    wanted = _led_to(snapshot, state)
    row = snapshot.rendered.filter(message_id=wanted).first() if wanted else None
    if row is None:
        return min(state.part, len(parts)) - 1 if state.part and not wanted else usual
    newest = newest_version(row.message_id, stored_successors(snapshot))
    row = row if newest == row.message_id else snapshot.rendered.filter(message_id=newest).first() or row
    for at, places in enumerate(parts):
        if any(_holds(place, row) for place in places):
            return at
    return usual


def _holds(place: RoundPlace, row: RenderedMessage) -> bool:
    if place.inherited:
        return row.position in dict(place.parts)
    return (place.thread, place.turn) == (row.thread, row.turn)


def _led_to(snapshot: Snapshot, state: PageState) -> str:
    """The message that ``state`` leads to."""
    followed = state.cited or state.claim
    if state.quote:
        quote = snapshot.quotes.filter(message_id=state.quote.message, number=state.quote.number).first()
        return quote.source if quote else ""
    return state.at or state.versions or (followed.message if followed else "")


def arrival(snapshot: Snapshot, state: PageState) -> str:
    """The id of the element that a followed quote leads to; empty where none was followed."""
    source = _led_to(snapshot, state) if state.quote else ""
    return html_id(source) if source else ""


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


def _part_entries(
    parts: Sequence[Sequence[RoundPlace]], state: PageState, addresses: PageAddresses, usual: int
) -> list[PartEntry]:
    entries = []
    for at, places in enumerate(parts):
        turns = [place.turn for place in places if not place.inherited]
        first, last = (max(turns[0], 1), turns[-1]) if turns else (0, 0)
        entries.append(PartEntry(first, last, addresses.page(_in_part(state, at, usual))))
    return entries


def _parts_view(entries: Sequence[PartEntry]) -> PartsView | None:
    if not entries:
        return None
    first = next((entry.first for entry in entries if entry.first), 0)
    return PartsView(first, entries[-1].last, tuple(entries))


def _is_wide(rounds: Sequence[RoundView]) -> bool:
    """Whether most of the answers are in a script whose lines hold fewer and wider letters."""
    answers = [turn.answer for turn in rounds if turn.answer]
    return 2 * sum(answer.is_wide for answer in answers) > len(answers)


def _excerpt(html: str) -> str:
    """The first words that are read of a rendered message."""
    text = unescape(_TAG.sub(" ", html[:_EXCERPT_SOURCE].rsplit("<", 1)[0] if len(html) > _EXCERPT_SOURCE else html))
    return " ".join(text.split())[:_QUESTION_LENGTH]


def steps_of(share: Share, message: str, state: PageState, addresses: PageAddresses) -> StepsView:
    """The steps before ``message``. Raises NoSuchPlaceError."""
    snapshot = share.snapshot
    row = _shown(snapshot, message)
    reader = RoundReader(snapshot, state, addresses)
    for key, group in step_groups(_round_rows(share, row, state)) + earlier_steps(snapshot, row):
        if key == message:
            return reader.steps(key, group, messages_of(snapshot, group))
    raise NoSuchPlaceError


def _round_rows(share: Share, row: RenderedMessage, state: PageState) -> list[RenderedMessage]:
    """The messages of the round of ``row``, as they are in the line of the thread that is shown."""
    snapshot, thread = share.snapshot, shown_thread(share, state.thread)
    for place in round_places(snapshot, thread) if row.thread != thread else ():
        parts = dict(place.parts)
        if row.position in parts:
            return rows_at(snapshot, parts)
    return list(snapshot.rendered.filter(thread=row.thread, turn=row.turn).exclude(part=MessagePart.HISTORY))


def article_of(share: Share, message: str, state: PageState, addresses: PageAddresses) -> MessageView:
    """The answer ``message``, as it is in the line of the thread that is shown. Raises NoSuchPlaceError."""
    row = _shown(share.snapshot, message)
    if row.part != MessagePart.ANSWER:
        raise NoSuchPlaceError
    return RoundReader(share.snapshot, state, addresses).answer(row, shown_thread(share, state.thread))


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
    row = snapshot.rendered.filter(message_id=message).first()
    if row is None:
        raise NoSuchPlaceError
    return row
