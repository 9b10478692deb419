"""Exports of what a share shows: native lines, Markdown with its sources, plain text."""

import json
from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _

from shareview.chat.messages import HiddenPart, Message, Role
from shareview.chat.sessions import ThreadState
from shareview.chat.turns import MessagePart
from shareview.citations.claim_citations import cited_blocks
from shareview.citations.markers import strip_markers
from shareview.citations.numbering import number_claims, number_markers
from shareview.citations.web_addresses import is_showable
from shareview.exports.spool import RecordKind, message_of
from shareview.pages.access import NoSuchPlaceError
from shareview.pages.claims import AnswerClaims
from shareview.pages.stored_rounds import claims_of_row
from shareview.pages.threads import shown_thread
from shareview.quotes.model_input import LEFT_OUT, InputMessage
from shareview.rendering.characters import shown_characters
from shareview.shares.models import Share
from shareview.snapshots.artifacts import newest_artifacts
from shareview.snapshots.derived import shown_citations
from shareview.snapshots.models import RenderedMessage, Snapshot
from shareview.snapshots.thread_line import thread_input

_SPEAKERS: Final = {Role.USER: "User", Role.ASSISTANT: "Assistant", Role.TOOL: "Tool", Role.SYSTEM: "System"}
_SPOKEN: Final = (MessagePart.QUESTION, MessagePart.ANSWER, MessagePart.SYSTEM)


def export_jsonl(share: Share) -> str:
    """The native lines that the digest covers, then the artifacts (session-export, "Digest")."""
    snapshot = share.snapshot
    lines = [*snapshot.records.values_list("line", flat=True), *snapshot.artifacts.values_list("line", flat=True)]
    return "".join(f"{line}\n" for line in lines)


def export_markdown(share: Share) -> str:
    """Questions and answers as Markdown, markers taken out, the sources as a list under each answer."""
    parts = [f"# {_line(share.shown_title)}\n"]
    artifacts = newest_artifacts(share.snapshot)
    titles, quotes = _thread_titles(share.snapshot), _quoted(share.snapshot)
    for row, message in _spoken(share.snapshot):
        if title := titles.pop(row.thread, ""):
            parts.append(f"# {title}\n")
        parts.append(f"## {_SPEAKERS[message.role]}\n")
        parts += [f"{quote}\n" for quote in quotes.get(message.id, ())]
        parts.append(f"{_text(message)}\n")
        parts += _list(_sources(row, claims_of_row(row, message, artifacts)), "Sources")
    parts.append(f"---\n\n{_freeze_line(share)}\n")
    return "\n".join(parts)


def export_model_input(share: Share, thread: str) -> str:
    """A thread in the form that OpenAI's Chat Completions take. Raises NoSuchPlaceError where it is not shown."""
    given = thread_input(share.snapshot, shown_thread(share, thread))
    return json.dumps({"messages": [_input_message(message) for message in given]}, ensure_ascii=False, indent=1)


