"""The native export, version 1 (session-export.md): JSON Lines, one record a line."""

import re
from dataclasses import replace
from typing import BinaryIO, Final

from shareview.chat.messages import Message, Role
from shareview.chat.sessions import MAIN_THREAD, Session, Thread, ThreadState
from shareview.exports.artifact_records import as_invalid, normalise_artifact, read_artifact, span_faults
from shareview.exports.errors import ExportError, Notice
from shareview.exports.fields import Fields
from shareview.exports.jsonlines import JsonObject, canonical, parse_line, read_lines
from shareview.exports.limits import DEFAULT_LIMITS, Limits
from shareview.exports.message_records import normalise, read_message
from shareview.exports.spool import Export, RecordKind, SpooledArtifact, message_of
from shareview.exports.thread_records import THREAD_FIELDS, read_thread

_SESSION_FIELDS: Final = ("kind", "id", "title", "exported_at", "app", "model")
_NUMBER: Final = re.compile(r"-?[0-9]{1,18}")
_KINDS: Final = ("session", "thread", "message", "citation_artifact")


def read_native(source: BinaryIO, *, limits: Limits = DEFAULT_LIMITS, lenient: bool = False) -> Export:
    """Reads an export as a stream; the caller closes what comes back.

    ``lenient`` passes over bad message lines with a notice each. Raises ExportError on everything else that
    breaks a rule.
    """
    export = Export(limits)
    try:
        reader = _NativeReader(export, lenient=lenient)
        for number, line in read_lines(source, limits):
            reader.take(number, line)
        reader.finish()
    except BaseException:
        export.close()
        raise
    return export


