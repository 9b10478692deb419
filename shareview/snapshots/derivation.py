"""From frozen records to what is shown: turns, citations with their passages, and safe HTML."""

import json
import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from shareview.chat.messages import Message, MessageOutline, Role
from shareview.chat.turns import Turn, group_turns, in_thread
from shareview.citations.checking import CheckedCitations, Citation
from shareview.citations.passages import Passage, citing_sentence, closest_passage, quotes_verbatim
from shareview.citations.turn_sources import TurnSources
from shareview.exports.spool import RecordKind, message_of
from shareview.rendering.characters import shown_characters
from shareview.rendering.messages import RENDERER_VERSION
from shareview.rendering.messages import RenderedMessage as Rendering
from shareview.rendering.pool import Renderer, RenderJob
from shareview.rendering.processors import Superscript
from shareview.snapshots.lines import checked_citations
from shareview.snapshots.models import MessagePart

DERIVATION_VERSION: Final = f"{RENDERER_VERSION}.2"
"""The version of everything derived: that of the renderer and that of this module."""


@dataclass(frozen=True)
class CitedPassage:
    """Where a citation stands in an answer, and the retrieved passage closest to the sentence there.

    ``occurrence`` counts the superscripts of this source from 1; ``passage`` is None where nothing is close.
    """

    occurrence: int
    sentence: str
    passage: Passage | None


@dataclass(frozen=True)
class ShownCitation:
    """A citation as the page shows it; ``is_quoted`` where a citing sentence quotes words that were retrieved."""

    n: int
    url: str
    title: str
    passages: tuple[CitedPassage, ...]
    is_quoted: bool


@dataclass(frozen=True)
class DerivedMessage:
    """What is shown of the message at ``position``."""

    position: int
    message_id: str
    thread: str
    turn: int
    part: MessagePart
    html: str
    reasoning_html: str
    citations: tuple[ShownCitation, ...]
    verified: bool
    fault: str


@dataclass(frozen=True)
class RecordLine:
    """A frozen record by its place."""

    position: int
    kind: str
    line: str


Records = Callable[[], Iterable[RecordLine]]
"""Gives the frozen records of a snapshot in order, anew each time it is called."""


def derive_messages(records: Records, renderer: Renderer) -> Iterator[DerivedMessage]:
    """What is shown of each message of a snapshot, in order; nothing of it is kept in memory."""
    places = _places(outline for _, outline in _outlines(records()))
    pending: list[tuple[RecordLine, Message, CheckedCitations]] = []
    results = renderer.render_all(_jobs(records(), places, pending))
    while True:
        rendering = next(results, None)
        if rendering is None:
            return
        record, message, checked = pending.pop(0)
        reasoning = next(results) if message.reasoning else None
        yield _derived(record, message, places[message.id], checked, rendering, reasoning)


@dataclass(frozen=True)
class _Place:
    turn: Turn
    number: int
    part: MessagePart


def _outlines(records: Iterable[RecordLine]) -> Iterator[tuple[int, MessageOutline]]:
    for record in records:
        if record.kind == RecordKind.MESSAGE:
            yield record.position, message_of(json.loads(record.line)).outline()


def _places(outlines: Iterable[MessageOutline]) -> dict[str, _Place]:
    standing = tuple(outlines)
    places: dict[str, _Place] = {}
    for thread in dict.fromkeys(outline.thread for outline in standing):
        number = 0
        for turn in group_turns(in_thread(standing, thread)):
            number += turn.question is not None and not turn.is_history
            places |= {message.id: _Place(turn, number, _part(message, turn)) for message in turn.messages}
    return places


def _part(message: MessageOutline, turn: Turn) -> MessagePart:
    if message.role is Role.SYSTEM:
        return MessagePart.SYSTEM
    if turn.is_history or message.id in turn.replaced:
        return MessagePart.HISTORY
    if message.role is Role.USER:
        return MessagePart.QUESTION
    return MessagePart.ANSWER if message == turn.answer else MessagePart.STEP


def _jobs(
    records: Iterable[RecordLine],
    places: dict[str, _Place],
    pending: list[tuple[RecordLine, Message, CheckedCitations]],
) -> Iterator[RenderJob]:
    """One job for each message, and one more for each that has reasoning; notes the messages in ``pending``."""
    sources: dict[str, TurnSources] = {}
    for record in records:
        if record.kind != RecordKind.MESSAGE:
            continue
        message = message_of(json.loads(record.line))
        current = sources.setdefault(message.thread, TurnSources())
        current.take(message)
        checked = checked_citations(message, places[message.id].turn, current)
        pending.append((record, message, checked))
        # A tool's result is shown as it is, not as Markdown.
        text = "" if message.role is Role.TOOL else message.content
        yield RenderJob(text, secrets.token_hex(16), checked.display_numbers(), message.role is Role.USER)
        if message.reasoning:
            yield RenderJob(message.reasoning, secrets.token_hex(16))


def _derived(
    record: RecordLine,
    message: Message,
    place: _Place,
    checked: CheckedCitations,
    rendering: Rendering,
    reasoning: Rendering | None,
) -> DerivedMessage:
    faults = filter(None, (rendering.fault, reasoning.fault if reasoning else ""))
    return DerivedMessage(
        position=record.position,
        message_id=message.id,
        thread=message.thread,
        turn=place.number,
        part=place.part,
        html=rendering.html,
        reasoning_html=reasoning.html if reasoning else "",
        citations=tuple(_shown(citation, rendering.superscripts) for citation in checked.shown),
        verified=checked.verified,
        fault="; ".join(faults),
    )


def _shown(citation: Citation, superscripts: tuple[Superscript, ...]) -> ShownCitation:
    places = [superscript for superscript in superscripts if superscript.n == citation.n]
    # A database cannot hold every character that a page may have had.
    texts = [shown_characters(text) for text in citation.texts]
    passages = []
    quoted = False
    for occurrence, superscript in enumerate(places, 1):
        sentence = citing_sentence(superscript.before)
        quoted = quoted or quotes_verbatim(sentence, texts)
        passages.append(CitedPassage(occurrence, sentence, closest_passage(sentence, texts)))
    return ShownCitation(citation.n, citation.url, shown_characters(citation.title), tuple(passages), quoted)