def _input_message(message: InputMessage) -> dict[str, object]:
    given: dict[str, object] = {"role": message.role.lower(), "content": shown_characters(message.content)}
    if message.calls:
        given["tool_calls"] = [
            {
                "id": f"call_{call.number}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in message.calls
        ]
    if message.answers:
        given["tool_call_id"] = f"call_{message.answers}"
    return given


def answer_markdown(snapshot: Snapshot, message: str) -> str:
    """One answer as Markdown, with ``[k]`` where it cites, and its sources as a list. Raises NoSuchPlaceError."""
    row = snapshot.rendered.filter(message_id=message, part=MessagePart.ANSWER).first()
    if row is None:
        raise NoSuchPlaceError
    said = message_of(json.loads(snapshot.records.values_list("line", flat=True).get(position=row.position)))
    claims = claims_of_row(row, said, newest_artifacts(snapshot, [message]))
    if claims and claims.is_complete:
        text = number_claims(said.content, claims.claims)
    else:
        text = number_markers(said.content, {c.n: k for k, c in enumerate(shown_citations(row), 1)})
    return "\n".join([f"{shown_characters(text).strip()}\n", *_list(_sources(row, claims), _("Sources"))])


def _sources(row: RenderedMessage, claims: AnswerClaims | None) -> list[tuple[str, str]]:
    """Title and address of each source by display number; evidence without an address has none."""
    if claims is None or not claims.is_complete:
        return [(citation.title, citation.url) for citation in shown_citations(row)]
    blocks = [cited.block for cited in cited_blocks(claims.claims)]
    return [
        (", ".join(filter(None, (block.title or block.id, block.section))), block.url if is_showable(block.url) else "")
        for block in blocks
    ]


def _list(sources: list[tuple[str, str]], heading: str) -> list[str]:
    entries = [f"{k}. {_link(title, address)}" for k, (title, address) in enumerate(sources, 1)]
    return ["\n".join([f"### {heading}\n", *entries]) + "\n"] if entries else []


def export_text(share: Share) -> str:
    """Questions and answers as plain text."""
    parts = [f"{_line(share.shown_title)}\n"]
    artifacts = newest_artifacts(share.snapshot)
    titles, quotes = _thread_titles(share.snapshot), _quoted(share.snapshot)
    for row, message in _spoken(share.snapshot):
        if title := titles.pop(row.thread, ""):
            parts.append(f"== {title} ==\n")
        quoted = "".join(f"{quote}\n" for quote in quotes.get(message.id, ()))
        parts.append(f"{_SPEAKERS[message.role]}:\n{quoted}{_text(message)}\n")
        sources = _sources(row, claims_of_row(row, message, artifacts))
        entries = [f"[{k}] {_line(title)} {address}".rstrip() for k, (title, address) in enumerate(sources, 1)]
        if entries:
            parts.append("\n".join(["Sources:", *entries]) + "\n")
    parts.append(f"{_freeze_line(share)}\n")
    return "\n".join(parts)


def _spoken(snapshot: Snapshot) -> Iterator[tuple[RenderedMessage, Message]]:
    rows = {row.position: row for row in snapshot.rendered.filter(part__in=_SPOKEN).defer("html", "reasoning_html")}
    records = snapshot.records.filter(kind=RecordKind.MESSAGE).values_list("position", "line")
    said = {position: line for position, line in records.iterator() if position in rows}
    order = {thread: place for place, thread in enumerate(snapshot.threads.values_list("thread", flat=True))}
    for position in sorted(said, key=lambda position: (order.get(rows[position].thread, 0), position)):
        yield rows[position], message_of(json.loads(said[position]))


def _thread_titles(snapshot: Snapshot) -> dict[str, str]:
    """What stands above the first message of each thread, where there are several."""
    threads = list(snapshot.threads.values_list("thread", "title", "state"))
    shown = {thread: _line(title) or thread for thread, title, state in threads if state != ThreadState.DELETED}
    return shown if len(threads) > 1 else {}


def _quoted(snapshot: Snapshot) -> dict[str, list[str]]:
    """The quotes above each question, as lines that begin with a mark."""
    found: dict[str, list[str]] = {}
    for row in snapshot.quotes.all():
        origin = f"\n> ({_line(row.title)})" if row.title else ""
        found.setdefault(row.message_id, []).append("\n".join(f"> {line}" for line in row.text.splitlines()) + origin)
    return found


def _text(message: Message) -> str:
    if HiddenPart.CONTENT in message.hidden:
        return LEFT_OUT
    return shown_characters(strip_markers(message.content)).strip()


def _line(text: str) -> str:
    return " ".join(shown_characters(strip_markers(text)).split())


def _link(title: str, address: str) -> str:
    title = _line(title) or address
    for char in "\\[]<>`*_":
        title = title.replace(char, f"\\{char}")
    return f"[{title}](<{address.replace('<', '%3C').replace('>', '%3E')}>)" if address else title


def _freeze_line(share: Share) -> str:
    snapshot = share.snapshot
    return (
        f"Messages 1-{snapshot.message_count}, frozen {snapshot.frozen_at:%Y-%m-%dT%H:%M:%SZ}, "
        f"SHA-256 {snapshot.digest}. {share.watermark}"
    )