class _NativeReader:
    def __init__(self, export: Export, *, lenient: bool) -> None:
        self._export = export
        self._lenient = lenient
        self._lines: dict[str, int] = {}
        self._roles: dict[str, tuple[str, Role]] = {}
        self._thread_lines: dict[str, int] = {}
        self._replaced: set[str] = set()
        self._last_number: dict[str, int] = {}
        self._quoted: list[tuple[str, str]] = []
        self._session_id = ""
        self._started = False

    def take(self, number: int, line: bytes) -> None:
        if len(self._export.records) + len(self._export.artifacts) >= self._export.limits.records:
            raise ExportError(number, "", f"at most {self._export.limits.records} records", "more")
        try:
            found = parse_line(number, line, self._export.limits)
        except ExportError as fault:
            self._refuse(fault)
            return
        kind = found.get("kind", "message")
        if kind == "session":
            self._take_session(found, number)
        elif kind == "thread":
            self._take_thread(found, number)
        elif kind == "message":
            self._take_message(found, number)
        elif kind == "citation_artifact":
            self._take_artifact(found, number)
        else:
            raise Fields(found, number, self._export.limits).error("kind", "one of " + ", ".join(_KINDS))
        self._started = True

    def _refuse(self, fault: ExportError) -> None:
        if not self._lenient:
            raise fault
        self._export.notices.append(Notice(0, f"passed over: {fault}"))

    def _take_session(self, found: JsonObject, number: int) -> None:
        fields = Fields.of(found, _SESSION_FIELDS, number, self._export.limits)
        if self._started:
            raise ExportError(number, "kind", "at most one session record, and that first", "one here")
        self._export.session = Session(
            id=fields.identifier("id", default=""),
            title=fields.text("title", default=""),
            exported_at=fields.moment("exported_at", with_offset=True),
            app=fields.text("app", default=""),
            model=fields.text("model", default=""),
        )
        self._export.add(RecordKind.SESSION, "", number, fields.values)

    def _take_thread(self, found: JsonObject, number: int) -> None:
        fields = Fields.of(found, THREAD_FIELDS, number, self._export.limits)
        id = fields.identifier("id")
        if id in self._thread_lines:
            raise fields.error("id", f"an id not used before (line {self._thread_lines[id]} has it)")
        self._export.threads.append(read_thread(fields))
        self._thread_lines[id] = number
        self._export.add(RecordKind.THREAD, id, number, fields.values)

    def _take_message(self, found: JsonObject, number: int) -> None:
        notices: list[Notice] = []
        try:
            fields = normalise(
                found,
                number,
                self._export.limits,
                self._export.keep_bytes,
                lambda text: notices.append(Notice(number, text)),
            )
            message = read_message(fields, lambda text: notices.append(Notice(number, text)))
            self._check_place(message, fields)
            self._check_session(fields)
        except ExportError as fault:
            self._refuse(fault)
            return
        self._lines[message.id] = number
        self._roles[message.id] = (message.thread, message.role)
        if message.replaces:
            self._replaced.add(message.replaces)
        self._quoted += [(message.id, quote.source.message) for quote in message.quotes if quote.source]
        if _NUMBER.fullmatch(message.id):
            self._last_number[message.thread] = int(message.id)
        self._export.notices += notices
        self._export.outlines.append(message.outline())
        self._export.add(RecordKind.MESSAGE, message.id, number, fields.values)

    def _check_session(self, fields: Fields) -> None:
        session_id = fields.identifier("session_id", default="")
        if session_id and self._session_id and session_id != self._session_id:
            raise fields.error("session_id", f"{self._session_id}, as in the messages before")
        self._session_id = session_id or self._session_id

    def _check_place(self, message: Message, fields: Fields) -> None:
        if message.id in self._lines:
            raise fields.error("id", f"an id not used before (line {self._lines[message.id]} has it)")
        last = self._last_number.get(message.thread)
        if last is not None and _NUMBER.fullmatch(message.id) and int(message.id) <= last:
            raise fields.error("id", f"a number above {last}, the one before in this thread")
        if not message.replaces:
            return
        if self._roles.get(message.replaces) != (message.thread, message.role):
            raise fields.error("replaces", f"an earlier {message.role} message of thread {message.thread}")
        if message.replaces in self._replaced:
            raise fields.error("replaces", "a message that nothing else replaces")

    def _take_artifact(self, found: JsonObject, number: int) -> None:
        fields = normalise_artifact(found, number, self._export.limits)
        artifact = read_artifact(fields)
        self._export.artifacts.append(SpooledArtifact(artifact, canonical(fields.values), number))

    def finish(self) -> None:
        """The rules that only the whole file can break."""
        export = self._export
        if not export.threads:
            export.threads.append(Thread(MAIN_THREAD, "", None, None, ThreadState.ACTIVE))
        self._check_threads()
        self._check_artifacts()
        self._note_forks()
        if not export.outlines:
            raise ExportError(0, "", "at least one message", "none")
        if not export.session.id:
            export.session = replace(export.session, id=self._session_id)

    def _check_threads(self) -> None:
        export = self._export
        known = {thread.id: thread for thread in export.threads}
        expected = "one of the threads " + ", ".join(known)
        for thread in export.threads:
            line = self._thread_lines.get(thread.id, 0)
            if thread.parent is not None and thread.parent not in known:
                raise ExportError(line, "parent", expected, f'"{thread.parent}"')
            if thread.id in _ancestors(thread, known):
                raise ExportError(line, "parent", "a thread that does not descend from this one", f'"{thread.parent}"')
        strays = {outline.id: outline.thread for outline in export.outlines if outline.thread not in known}
        for id, named in strays.items():
            self._refuse(ExportError(self._lines[id], "thread", expected, f'"{named}"'))
            del self._roles[id]
        if strays:
            export.outlines = [outline for outline in export.outlines if outline.id not in strays]
            export.records = [r for r in export.records if r.kind is not RecordKind.MESSAGE or r.id not in strays]

    def _check_artifacts(self) -> None:
        wanted = {spooled.artifact.message for spooled in self._export.artifacts}
        places = {r.id: r for r in self._export.records if r.kind is RecordKind.MESSAGE and r.id in wanted}
        for at, spooled in enumerate(self._export.artifacts):
            place = places.get(spooled.artifact.message)
            if place is None:
                raise ExportError(spooled.line, "message", "a message of this file", f'"{spooled.artifact.message}"')
            message = message_of(self._export.record(place), self._export.limits)
            faults = span_faults(spooled.artifact, message.content, spooled.line)
            if message.role is not Role.ASSISTANT:
                faults.append(str(ExportError(spooled.line, "message", "an ASSISTANT message", str(message.role))))
            if faults:
                self._export.artifacts[at] = replace(spooled, artifact=as_invalid(spooled.artifact, faults))
        self._export.notices += [
            Notice(0, f"citations of message {spooled.artifact.message} are kept as pending: {fault}")
            for spooled in self._export.artifacts
            for fault in spooled.artifact.faults
        ]

    def _note_forks(self) -> None:
        for thread in self._export.threads:
            if thread.fork is None or thread.parent is None:
                continue
            if self._roles.get(thread.fork.message, ("",))[0] != thread.parent:
                line = self._thread_lines[thread.id]
                self._export.notices.append(Notice(line, f"the fork's message is not in thread {thread.parent}"))
        for message, source in self._quoted:
            if source not in self._roles:
                text = f"a quote in message {message} names no message of this session"
                self._export.notices.append(Notice(self._lines[message], text))


def _ancestors(thread: Thread, known: dict[str, Thread]) -> list[str]:
    found: list[str] = []
    parent = thread.parent
    while parent is not None and parent not in found:
        found.append(parent)
        parent = known[parent].parent if parent in known else None
    return found
