"""What a publisher leaves out of a snapshot: messages, tool results, reasoning; and how a record says so."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from shareview.chat.artifacts import Artifact, ArtifactStatus, PendingCode
from shareview.chat.messages import HiddenPart, Message, Role
from shareview.chat.turns import group_turns, in_thread
from shareview.citations.registry import Source
from shareview.exports.jsonlines import JsonObject, JsonValue
from shareview.exports.message_records import HIDDEN_ENTRY
from shareview.snapshots.selection import Selection

REASONING: Final = "reasoning"
TOOLS: Final = "tools"
HIDEABLE: Final = (REASONING, TOOLS)
_KEPT: Final = frozenset(
    ("kind", "id", "thread", "role", "model", "tool_calls", "tool_call_id", "created_at", "status", "replaces",
     "session_id")
)  # fmt: skip
_SAID: Final = frozenset(("content", "tool_calls", "quotes"))
_ELLIPSIS: Final = "…"


@dataclass(frozen=True)
class Hiding:
    """What is left out: all reasoning, what was given to tools and what they returned, or ``messages`` by their ids."""

    reasoning: bool = False
    tools: bool = False
    messages: frozenset[str] = frozenset()

    def leaves_out(self, id: str, role: Role) -> bool:
        """Whether the content of that message is left out."""
        return id in self.messages or (self.tools and role is Role.TOOL)

    @property
    def leaves_out_results(self) -> bool:
        """Whether a tool's result may be left out."""
        return self.tools or bool(self.messages)


NOTHING_HIDDEN: Final = Hiding()


def read_hiding(parts: Sequence[str], messages: Sequence[str] = ()) -> Hiding:
    """What ``parts`` (each a comma list of "reasoning" and "tools") and the ids ``messages`` name.

    Raises ValueError, worded as what was expected.
    """
    names = {name.strip() for part in parts for name in part.split(",") if name.strip()}
    if names - set(HIDEABLE):
        raise ValueError("a list of " + " and ".join(HIDEABLE))
    return Hiding(REASONING in names, TOOLS in names, frozenset(messages))


def hide_parts(
    record: JsonObject,
    message: Message,
    hiding: Hiding,
    *,
    new: Sequence[Source] = (),
    cited: Collection[str] = (),
    lacks_evidence: bool = False,
) -> JsonObject:
    """``record`` of ``message`` without what is left out, and with the names of that in ``hidden``.

    ``lacks_evidence`` where its artifact goes without the words of its evidence: artifacts are no part of the digest,
    and yet it is another snapshot. A tool's result keeps the registry: ``new`` are the sources that it brought,
    ``cited`` the addresses among them that an answer cites, and only these are told.
    """
    hidden = {HiddenPart.EVIDENCE} if lacks_evidence else set()
    if hiding.leaves_out(message.id, message.role):
        bare = _without_content(record, message, new, cited)
        hidden |= _what_it_held(record, message)
        record = bare
    elif hiding.reasoning:
        record = _without_reasoning(record)
        hidden |= {HiddenPart.REASONING} if message.reasoning else set()
    if message.tool_calls and (hiding.tools or message.id in hiding.messages):
        record["tool_calls"] = [_bare_call(call.id, call.name) for call in message.tool_calls]
        hidden.add(HiddenPart.ARGUMENTS)
    if hidden:
        names: list[JsonValue] = [part.value for part in HiddenPart if part in hidden | message.hidden]
        record["hidden"] = names
    return record


def _without_content(record: JsonObject, message: Message, new: Sequence[Source], cited: Collection[str]) -> JsonObject:
    kept = {name: value for name, value in record.items() if name in _KEPT}
    kept["content"] = _registry_alone(new, cited) if message.role is Role.TOOL else ""
    return kept


def _what_it_held(record: JsonObject, message: Message) -> set[HiddenPart]:
    """The parts that are missing. What held no content gets none by being left out: it was no answer."""
    held = {HiddenPart.REASONING} if message.reasoning else set()
    if message.content.strip() or message.role is Role.TOOL:
        return held | {HiddenPart.CONTENT}
    others = (value for name, value in record.items() if name not in _KEPT | {"content", "reasoning"})
    return held | ({HiddenPart.ATTACHMENTS} if any(others) else set())


def _registry_alone(new: Sequence[Source], cited: Collection[str]) -> str:
    entries = [{"title": source.title, "url": source.url} if source.url in cited else HIDDEN_ENTRY for source in new]
    return json.dumps({"results": entries}, ensure_ascii=False)


def _without_reasoning(record: JsonObject) -> JsonObject:
    """``record`` without reasoning: the field that the export has, and a provider's own beside it or within others."""
    return {
        name: value if name in _SAID else _unreasoned(value)
        for name, value in record.items()
        if not _is_reasoning(name)
    }


def _unreasoned(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {name: _unreasoned(part) for name, part in value.items() if not _is_reasoning(name)}
    return [_unreasoned(part) for part in value] if isinstance(value, list) else value


def _is_reasoning(name: str) -> bool:
    return any(word in name.lower() for word in ("reasoning", "thinking", "thought"))


def _bare_call(id: str, name: str) -> JsonValue:
    return {"id": id, "name": name, "arguments": "{}"}


def without_evidence(selection: Selection, hiding: Hiding) -> set[str]:
    """The messages whose citations stand without the words of their evidence: a result of their turn is left out."""
    if hiding.tools:
        return set(selection.messages)
    outlines = tuple(selection.messages.values())
    turns = (turn for thread in selection.threads for turn in group_turns(in_thread(outlines, thread)))
    return {
        message.id
        for turn in turns
        if any(one.role is Role.TOOL and one.id in hiding.messages for one in turn.messages)
        for message in turn.messages
    }


class HiddenKind(StrEnum):
    """What a reader is told to be missing."""

    MESSAGE = "message"
    RESULT = "result"
    REASONING = "reasoning"


def hidden_kinds(message: Message) -> Iterator[HiddenKind]:
    """What of ``message`` a reader is told to be missing."""
    if message.hidden & {HiddenPart.CONTENT, HiddenPart.ATTACHMENTS}:
        yield HiddenKind.RESULT if message.role is Role.TOOL else HiddenKind.MESSAGE
    elif HiddenPart.REASONING in message.hidden:
        yield HiddenKind.REASONING


def hidden_quote(quote: JsonObject) -> JsonObject:
    """``quote`` of a message that is left out: that something was quoted, and no word of it."""
    return {"version": quote.get("version", 1), "text": _ELLIPSIS, "source": None}


def hide_evidence(artifact: Artifact) -> Artifact:
    """``artifact`` without the words of its evidence, what nothing cites, and what a checker said of them.

    Claims, which evidence they cite and the verdicts stay. Of one with faults nothing stays but that there was one.
    """
    if artifact.faults:
        return Artifact(artifact.message, ArtifactStatus.PENDING, PendingCode.ARTIFACT_INVALID)
    cited = {block for annotation in artifact.annotations for block in annotation.blocks}
    blocks = (block for block in artifact.blocks if block.id in cited)
    return replace(
        artifact,
        limitation="",
        blocks=tuple(replace(block, section="", version="", text="") for block in blocks),
        verdicts=tuple(replace(verdict, reason="") for verdict in artifact.verdicts),
        judge=replace(artifact.judge, contexts=()) if artifact.judge else None,
    )
