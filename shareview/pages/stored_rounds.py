"""Stored messages as pieces of a round."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from shareview.chat.artifacts import ArtifactStatus
from shareview.chat.messages import HiddenPart, Message, Role
from shareview.chat.turns import MessagePart, is_answer
from shareview.exports.spool import message_of
from shareview.pages.claims import AnswerClaims
from shareview.snapshots.artifacts import Artifacts, artifact_of, newest_artifacts
from shareview.snapshots.derived import stored_outline
from shareview.snapshots.models import FrozenRecord, RenderedMessage, ShownThread, Snapshot


def is_said(row: RenderedMessage) -> bool:
    """Whether a replaced message was a question or an answer."""
    outline = stored_outline(row.message_id, row.thread, row.outline)
    return outline.role is Role.USER or is_answer(outline)


def is_whole_answer(row: RenderedMessage, message: Message) -> bool:
    """Whether there is an answer to copy."""
    return row.part == MessagePart.ANSWER and HiddenPart.CONTENT not in message.hidden


def extent_of(branch: ShownThread) -> tuple[int, int] | tuple[()]:
    """Where the words stand that a branch came from; empty where that is not known."""
    if branch.passage_start is None or branch.passage_end is None:
        return ()
    return (branch.passage_start, branch.passage_end)


def citations_state(row: RenderedMessage, answer: AnswerClaims | None, *, is_checked_now: bool) -> str:
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
    answer = row_of(rows, MessagePart.ANSWER)
    key = answer or row_of(rows, MessagePart.QUESTION) or rows[0]
    later = [row for row in steps if answer and row.position > answer.position]
    groups = [(key.message_id, steps[: len(steps) - len(later)])] + [(row.message_id, later) for row in later[:1]]
    return [(id, group) for id, group in groups if group]


def earlier_steps(snapshot: Snapshot, row: RenderedMessage) -> list[tuple[str, list[RenderedMessage]]]:
    """The steps among what was replaced together with ``row``, under the id of their first."""
    if row.part != MessagePart.HISTORY:
        return []
    history = snapshot.rendered.filter(part=MessagePart.HISTORY, thread=row.thread, turn=row.turn)
    groups = [(spoken, list(group)) for spoken, group in groupby(history, key=is_said)]
    return [(group[0].message_id, group) for spoken, group in groups if not spoken]


def follows(group: Sequence[RenderedMessage], answer: int) -> bool:
    """Whether steps stand behind the answer at position ``answer``; not where that is 0."""
    return 0 < answer < group[0].position


def row_of(rows: Iterable[RenderedMessage], part: str) -> RenderedMessage | None:
    """The first of ``rows`` that is ``part``."""
    return next((row for row in rows if row.part == part), None)


def messages_of(snapshot: Snapshot, rows: Sequence[RenderedMessage]) -> dict[int, Message]:
    """The frozen messages behind ``rows``, by position."""
    if not rows:
        return {}
    wanted = {row.position for row in rows}
    records = FrozenRecord.objects.filter(snapshot=snapshot, position__range=(min(wanted), max(wanted)))
    lines = records.values_list("position", "line").iterator(chunk_size=500)
    return {position: message_of(json.loads(line)) for position, line in lines if position in wanted}


def rows_at(snapshot: Snapshot, parts: Mapping[int, MessagePart]) -> list[RenderedMessage]:
    """The stored messages at the positions ``parts``, each as the part that it was when a branch inherited it."""
    rows = list(snapshot.rendered.filter(position__in=list(parts)))
    for row in rows:
        row.part = parts[row.position]
    return rows


def stored_successors(snapshot: Snapshot) -> dict[str, str]:
    """What took the place of each message that is history, in the order of the file."""
    history = snapshot.rendered.filter(part=MessagePart.HISTORY).order_by("position")
    return {id: later for id, later in history.values_list("message_id", "successor") if later}
