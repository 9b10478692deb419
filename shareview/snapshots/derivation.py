"""From frozen records to what is shown: turns, citations with their passages, and safe HTML."""

import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from shareview.chat.artifacts import Artifact, ArtifactStatus
from shareview.chat.messages import Message, MessageOutline, Role
from shareview.chat.turns import MessagePart, Turn, group_turns, in_thread
from shareview.chat.versions import successors
from shareview.citations.checking import CheckedCitations, Citation
from shareview.citations.passages import Passage, citing_sentence, closest_passage, quotes_verbatim
from shareview.citations.turn_sources import TurnSources
from shareview.exports.spool import RecordKind, message_of
from shareview.rendering.characters import shown_characters
from shareview.rendering.messages import RENDERER_VERSION, Anchor
from shareview.rendering.messages import RenderedMessage as Rendering
from shareview.rendering.pool import Renderer, RenderJob
from shareview.rendering.processors import Superscript
from shareview.snapshots.artifacts import Artifacts, artifact_of
from shareview.snapshots.lines import checked_citations

DERIVATION_VERSION: Final = f"{RENDERER_VERSION}.5"
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
    """What is shown of the message at ``position``.

    ``successor`` is the message that took its place, where it is history. ``located`` are ids of evidence blocks whose
    text stands word for word in a tool result of the turn.
    """

    position: int
    message_id: str
    thread: str
    turn: int
    part: MessagePart
    outline: MessageOutline
    successor: str
    html: str
    reasoning_html: str
    citations: tuple[ShownCitation, ...]
    located: tuple[str, ...]
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


def derive_messages(
    records: Records, artifacts: Artifacts, renderer: Renderer, *, only: str = ""
) -> Iterator[DerivedMessage]:
    """What is shown of each message of a snapshot, in order; nothing of it is kept in memory.

    ``only`` is the id of the one message that is asked for; its turn alone will do as ``records`` then, but that
    its turn's number is counted in them.
    """
    places = _places(outline for _, outline in _outlines(records()))
    pending: list[_Pending] = []
    results = renderer.render_all(_jobs(records(), artifacts, places, pending, only))
    while True:
        rendering = next(results, None)
        if rendering is None:
            return
        waiting = pending.pop(0)
        reasoning = next(results) if waiting.message.reasoning else None
        yield _derived(waiting, places[waiting.message.id], rendering, reasoning)


@dataclass(frozen=True)
class _Pending:
    """A message on its way through the renderer."""

    record: RecordLine
    message: Message
    checked: CheckedCitations
    located: tuple[str, ...]


@dataclass(frozen=True)
class _Place:
    turn: Turn
    number: int
    outline: MessageOutline
    successor: str


def _outlines(records: Iterable[RecordLine]) -> Iterator[tuple[int, MessageOutline]]:
    for record in records:
        if record.kind == RecordKind.MESSAGE:
            yield record.position, message_of(json.loads(record.line)).outline()


def _places(outlines: Iterable[MessageOutline]) -> dict[str, _Place]:
    standing = tuple(outlines)
    places: dict[str, _Place] = {}
    for thread in dict.fromkeys(outline.thread for outline in standing):
        number = 0
        turns = group_turns(in_thread(standing, thread))
        later = successors(turns)
        for turn in turns:
            number += turn.question is not None and not turn.is_history
            places |= {one.id: _Place(turn, number, one, later.get(one.id, "")) for one in turn.messages}
    return places


def _jobs(
    records: Iterable[RecordLine],
    artifacts: Artifacts,
    places: dict[str, _Place],
    pending: list[_Pending],
    only: str,
) -> Iterator[RenderJob]:
    """One job for each message, and one more for each that has reasoning; notes the messages in ``pending``."""
    sources: dict[str, TurnSources] = {}
    for record in records:
        if record.kind != RecordKind.MESSAGE:
            continue
        message = message_of(json.loads(record.line))
        current = sources.setdefault(message.thread, TurnSources())
        current.take(message)
        if only and message.id != only:
            continue
        checked = checked_citations(message, places[message.id].turn, current)
        artifact = _shown_artifact(artifacts, message)
        pending.append(_Pending(record, message, checked, _located(artifact, current.results)))
        # A tool's result is shown as it is, not as Markdown.
        text = "" if message.role is Role.TOOL else message.content
        # A complete artifact alone gives an answer's superscripts (surface, "Markup of a page").
        numbers = {} if artifact else checked.display_numbers()
        yield RenderJob(text, secrets.token_hex(16), numbers, message.role is Role.USER, _anchors(artifact))
        if message.reasoning:
            yield RenderJob(message.reasoning, secrets.token_hex(16))


def _shown_artifact(artifacts: Artifacts, message: Message) -> Artifact | None:
    line = artifacts.get(message.id)
    artifact = artifact_of(line, message.content) if line else None
    return artifact if artifact and artifact.status is ArtifactStatus.COMPLETE else None


def _anchors(artifact: Artifact | None) -> tuple[Anchor, ...]:
    """Where each claim that cites something begins and ends."""
    if artifact is None:
        return ()
    cited = {annotation.span for annotation in artifact.annotations}
    spans = [span for span in artifact.spans if span.id in cited]
    return tuple(
        Anchor(place, is_end, span.id) for span in spans for place, is_end in ((span.start, False), (span.end, True))
    )


def _located(artifact: Artifact | None, results: Sequence[str]) -> tuple[str, ...]:
    if artifact is None or not results:
        return ()
    # JSON writes a quotation mark within a text with a backslash.
    held = " ".join(" ".join(results).replace('\\"', '"').replace("\\n", " ").split())
    words = ((block.id, " ".join(block.text.split())) for block in artifact.blocks)
    return tuple(id for id, text in words if text and text in held)


def _derived(waiting: _Pending, place: _Place, rendering: Rendering, reasoning: Rendering | None) -> DerivedMessage:
    message, checked = waiting.message, waiting.checked
    faults = filter(None, (rendering.fault, reasoning.fault if reasoning else ""))
    return DerivedMessage(
        position=waiting.record.position,
        message_id=message.id,
        thread=message.thread,
        turn=place.number,
        part=place.turn.part(place.outline),
        outline=place.outline,
        successor=place.successor,
        html=rendering.html,
        reasoning_html=reasoning.html if reasoning else "",
        citations=tuple(_shown(citation, rendering.superscripts) for citation in checked.shown),
        located=waiting.located,
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
