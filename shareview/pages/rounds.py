"""The rounds of a conversation, read from stored messages."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC
from itertools import count, groupby

from django.utils.translation import gettext as _

from shareview.chat.messages import Message, Role, Status
from shareview.chat.turns import MessagePart, is_answer
from shareview.chat.versions import earlier_versions, newest_version
from shareview.pages.addresses import PageAddresses
from shareview.pages.attachments import AttachmentView, attachment_views
from shareview.pages.checks import MOST_AT_ONCE, CheckView, check_view
from shareview.pages.claims import AnswerClaims, claim_links, claims_view, evidence_of
from shareview.pages.identifiers import fragment, html_id, source_id, steps_id, superscript_id
from shareview.pages.languages import lang_attribute
from shareview.pages.left_out import left_out
from shareview.pages.quote_cards import (
    FORK_ID,
    ArrivalView,
    arrival_view,
    branch_markings,
    marked,
    passage_markings,
    quote_card,
)
from shareview.pages.round_places import RoundPlace
from shareview.pages.round_views import EarlierView, MessageView, OriginView, RoundView, StepsView, VersionsView
from shareview.pages.sources import sources_view
from shareview.pages.states import Cited, PageState
from shareview.pages.steps import StepSource, approval_text, step_views, steps_summary
from shareview.pages.stored_rounds import (
    citations_state,
    claims_of_row,
    extent_of,
    follows,
    is_said,
    is_whole_answer,
    messages_of,
    row_of,
    rows_at,
    step_groups,
    stored_successors,
)
from shareview.pages.threads import thread_name
from shareview.quotes.finding import find_passage
from shareview.quotes.marking import Marking
from shareview.quotes.visible_text import visible_text
from shareview.rendering.characters import shown_characters
from shareview.rendering.claims import link_claims, mark_claim
from shareview.rendering.languages import language_of
from shareview.rendering.superscripts import SuperscriptLink, link_superscripts
from shareview.snapshots.annotation_jobs import open_jobs
from shareview.snapshots.artifacts import Artifacts, newest_artifacts
from shareview.snapshots.derived import shown_citations, stored_outline
from shareview.snapshots.models import RenderedMessage, ShownQuote, ShownThread, Snapshot


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
        self._threads = {row.thread: row for row in snapshot.threads.all()}
        history = snapshot.rendered.filter(part=MessagePart.HISTORY).order_by("position")
        self._successors = stored_successors(snapshot)
        newest = {newest_version(id, self._successors) for id in self._successors}
        self._older = earlier_versions(self._successors, newest)
        replaced = history.values_list("message_id", "thread", "outline") if newest else ()
        self._replaced = {id: stored_outline(id, thread, outline) for id, thread, outline in replaced}
        self._quotes: dict[str, list[ShownQuote]] = {}
        self._branches: dict[str, list[ShownThread]] = {}
        self._fork_of = ""
        place = state.quote
        self._followed = (
            snapshot.quotes.filter(message_id=place.message, number=place.number).first() if place else None
        )

    def rounds(self, places: Sequence[RoundPlace], thread: str) -> tuple[RoundView, ...]:
        """The rounds at ``places`` of the line of ``thread``, own ones and inherited ones."""
        self._fork_of = thread
        own = [place.turn for place in places if not place.inherited]
        positions = {position: part for place in places for position, part in place.parts}
        rows = [
            *rows_at(self._snapshot, positions),
            *self._snapshot.rendered.filter(thread=thread, turn__in=own).exclude(part=MessagePart.HISTORY),
        ]
        messages = self._read(rows)
        by_turn: dict[int, list[RenderedMessage]] = {turn: [] for turn in own}
        inherited: dict[int, RenderedMessage] = {}
        for row in rows:
            if row.thread != thread:
                inherited[row.position] = row
            else:
                by_turn[row.turn].append(row)
        return tuple(
            self._inherited(place, [inherited[position] for position, _ in place.parts], messages)
            if place.inherited
            else self._own(place, by_turn[place.turn], messages)
            for place in places
        )

    def _inherited(self, place: RoundPlace, rows: Sequence[RenderedMessage], messages: dict[int, Message]) -> RoundView:
        return replace(self._round(0, rows, messages), is_inherited=True, fork_title=self._fork_title(place))

    def _own(self, place: RoundPlace, rows: Sequence[RenderedMessage], messages: dict[int, Message]) -> RoundView:
        title = self._fork_title(place)
        return replace(self._round(place.turn, rows, messages), fork_title=title, fork_id=FORK_ID if title else "")

    def _fork_title(self, place: RoundPlace) -> str:
        return thread_name(self._threads[place.thread]) if place.is_first_of_branch else ""

    def answer(self, row: RenderedMessage, thread: str) -> MessageView:
        """One answer alone, in the line of ``thread``."""
        self._fork_of = thread
        return self.message(row, self._read([row])[row.position])

    def _read(self, rows: Sequence[RenderedMessage]) -> dict[int, Message]:
        """The messages behind ``rows``; their artifacts are at hand from then on."""
        cited = [row.message_id for row in rows if row.part in (MessagePart.ANSWER, MessagePart.HISTORY)]
        self._artifacts = {**self._artifacts, **newest_artifacts(self._snapshot, cited)}
        shown = {row.message_id for row in rows}
        for quote in self._snapshot.quotes.filter(message_id__in=shown):
            self._quotes.setdefault(quote.message_id, []).append(quote)
        for thread in self._threads.values():
            if thread.fork_message in shown:
                self._branches.setdefault(thread.fork_message, []).append(thread)
        return messages_of(self._snapshot, rows)

    def _earlier(self, message: MessageView | None) -> tuple[EarlierView, ...]:
        """What stood where ``message`` stands, oldest first, where that is to be seen."""
        if message is None or not message.versions or not message.versions.is_open:
            return ()
        older = self._older[message.id]
        rows = list(self._snapshot.rendered.filter(message_id__in=older))
        messages = self._read(rows)
        views: list[EarlierView] = []
        for spoken, group in groupby(rows, key=is_said):
            pieces = list(group)
            if spoken:
                views += [EarlierView(self._earlier_message(row, messages, message.id), None) for row in pieces]
            else:
                views.append(EarlierView(None, self.steps(pieces[0].message_id, pieces, messages)))
        return tuple(views)

    def _earlier_message(self, row: RenderedMessage, messages: dict[int, Message], newest: str) -> MessageView:
        there = self._state.in_thread(row.thread, at=newest)
        return replace(
            self.message(row, messages[row.position]),
            is_earlier=True,
            newest_href=self._addresses.page(there) + fragment(html_id(newest)),
            newest_fragment=self._addresses.thread(there),
        )

    def _versions(self, row: RenderedMessage) -> VersionsView | None:
        older = self._older.get(row.message_id, ())
        if row.part == MessagePart.HISTORY or not older:
            return None
        said = [self._replaced[id] for id in older if id in self._replaced]
        count = sum(one.role == row.outline["role"] and (one.role is Role.USER or is_answer(one)) for one in said)
        led_to = {self._state.versions, self._state.at, self._followed.source if self._followed else ""}
        is_open = self._state.everything or not led_to.isdisjoint(older) or self._state.versions == row.message_id
        other = self._state.showing_versions("" if is_open else row.message_id)
        other = replace(other, at=row.message_id)
        return VersionsView(
            count=count + 1,
            is_open=is_open,
            href=self._addresses.page(other) + fragment(html_id(row.message_id)),
            fragment_address=self._addresses.thread(other),
        )

    def _round(self, number: int, rows: Sequence[RenderedMessage], messages: dict[int, Message]) -> RoundView:
        question, answer = row_of(rows, MessagePart.QUESTION), row_of(rows, MessagePart.ANSWER)
        start, end = (row.position if row else 0 for row in (question, answer))
        system = {
            row.position: self.message(row, messages[row.position]) for row in rows if row.part == MessagePart.SYSTEM
        }
        asked = self.message(question, messages[question.position]) if question else None
        answered = self.message(answer, messages[answer.position]) if answer else None
        return RoundView(
            number=number,
            href=self._addresses.page(self._state.at_message(rows[0].message_id)) + fragment(f"round-{number}"),
            earlier_questions=self._earlier(asked),
            earlier_answers=self._earlier(answered),
            before=tuple(view for position, view in system.items() if position < start or not question),
            question=asked,
            steps=tuple(
                self.steps(key, group, messages) for key, group in step_groups(rows) if not follows(group, end)
            ),
            answer=answered,
            later_steps=tuple(
                self.steps(key, group, messages) for key, group in step_groups(rows) if follows(group, end)
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
        leads_in = any(self._state.at == row.message_id != key for row in rows)
        is_open = self._state.is_open(key, "steps", by_itself=leads_in)
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
                self._with_claims(marked(row.html, self._markings(row)), answer),
                lambda k, occurrence: self._superscript(row.message_id, k, occurrence, titles),
            ),
            reasoning=row.reasoning_html,
            left_out=left_out(message),
            citations=citations_state(row, answer, is_checked_now=is_checked_now),
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
            href=self._addresses.page(self._state_at(row)) + fragment(html_id(row.message_id)),
            markdown_href=self._addresses.markdown(row.message_id) if is_whole_answer(row, message) else "",
            attachments=self._attachments(message),
            approval=approval_text(message),
            status="" if message.status is Status.COMPLETED else message.status.value,
            quotes=tuple(
                quote_card(quote, self._state, self._addresses) for quote in self._quotes.get(row.message_id, ())
            ),
            arrival=self._arrival(row),
            origin=self._origin(row),
            versions=self._versions(row),
        )

    def _state_at(self, row: RenderedMessage) -> PageState:
        """The state that leads to a message where it stands by itself."""
        is_inherited = bool(self._fork_of) and row.thread != self._fork_of
        return (
            self._state.in_thread(row.thread, at=row.message_id)
            if is_inherited
            else self._state.at_message(row.message_id)
        )

    def _markings(self, row: RenderedMessage) -> list[Marking]:
        """The passages of a message that are marked: followed, named by the address, or where branches came from."""
        is_asked = self._state.at == row.message_id
        followed = [self._followed] if self._followed and self._followed.source == row.message_id else []
        branches = self._branches.get(row.message_id, [])
        own = [
            Marking(*extent_of(branch)) for branch in branches if branch.thread == self._fork_of and extent_of(branch)
        ]
        return [
            *passage_markings(row.html, self._state, followed, is_asked=is_asked),
            *(own if not followed else ()),
            *branch_markings(branches, self._state, self._addresses),
        ]

    def _arrival(self, row: RenderedMessage) -> ArrivalView | None:
        if self._followed and self._followed.source == row.message_id:
            thread = self._snapshot.rendered.filter(message_id=self._followed.message_id).values_list(
                "thread", flat=True
            )
            found = self._followed.passage_start is not None
            return arrival_view(self._followed, thread[0], found=found, state=self._state, addresses=self._addresses)
        if self._state.passage and self._state.at == row.message_id:
            found = find_passage(visible_text(row.html).text, self._state.passage) is not None
            return arrival_view(None, "", found=found, state=self._state, addresses=self._addresses)
        return None

    def _origin(self, row: RenderedMessage) -> OriginView | None:
        """Where a message of another thread than the one that is shown comes from."""
        there = self._state_at(row)
        if not self._fork_of or row.thread == self._fork_of:
            return None
        return OriginView(
            title=thread_name(self._threads[row.thread]),
            href=self._addresses.page(there) + fragment(html_id(row.message_id)),
            fragment_address=self._addresses.thread(there),
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
