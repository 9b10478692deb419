"""What of a session should not leave the house: found before it is frozen, and taken out where that is asked for."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from shareview.chat.artifacts import Artifact
from shareview.chat.messages import Message
from shareview.chat.sessions import Session
from shareview.citations.checking import DroppedCitation
from shareview.exports.artifact_records import normalise_artifact, read_artifact
from shareview.exports.jsonlines import JsonObject, JsonValue, canonical
from shareview.exports.limits import DEFAULT_LIMITS
from shareview.exports.message_records import STORED_PREFIX
from shareview.exports.spool import Export, RecordKind, SpooledArtifact, message_of
from shareview.leaks.findings import LeakClass
from shareview.leaks.handling import LeakHandling
from shareview.leaks.redaction import RedactedText, Redaction
from shareview.leaks.searching import Finding, LeakSearch
from shareview.leaks.texts import texts_of
from shareview.snapshots.lines import FrozenLine
from shareview.snapshots.moved_selectors import Visible, move_selectors
from shareview.snapshots.selection import FreezeError

_LISTED: Final = 5


class LeaksFoundError(FreezeError):
    """A session holds what should not be published; ``findings`` say where, and never what."""

    def __init__(self, findings: tuple[Finding, ...], *, because: str) -> None:
        self.findings = findings
        listed = "; ".join(map(str, findings[:_LISTED])) + ("; …" if len(findings) > _LISTED else "")
        super().__init__(f"{len(findings)} {_noun(findings)} found ({listed}): {because}")


def _noun(findings: tuple[Finding, ...]) -> str:
    noun = "secret" if all(finding.of is LeakClass.SECRET for finding in findings) else "secret or personal datum"
    return noun if len(findings) == 1 else noun.replace("datum", "data") + "s" * (noun == "secret")


@dataclass
class SessionSearch:
    """Goes through all that is to be frozen of ``export``."""

    export: Export
    search: LeakSearch = field(default_factory=LeakSearch)
    files: set[str] = field(default_factory=set)
    _seen_files: set[str] = field(default_factory=set)

    def take(self, line: FrozenLine) -> None:
        """Takes in a line, and the texts among the attachments of its message."""
        self.search.look_through(_name(line.kind, line.id), json.loads(line.line))
        for one in line.dropped:
            self.search.look_through(f"dropped citation {one.n} of {_name(line.kind, line.id)}", _told(one))
        for attachment in line.message.attachments if line.message else ():
            sha256 = attachment.sha256
            if sha256 and sha256 not in self._seen_files:
                self._seen_files.add(sha256)
                name = f"{_name(line.kind, line.id)}, attachment {attachment.name}"
                if self.search.look_through_file(name, self.export.file(sha256) or b""):
                    self.files.add(sha256)

    def take_artifact(self, spooled: SpooledArtifact) -> None:
        """Takes in an artifact."""
        self.search.look_through(f"citations of message {spooled.artifact.message}", json.loads(spooled.record))

    def findings(self, handling: LeakHandling) -> tuple[Finding, ...]:
        """All that was found. Raises LeaksFoundError where that stops the publication."""
        found = tuple(self.search.findings)
        stopping = tuple(finding for finding in found if handling.concerns(finding.of))
        if stopping and not (handling.redact or handling.acknowledge):
            raise LeaksFoundError(stopping, because="--redact takes them out, --acknowledge publishes them as they are")
        stuck = tuple(finding for finding in stopping if finding.is_in_id)
        if stuck and handling.redact:
            raise LeaksFoundError(
                stuck, because="an id cannot be taken out; change the export, or --acknowledge publishes it as it is"
            )
        return found

    def redaction(self, handling: LeakHandling) -> Redaction | None:
        """What takes out what was found, where that is asked for and there is any."""
        words = {words: leak for words, leak in self.search.words.items() if handling.concerns(leak.of)}
        return Redaction(words) if words and handling.redact else None


def _told(dropped: DroppedCitation) -> JsonObject:
    return {"url": dropped.url, "title": dropped.title}


def require_clean(records: Iterable[JsonObject]) -> None:
    """Raises LeaksFoundError where artifacts that come later hold secrets: the answers they belong to are frozen."""
    search = LeakSearch()
    for record in records:
        search.look_through(f"citations of message {record.get('message')}", record)
    found = tuple(finding for finding in search.findings if finding.of is LeakClass.SECRET)
    if found:
        raise LeaksFoundError(found, because="take them out of the file, or --acknowledge attaches it as it is")


def _name(kind: str, id: str) -> str:
    return f"{kind} {id}".strip()


def touched_artifacts(artifacts: Iterable[SpooledArtifact], redaction: Redaction) -> set[str]:
    """The messages whose artifacts hold what ``redaction`` takes out."""
    return {
        spooled.artifact.message
        for spooled in artifacts
        if redaction.record(record := json.loads(spooled.record)) != record
    }


def redacted_lines(
    lines: Iterable[FrozenLine],
    redaction: Redaction,
    *,
    files: set[str],
    touched: set[str],
    contents: dict[str, RedactedText],
    visible: Visible = MappingProxyType({}),
) -> Iterator[FrozenLine]:
    """``lines`` without what ``redaction`` takes out, nor the attachments ``files``.

    ``touched`` are the messages whose artifacts change: these are no part of the digest, and yet it is another
    snapshot. ``contents`` holds the ids of messages whose contents are asked for; what became of them is put there.
    ``visible`` are messages that selectors point into, and that change.
    """
    for line in lines:
        record = json.loads(line.line)
        if line.message and line.id in contents:
            contents[line.id] = redaction.text(line.message.content)
        clean = redaction.record(record)
        _require_ids_clean(_name(line.kind, line.id), clean, redaction)
        move_selectors(clean, visible)
        _drop_files(clean, files)
        if line.kind is RecordKind.MESSAGE and line.id in touched:
            clean["redacted"] = ["citations"]
        dropped = tuple(
            replace(one, url=redaction.text(one.url).text, title=redaction.text(one.title).text) for one in line.dropped
        )
        message: Message | None = message_of(clean) if line.kind is RecordKind.MESSAGE else None
        yield FrozenLine(line.kind, line.id, canonical(clean), message, dropped, line.notice)


def _require_ids_clean(name: str, record: JsonObject, redaction: Redaction) -> None:
    """Raises LeaksFoundError where an id is, or holds, what is taken out elsewhere."""
    stuck = tuple(
        Finding("secret-in-id", LeakClass.SECRET, redaction.text(name).text, placed.field, 1, is_in_id=True)
        for placed in texts_of(record)
        if placed.is_id and redaction.holds(placed.text)
    )
    if stuck:
        raise LeaksFoundError(stuck, because="an id cannot be taken out; change the export")


def _drop_files(record: JsonObject, files: set[str]) -> None:
    metadata = record.get("metadata")
    attachments = metadata.get("attachments") if isinstance(metadata, dict) else None
    for attachment in attachments if isinstance(attachments, list) else ():
        if isinstance(attachment, dict) and str(attachment.get("data", "")).removeprefix(STORED_PREFIX) in files:
            del attachment["data"]


def redacted_session(session: Session, redaction: Redaction) -> Session:
    """``session`` without what ``redaction`` takes out."""
    return replace(
        session,
        title=redaction.text(session.title).text,
        app=redaction.text(session.app).text,
        model=redaction.text(session.model).text,
    )


def redacted_artifact(
    spooled: SpooledArtifact, redaction: Redaction, contents: Mapping[str, RedactedText]
) -> SpooledArtifact:
    """``spooled`` without what ``redaction`` takes out, its claims where they stand in the answer that is left."""
    record = redaction.record(json.loads(spooled.record))
    answer = contents.get(spooled.artifact.message, RedactedText(""))
    original, spans = json.loads(spooled.record).get("spans"), record.get("spans")
    if not spooled.artifact.faults and isinstance(spans, list):
        record["spans"] = [_moved(span, answer) for span in original]
    return _spooled(record, spooled)


def _moved(span: dict[str, JsonValue], answer: RedactedText) -> JsonValue:
    start_name = "start_index" if "start_index" in span else "startIndex"
    end_name = "end_index" if "end_index" in span else "endIndex"
    start = answer.moved(_offset(span, start_name), is_end=False)
    end = answer.moved(_offset(span, end_name), is_end=True)
    return {**span, start_name: start, end_name: end, "text": answer.text[start:end]}


def _offset(span: dict[str, JsonValue], name: str) -> int:
    value = span.get(name)
    return value if isinstance(value, int) else 0


def _spooled(record: JsonObject, spooled: SpooledArtifact) -> SpooledArtifact:
    read: Artifact = read_artifact(normalise_artifact(record, spooled.line, DEFAULT_LIMITS))
    artifact = replace(spooled.artifact, limitation=read.limitation) if spooled.artifact.faults else read
    return SpooledArtifact(artifact, canonical(record), spooled.line)
