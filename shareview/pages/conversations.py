"""A share's conversation, as the page shows it in a state."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count
from django.utils.translation import gettext as _

from shareview.chat.artifacts import Artifact, ArtifactStatus
from shareview.chat.messages import Message, Status
from shareview.citations.markers import strip_markers
from shareview.exports.artifact_records import normalise_artifact, read_artifact, span_faults
from shareview.exports.limits import DEFAULT_LIMITS
from shareview.exports.spool import RecordKind, message_of
from shareview.pages.addresses import PageAddresses
from shareview.pages.attachments import AttachmentView, attachment_views
from shareview.pages.identifiers import fragment, html_id, source_id, steps_id, superscript_id
from shareview.pages.sources import SourcesView, sources_view
from shareview.pages.states import Cited, PageState
from shareview.pages.steps import StepSource, StepView, approval_text, step_views, steps_summary
from shareview.rendering.characters import shown_characters
from shareview.rendering.superscripts import SuperscriptLink, link_superscripts
from shareview.snapshots.derived import shown_citations
from shareview.snapshots.models import FrozenRecord, MessagePart, RenderedMessage, Snapshot

PART_MESSAGES: Final = 100
"""Messages of a part of a long conversation, more or less: rounds are not torn apart."""

_QUESTION_LENGTH: Final = 120


class NoSuchPlaceError(Exception):
    """The share holds nothing under what the address names."""


@dataclass(frozen=True)
class StepsView:
    """The steps before an answer; ``items`` is None while they are folded."""

    message: str
    html_id: str
    summary: str
    is_open: bool
    items: tuple[StepView, ...]
    toggle_href: str
    toggle_fragment: str


@dataclass(frozen=True)
class MessageView:
    """A question or an answer."""

    id: str
    html_id: str
    role: str
    model: str
    created_at: object
    body: str
    reasoning: str
    citations: str
    sources: SourcesView | None
    attachments: tuple[AttachmentView, ...]
    approval: str
    status: str


@dataclass(frozen=True)
class RoundView:
    """A question, what was done, and the answer; SYSTEM messages where they stood, before it or after."""

    number: int
    before: tuple[MessageView, ...]
    question: MessageView | None
    steps: tuple[StepsView, ...]
    answer: MessageView | None
    later_steps: tuple[StepsView, ...]
    after: tuple[MessageView, ...]


@dataclass(frozen=True)
class RoundEntry:
    """A line of the table of rounds."""

    number: int
    title: str
    href: str


@dataclass(frozen=True)
class ConversationView:
    """The part of a conversation that a state shows, and where the parts beside it are."""

    rounds: tuple[RoundView, ...]
    part: int
    parts: int
    entries: tuple[RoundEntry, ...]
    previous: PageState | None
    next: PageState | None


def conversation(snapshot: Snapshot, state: PageState, addresses: PageAddresses) -> ConversationView:
    """What ``state`` shows. Raises NoSuchPlaceError where its thread is not in the share."""
    thread = shown_thread(snapshot, state.thread)
    parts = _parts(snapshot, thread)
    part = 0 if state.everything else _wanted_part(snapshot, parts, state)
    turns = [turn for group in parts for turn in group] if state.everything else parts[part]
    reader = _Reader(snapshot, state, addresses)
    first, last = part == 0, state.everything or part == len(parts) - 1
    return ConversationView(
        rounds=reader.rounds(thread, turns),
        part=part + 1,
        parts=1 if state.everything else len(parts),
        entries=_entries(snapshot, thread, state, addresses),
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
    wanted = state.cited.message if state.cited else state.at
    if wanted:
        turn = snapshot.rendered.filter(message_id=wanted).values_list("turn", flat=True).first()
        return next((at for at, turns in enumerate(parts) if turn in turns), 0)
    return min(max(state.part, 1), len(parts)) - 1


def _entries(snapshot: Snapshot, thread: str, state: PageState, addresses: PageAddresses) -> tuple[RoundEntry, ...]:
    questions = snapshot.rendered.filter(thread=thread, part=MessagePart.QUESTION).order_by("position")
    lines = snapshot.records.filter(kind=RecordKind.MESSAGE, record_id__in=questions.values("message_id"))
    text = {id: json.loads(line).get("content") or "" for id, line in lines.values_list("record_id", "line")}
    return tuple(
        RoundEntry(turn, _excerpt(text.get(id, "")), addresses.page(_at(state, id)) + fragment(html_id(id)))
        for turn, id in questions.values_list("turn", "message_id")
    )


def _at(state: PageState, message: str) -> PageState:
    carried = state.carried()
    return PageState(carried.thread, carried.language, carried.theme, everything=state.everything, at=message)


def _excerpt(content: str) -> str:
    text = " ".join(strip_markers(shown_characters(content)).split())
    return text[:_QUESTION_LENGTH]


class _Reader:
    """Reads stored messages and puts them into rounds."""

    def __init__(self, snapshot: Snapshot, state: PageState, addresses: PageAddresses) -> None:
        self._snapshot = snapshot
        self._state = state
        self._addresses = addresses
        self._artifacts = _artifacts(snapshot)
        self._files = frozenset(snapshot.files.values_list("sha256", flat=True))

    def rounds(self, thread: str, turns: Sequence[int]) -> tuple[RoundView, ...]:
        rows = list(self._snapshot.rendered.filter(thread=thread, turn__in=turns).exclude(part=MessagePart.HISTORY))
        messages = _messages(self._snapshot, rows)
        by_turn: dict[int, list[RenderedMessage]] = {turn: [] for turn in turns}
        for row in rows:
            by_turn[row.turn].append(row)
        return tuple(self._round(turn, by_turn[turn], messages) for turn in turns)

    def _round(self, number: int, rows: Sequence[RenderedMessage], messages: dict[int, Message]) -> RoundView:
        question, answer = _row(rows, MessagePart.QUESTION), _row(rows, MessagePart.ANSWER)
        start, end = (row.position if row else 0 for row in (question, answer))
        system = {
            row.position: self.message(row, messages[row.position]) for row in rows if row.part == MessagePart.SYSTEM
        }
        return RoundView(
            number=number,
            before=tuple(view for position, view in system.items() if position < start or not question),
            question=self.message(question, messages[question.position]) if question else None,
            steps=tuple(
                self.steps(key, group, messages) for key, group in step_groups(rows) if not _follows(group, end)
            ),
            answer=self.message(answer, messages[answer.position]) if answer else None,
            later_steps=tuple(
                self.steps(key, group, messages) for key, group in step_groups(rows) if _follows(group, end)
            ),
            after=tuple(view for position, view in system.items() if question and position > start),
        )

    def steps(self, key: str, rows: Sequence[RenderedMessage], messages: dict[int, Message]) -> StepsView:
        """The steps that ``rows`` are, under the id of the message they led to."""
        steps = [
            StepSource(messages[row.position], row.html, row.reasoning_html, self._attachments(messages[row.position]))
            for row in rows
        ]
        is_open = self._state.is_open(key, "steps", by_itself=False)
        other = self._state.folding(key, "steps") if is_open else self._state.opening(key, "steps")
        return StepsView(
            message=key,
            html_id=steps_id(key),
            summary=steps_summary(steps),
            is_open=is_open,
            items=step_views(steps) if is_open else (),
            toggle_href=self._addresses.page(other) + fragment(steps_id(key)),
            toggle_fragment=self._addresses.steps(key, other),
        )

    def message(self, row: RenderedMessage, message: Message) -> MessageView:
        citations = shown_citations(row)
        titles = [citation.title for citation in citations]
        return MessageView(
            id=row.message_id,
            html_id=html_id(row.message_id),
            role=message.role.lower(),
            model=shown_characters(message.model),
            created_at=message.created_at,
            body=link_superscripts(
                row.html, lambda k, occurrence: self._superscript(row.message_id, k, occurrence, titles)
            ),
            reasoning=row.reasoning_html,
            citations=self._citation_state(row, message),
            sources=sources_view(
                row.message_id, citations, self._state, self._addresses, verified=row.citations_verified
            )
            if citations
            else None,
            attachments=self._attachments(message),
            approval=approval_text(message),
            status="" if message.status is Status.COMPLETED else message.status.value,
        )

    def _attachments(self, message: Message) -> tuple[AttachmentView, ...]:
        return attachment_views(message.attachments, self._files, self._addresses)

    def _superscript(self, message: str, k: int, occurrence: int, titles: Sequence[str]) -> SuperscriptLink:
        followed = self._state.citing(message, k)
        return SuperscriptLink(
            id=superscript_id(message, k, occurrence),
            href=self._addresses.page(followed) + fragment(source_id(message, k)),
            fragment_address=self._addresses.sources(message, followed),
            label=_("Source %(k)s: %(title)s") % {"k": k, "title": shown_characters(titles[k - 1])},
            is_current=self._state.cited == Cited(message, k) and occurrence == 1,
        )

    def _citation_state(self, row: RenderedMessage, message: Message) -> str:
        """``data-citations`` of a message (surface, "Markup of a page")."""
        artifact = self._artifacts.get(row.message_id)
        if artifact and artifact.status is not ArtifactStatus.COMPLETE:
            return artifact.status.value
        if artifact and span_faults(artifact, message.content, 0):
            return ArtifactStatus.PENDING.value
        return "complete" if row.citations and row.citations_verified else "none"


def step_groups(rows: Sequence[RenderedMessage]) -> list[tuple[str, list[RenderedMessage]]]:
    """The steps of a turn: those that led to its answer, under its id, and those that follow it, under the first's."""
    steps = [row for row in rows if row.part == MessagePart.STEP]
    answer = _row(rows, MessagePart.ANSWER)
    key = answer or _row(rows, MessagePart.QUESTION) or rows[0]
    later = [row for row in steps if answer and row.position > answer.position]
    groups = [(key.message_id, steps[: len(steps) - len(later)])] + [(row.message_id, later) for row in later[:1]]
    return [(id, group) for id, group in groups if group]


