"""The rounds of a conversation, read from stored messages."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC
from itertools import count

from django.utils.translation import gettext as _

from shareview.chat.artifacts import ArtifactStatus
from shareview.chat.messages import Message, Status
from shareview.chat.turns import MessagePart
from shareview.exports.spool import message_of
from shareview.pages.addresses import PageAddresses
from shareview.pages.attachments import AttachmentView, attachment_views
from shareview.pages.checks import MOST_AT_ONCE, CheckView, check_view
from shareview.pages.claims import AnswerClaims, ClaimsView, EvidenceView, claim_links, claims_view, evidence_of
from shareview.pages.identifiers import fragment, html_id, source_id, steps_id, superscript_id
from shareview.pages.languages import lang_attribute
from shareview.pages.sources import SourcesView, sources_view
from shareview.pages.states import Cited, PageState
from shareview.pages.steps import StepSource, StepView, approval_text, step_views, steps_summary
from shareview.rendering.characters import shown_characters
from shareview.rendering.claims import link_claims, mark_claim
from shareview.rendering.languages import language_of
from shareview.rendering.superscripts import SuperscriptLink, link_superscripts
from shareview.snapshots.annotation_jobs import open_jobs
from shareview.snapshots.artifacts import Artifacts, artifact_of, newest_artifacts
from shareview.snapshots.derived import shown_citations
from shareview.snapshots.models import FrozenRecord, RenderedMessage, Snapshot


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
    is_another_day: bool
    lang: str | None
    is_wide: bool
    body: str
    reasoning: str
    citations: str
    claims: ClaimsView | None
    check: CheckView | None
    evidence: tuple[EvidenceView, ...]
    sources: SourcesView | None
    href: str
    markdown_href: str
    attachments: tuple[AttachmentView, ...]
    approval: str
    status: str


@dataclass(frozen=True)
class RoundView:
    """A question, what was done, and the answer; SYSTEM messages where they stood, before it or after."""

    number: int
    href: str
    before: tuple[MessageView, ...]
    question: MessageView | None
    steps: tuple[StepsView, ...]
    answer: MessageView | None
    later_steps: tuple[StepsView, ...]
    after: tuple[MessageView, ...]


class RoundReader:
    """Reads stored messages and puts them into rounds, as they are shown in a state."""

    def __init__(self, snapshot: Snapshot, state: PageState, addresses: PageAddresses) -> None:
        self._snapshot = snapshot
        self._state = state
        self._addresses = addresses
        self._artifacts: Artifacts = {}
        self._checked_now = open_jobs(snapshot)
        self._checks = count()
        self._files = frozenset(snapshot.files.values_list("sha256", flat=True))

    def rounds(self, thread: str, turns: Sequence[int]) -> tuple[RoundView, ...]:
        """The rounds of ``turns``."""
        rows = list(self._snapshot.rendered.filter(thread=thread, turn__in=turns).exclude(part=MessagePart.HISTORY))
        messages = self._read(rows)
        by_turn: dict[int, list[RenderedMessage]] = {turn: [] for turn in turns}
        for row in rows:
            by_turn[row.turn].append(row)
        return tuple(self._round(turn, by_turn[turn], messages) for turn in turns)

    def answer(self, row: RenderedMessage) -> MessageView:
        """One answer alone."""
        return self.message(row, self._read([row])[row.position])

    def _read(self, rows: Sequence[RenderedMessage]) -> dict[int, Message]:
        """The messages behind ``rows``; their artifacts are at hand from then on."""
        self._artifacts = newest_artifacts(
            self._snapshot, [row.message_id for row in rows if row.part == MessagePart.ANSWER]
        )
        return messages_of(self._snapshot, rows)

    def _round(self, number: int, rows: Sequence[RenderedMessage], messages: dict[int, Message]) -> RoundView:
        question, answer = _row(rows, MessagePart.QUESTION), _row(rows, MessagePart.ANSWER)
        start, end = (row.position if row else 0 for row in (question, answer))
        system = {
            row.position: self.message(row, messages[row.position]) for row in rows if row.part == MessagePart.SYSTEM
        }
        return RoundView(
            number=number,
            href=self._addresses.page(self._state.at_message(rows[0].message_id)) + fragment(f"round-{number}"),
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
            StepSource(
                messages[row.position],
                row.html,
                row.reasoning_html,
                self._attachments(messages[row.position]),
            )
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
        """A question, an answer or a SYSTEM message that was read."""
        answer = claims_of_row(row, message, self._artifacts)
        complete = answer is not None and answer.is_complete
        citations = () if complete else shown_citations(row)
        titles = [citation.title for citation in citations]
        is_checked_now = row.message_id in self._checked_now
        return MessageView(
            id=row.message_id,
            html_id=html_id(row.message_id),
            role=message.role.lower(),
            model=shown_characters(message.model),
            created_at=message.created_at,
            is_another_day=self._is_another_day(message),
            lang=lang_attribute(message.content),
            is_wide=bool(language_of(message.content)),
            body=link_superscripts(
                self._with_claims(row.html, answer),
                lambda k, occurrence: self._superscript(row.message_id, k, occurrence, titles),
            ),
            reasoning=row.reasoning_html,
            citations=_citations_state(row, answer, is_checked_now=is_checked_now),
            claims=claims_view(answer, self._state, self._addresses)
            if answer and (complete or not is_checked_now)
            else None,
            check=self._check(row.message_id) if is_checked_now else None,
            evidence=evidence_of(answer, self._state, self._addresses) if answer else (),
            sources=sources_view(
                row.message_id, citations, self._state, self._addresses, verified=row.citations_verified
            )
            if citations
            else None,
            href=self._addresses.page(self._state.at_message(row.message_id)) + fragment(html_id(row.message_id)),
            markdown_href=self._addresses.markdown(row.message_id) if row.part == MessagePart.ANSWER else "",
            attachments=self._attachments(message),
            approval=approval_text(message),
            status="" if message.status is Status.COMPLETED else message.status.value,
        )

    def _check(self, message: str) -> CheckView:
        by_itself = next(self._checks) < MOST_AT_ONCE
        return check_view(message, self._state, self._addresses, by_itself=by_itself)

    def _is_another_day(self, message: Message) -> bool:
        """Whether the hour alone would be taken for one of the day that stands at the head of the page."""
        said, begun = message.created_at, self._snapshot.started_at
        return said is not None and begun is not None and said.astimezone(UTC).date() != begun.astimezone(UTC).date()

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

    def _with_claims(self, html: str, answer: AnswerClaims | None) -> str:
        if answer is None or not answer.is_complete:
            return html
        place = self._state.claim
        opened = [place.span] if place and place.message == answer.message else []
        return link_claims(mark_claim(html, opened), claim_links(answer, self._state, self._addresses))


def _citations_state(row: RenderedMessage, answer: AnswerClaims | None, *, is_checked_now: bool) -> str:
    """``data-citations`` (surface, "Markup of a page")."""
    if is_checked_now and not (answer and answer.is_complete):
        return ArtifactStatus.RUNNING.value
    if answer is not None:
        return answer.state
    return "complete" if row.citations and row.citations_verified else "none"


def claims_of_row(row: RenderedMessage, message: Message, artifacts: Artifacts) -> AnswerClaims | None:
    """The claims of a stored answer; None where it has no artifact."""
    line = artifacts.get(row.message_id)
    return AnswerClaims.of(row.message_id, artifact_of(line, message.content), row.located) if line else None


def claims_of_answer(snapshot: Snapshot, row: RenderedMessage) -> AnswerClaims | None:
    """The claims of one stored answer; None where it has no artifact."""
    return claims_of_row(row, messages_of(snapshot, [row])[row.position], newest_artifacts(snapshot, [row.message_id]))


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


def messages_of(snapshot: Snapshot, rows: Sequence[RenderedMessage]) -> dict[int, Message]:
    """The frozen messages behind ``rows``, by position."""
    if not rows:
        return {}
    wanted = {row.position for row in rows}
    records = FrozenRecord.objects.filter(snapshot=snapshot, position__range=(min(wanted), max(wanted)))
    lines = records.values_list("position", "line").iterator(chunk_size=500)
    return {position: message_of(json.loads(line)) for position, line in lines if position in wanted}
