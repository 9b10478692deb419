"""The readers by name."""

import io

from export_records import jsonl, question

from shareview.exports.formats import NATIVE, READERS


def test_the_native_format_reads_under_its_name() -> None:
    assert NATIVE == "native"
    with READERS["native"](io.BytesIO(jsonl(question("m-1")))) as export:
        assert [outline.id for outline in export.outlines] == ["m-1"]
