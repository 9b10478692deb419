"""Small exports for the tests of the readers: records, the file they make, and what is wrong with it."""

import io
import json

import pytest

from shareview.chat.messages import Message
from shareview.exports.errors import ExportError
from shareview.exports.jsonlines import JsonObject
from shareview.exports.limits import Limits
from shareview.exports.native import read_native
from shareview.exports.spool import Export, RecordKind, message_of

Record = dict[str, object]
DEFAULT_LIMITS = Limits()


def question(id: object = 1, **fields: object) -> Record:
    """A USER message."""
    return {"id": id, "role": "USER", "content": "Why?", **fields}


def answer(id: object = 2, **fields: object) -> Record:
    """An ASSISTANT message."""
    return {"id": id, "role": "ASSISTANT", "content": "Because.", **fields}


def artifact(message: object = 2, **fields: object) -> Record:
    """A citation artifact without spans."""
    return {"kind": "citation_artifact", "message": message, "version": 1, "status": "complete", **fields}


def jsonl(*records: Record) -> bytes:
    """The file of ``records``, one a line."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def export_of(*records: Record, limits: Limits = DEFAULT_LIMITS, lenient: bool = False) -> Export:
    """What the native reader makes of ``records``; close it."""
    return read_native(io.BytesIO(jsonl(*records)), limits=limits, lenient=lenient)


def fault_of(*records: Record, limits: Limits = DEFAULT_LIMITS, lenient: bool = False) -> ExportError:
    """The fault that ``records`` are refused for."""
    return fault_in(jsonl(*records), limits=limits, lenient=lenient)


def fault_in(data: bytes, *, limits: Limits = DEFAULT_LIMITS, lenient: bool = False) -> ExportError:
    """The fault that the file ``data`` is refused for."""
    with pytest.raises(ExportError) as caught:
        read_native(io.BytesIO(data), limits=limits, lenient=lenient).close()
    return caught.value


def message_from(record: Record) -> Message:
    """The message that ``record``, alone in a file, is read as."""
    return message_of(record_from(record))


def record_from(record: Record) -> JsonObject:
    """The record that is kept of message ``record``, alone in a file."""
    with export_of(record) as export:
        return export.record(export.records[0])


def notices_of(*records: Record, lenient: bool = False) -> list[str]:
    """What the reader tells the publisher about ``records``."""
    with export_of(*records, lenient=lenient) as export:
        return [str(notice) for notice in export.notices]


def messages_kept(*records: Record, lenient: bool = False) -> list[str]:
    """The ids of the messages that are kept; those of the outlines and of the records are the same."""
    with export_of(*records, lenient=lenient) as export:
        ids = [outline.id for outline in export.outlines]
        assert [record.id for record in export.records if record.kind is RecordKind.MESSAGE] == ids
        return ids