def _follows(group: Sequence[RenderedMessage], answer: int) -> bool:
    return 0 < answer < group[0].position


def _row(rows: Iterable[RenderedMessage], part: str) -> RenderedMessage | None:
    return next((row for row in rows if row.part == part), None)


def _messages(snapshot: Snapshot, rows: Sequence[RenderedMessage]) -> dict[int, Message]:
    if not rows:
        return {}
    wanted = {row.position for row in rows}
    records = FrozenRecord.objects.filter(snapshot=snapshot, position__range=(min(wanted), max(wanted)))
    lines = records.values_list("position", "line").iterator(chunk_size=500)
    return {position: message_of(json.loads(line)) for position, line in lines if position in wanted}


def _artifacts(snapshot: Snapshot) -> dict[str, Artifact]:
    """The newest artifact of each message."""
    lines = snapshot.artifacts.order_by("pk").values_list("message_id", "line")
    return {message: read_artifact(normalise_artifact(json.loads(line), 0, DEFAULT_LIMITS)) for message, line in lines}


def steps_of(snapshot: Snapshot, message: str, state: PageState, addresses: PageAddresses) -> StepsView:
    """The steps before ``message``. Raises NoSuchPlaceError."""
    row = _shown(snapshot, message)
    rows = list(snapshot.rendered.filter(thread=row.thread, turn=row.turn).exclude(part=MessagePart.HISTORY))
    for key, group in step_groups(rows):
        if key == message:
            return _Reader(snapshot, state, addresses).steps(key, group, _messages(snapshot, group))
    raise NoSuchPlaceError


def sources_of(snapshot: Snapshot, message: str, state: PageState, addresses: PageAddresses) -> SourcesView:
    """The source panel of ``message``. Raises NoSuchPlaceError."""
    row = _shown(snapshot, message)
    citations = shown_citations(row)
    if not citations:
        raise NoSuchPlaceError
    return sources_view(message, citations, state, addresses, verified=row.citations_verified)


def _shown(snapshot: Snapshot, message: str) -> RenderedMessage:
    row = snapshot.rendered.filter(message_id=message).exclude(part=MessagePart.HISTORY).first()
    if row is None:
        raise NoSuchPlaceError
    return row
