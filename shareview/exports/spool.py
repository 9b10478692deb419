"""A read export kept on disk, so that a session of any length takes little memory."""

import hashlib
import json
import tempfile
from dataclasses import dataclass, field
from enum import StrEnum
from types import TracebackType
from typing import IO, Self

from shareview.chat.artifacts import Artifact
from shareview.chat.messages import Message, MessageOutline
from shareview.chat.sessions import Session, Thread
from shareview.exports.errors import Notice
from shareview.exports.fields import Fields
from shareview.exports.jsonlines import JsonObject
from shareview.exports.limits import DEFAULT_LIMITS, Limits
from shareview.exports.message_records import MESSAGE_FIELDS, read_message


class RecordKind(StrEnum):
    """What a native record holds."""

    SESSION = "session"
    THREAD = "thread"
    MESSAGE = "message"


@dataclass(frozen=True, slots=True)
class SpooledRecord:
    """Where a record lies in the spool; ``id`` is its thread's or message's id."""

    kind: RecordKind
    id: str
    line: int
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class SpooledArtifact:
    """An artifact and the record it was read from, as canonical JSON."""

    artifact: Artifact
    record: str
    line: int


@dataclass
class Spool:
    """An append-only temporary file of pieces."""

    file: IO[bytes] = field(default_factory=tempfile.TemporaryFile)

    def put(self, piece: bytes) -> int:
        """Where ``piece`` now starts."""
        offset = self.file.seek(0, 2)
        self.file.write(piece)
        return offset

    def get(self, offset: int, length: int) -> bytes:
        """``length`` bytes from ``offset``."""
        self.file.seek(offset)
        return self.file.read(length)


@dataclass
class Export:
    """What a reader gives: the session's shape in memory, its records and files on disk.

    ``records`` are in file order, ``outlines`` those of its messages in the same order. Close it, or use it
    in ``with``.
    """

    limits: Limits
    session: Session = field(default_factory=Session)
    threads: list[Thread] = field(default_factory=list)
    records: list[SpooledRecord] = field(default_factory=list)
    outlines: list[MessageOutline] = field(default_factory=list)
    artifacts: list[SpooledArtifact] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    _spool: Spool = field(default_factory=Spool)
    _files: dict[str, tuple[int, int]] = field(default_factory=dict)

    def record(self, spooled: SpooledRecord) -> JsonObject:
        """The record as read from the export: normalised, a fresh object each time."""
        value: JsonObject = json.loads(self._spool.get(spooled.offset, spooled.length))
        return value

    def add(self, kind: RecordKind, id: str, line: int, record: JsonObject) -> None:
        """Keeps ``record`` at the end of the export."""
        piece = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
        self.records.append(SpooledRecord(kind, id, line, self._spool.put(piece), len(piece)))

    def keep_bytes(self, data: bytes) -> str:
        """Keeps the bytes of an attachment; gives their SHA-256 in hex."""
        sha256 = hashlib.sha256(data).hexdigest()
        if sha256 not in self._files:
            self._files[sha256] = (self._spool.put(data), len(data))
        return sha256

    def file(self, sha256: str) -> bytes | None:
        """The bytes of an attachment, or None where the export does not hold them."""
        place = self._files.get(sha256)
        return self._spool.get(*place) if place else None

    def close(self) -> None:
        """Gives the disk space back."""
        self._spool.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def message_of(record: JsonObject, limits: Limits = DEFAULT_LIMITS) -> Message:
    """The message that a record already normalised holds. Raises ExportError where it breaks a rule."""
    return read_message(Fields.of(record, MESSAGE_FIELDS, 0, limits), _say_nothing)


def _say_nothing(sentence: str) -> None:
    """What there was to say was said when the record was first read."""
