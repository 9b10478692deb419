"""An export kept on disk."""

import pytest
from export_records import export_of, question

from shareview.exports.errors import ExportError
from shareview.exports.limits import Limits
from shareview.exports.spool import Export, RecordKind, message_of


def test_a_record_comes_back_as_it_was_put_in_and_afresh_each_time() -> None:
    with Export(Limits()) as export:
        export.add(RecordKind.MESSAGE, "1", 4, {"id": 1, "content": "第一\n"})
        export.add(RecordKind.MESSAGE, "2", 5, {"id": 2, "content": "second"})
        first, second = export.records
        assert (first.id, first.line) == ("1", 4)
        assert export.record(second) == {"id": 2, "content": "second"}
        export.record(first)["content"] = "changed"
        assert export.record(first) == {"id": 1, "content": "第一\n"}


def test_the_same_bytes_are_kept_once_under_their_digest() -> None:
    with Export(Limits()) as export:
        name = export.keep_bytes(b"abc")
        assert name == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        export.add(RecordKind.SESSION, "", 1, {"kind": "session"})
        assert export.keep_bytes(b"abc") == name
        assert export.file(name) == b"abc"
        assert export.record(export.records[0]) == {"kind": "session"}
        assert export.file("0" * 64) is None
        export.add(RecordKind.MESSAGE, "1", 2, {"id": 1})
        first, second = export.records
        assert second.offset == first.offset + first.length


def test_after_closing_nothing_can_be_read() -> None:
    export = export_of(question())
    export.close()
    with pytest.raises(ValueError, match="closed"):
        export.record(export.records[0])


def test_a_normalised_record_gives_its_message_and_a_bad_one_its_fault() -> None:
    assert message_of({"id": 3, "role": "USER", "content": "Hi"}).content == "Hi"
    with pytest.raises(ExportError, match="content"):
        message_of({"id": 3, "role": "USER"})
