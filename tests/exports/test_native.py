"""The native export as a whole: records in their order, what only the whole file can break, bounds, leniency."""

import io
import json
from datetime import UTC, datetime
from importlib.resources import files
from typing import BinaryIO, cast

import pytest
from export_records import (
    Record,
    answer,
    artifact,
    export_of,
    fault_in,
    fault_of,
    jsonl,
    messages_kept,
    notices_of,
    question,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from shareview.chat.messages import Role
from shareview.chat.quotes import Selector
from shareview.chat.sessions import Fork, Session, Thread, ThreadState
from shareview.exports.errors import ExportError
from shareview.exports.jsonlines import canonical
from shareview.exports.limits import Limits
from shareview.exports.native import read_native
from shareview.exports.spool import RecordKind

SAMPLES = ("battery.en.jsonl", "claims.zh.jsonl", "deadline.zh.jsonl", "threads.zh.jsonl")


def thread(id: object, **fields: object) -> Record:
    return {"kind": "thread", "id": id, **fields}


def session(**fields: object) -> Record:
    return {"kind": "session", **fields}


# The plain export of a chat back end, and the file as a stream


def test_a_plain_export_of_messages_is_a_session_with_one_thread() -> None:
    asked = '{"id": 1, "role": "user", "content": "为什么？"}\n'
    answered = '{"id": 2, "role": "assistant", "content": "因为。"}\n'
    with read_native(io.BytesIO((asked + answered).encode())) as export:
        assert export.threads == [Thread("main", "", None, None, ThreadState.ACTIVE)]
        assert [(o.id, o.role, o.thread) for o in export.outlines] == [
            ("1", Role.USER, "main"),
            ("2", Role.ASSISTANT, "main"),
        ]
        assert export.session == Session()
        assert export.record(export.records[1]) == {"id": 2, "role": "ASSISTANT", "content": "因为。"}
        assert export.notices == []


def test_a_byte_order_mark_blank_lines_and_a_missing_last_line_end_are_accepted() -> None:
    data = b"\xef\xbb\xbf" + jsonl(question(1)) + b"\n \r\n" + jsonl(answer(2)).rstrip(b"\n")
    with read_native(io.BytesIO(data)) as export:
        assert [(record.id, record.line) for record in export.records] == [("1", 1), ("2", 4)]


def test_a_file_is_read_line_by_line_and_never_as_a_whole() -> None:
    class OnlyLines:
        def __init__(self) -> None:
            self.lines = io.BytesIO(jsonl(question(1), answer(2)))

        def readline(self, size: int) -> bytes:
            assert 0 < size <= 67_108_866
            return self.lines.readline(size)

    with read_native(cast(BinaryIO, OnlyLines())) as export:
        assert len(export.records) == 2


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf", jsonl(session(id="s"), thread("main"))])
def test_a_file_without_a_message_is_refused(data: bytes) -> None:
    assert str(fault_in(data)) == "the file: found none, expected at least one message"


@pytest.mark.parametrize("kind", ["Message", "note", None, 3, ["message"]])
def test_an_unknown_kind_is_refused_with_those_there_are(kind: object) -> None:
    fault = fault_of(question(1), {**answer(2), "kind": kind})
    assert (fault.line, fault.field, fault.expected) == (
        2,
        "kind",
        "one of session, thread, message, citation_artifact",
    )


def test_a_fault_names_the_line_of_the_file_blank_ones_counted() -> None:
    assert str(fault_in(b"\n" + jsonl(question(1)) + b"\n" + b'{"id": 2, "role": "robot"}\n')) == (
        'line 4, role: found "robot", expected one of USER, ASSISTANT, TOOL, SYSTEM'
    )


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_read_and_what_was_kept_of_it_is_read_the_same_again(name: str) -> None:
    with read_native(io.BytesIO((files("shareview.shares") / "samples" / name).read_bytes())) as export:
        kept = [canonical(export.record(record)) for record in export.records] + [a.record for a in export.artifacts]
        outlines, threads, opened = export.outlines, export.threads, export.session
    with read_native(io.BytesIO("".join(line + "\n" for line in kept).encode())) as again:
        assert [canonical(again.record(r)) for r in again.records] + [a.record for a in again.artifacts] == kept
        assert (again.outlines, again.threads, again.session) == (outlines, threads, opened)


# The session record and session ids


def test_the_session_record_is_read_in_either_spelling() -> None:
    record = session(id=7, title="Caches", exportedAt="2026-10-12T09:00:00+08:00", app="chat", model="m", own=1)
    with export_of(record, question()) as export:
        assert export.session == Session("7", "Caches", datetime(2026, 10, 12, 1, 0, tzinfo=UTC), "chat", "m")
        assert export.records[0].kind is RecordKind.SESSION
        assert export.record(export.records[0]) == session(
            id=7, title="Caches", exported_at="2026-10-12T09:00:00+08:00", app="chat", model="m", own=1
        )


@pytest.mark.parametrize(
    ("fields", "field", "expected"),
    [
        ({"exported_at": "2026-10-12T09:00:00"}, "exported_at", "a time in ISO 8601 with an offset"),
        ({"exported_at": "today"}, "exported_at", "a time in ISO 8601 with an offset"),
        ({"title": 5}, "title", "text"),
        ({"id": []}, "id", "a number or a text that is not empty"),
        ({"exportedAt": None, "exported_at": None}, "exported_at", "one spelling of the field"),
    ],
)
def test_a_session_record_of_another_shape_is_refused(fields: Record, field: str, expected: str) -> None:
    fault = fault_of(session(**fields), question())
    assert (fault.line, fault.field, fault.expected) == (1, field, expected)


@pytest.mark.parametrize("before", [[question()], [thread("main")], [session(id="s")]])
def test_a_session_record_that_is_not_the_first_record_is_refused(before: list[Record]) -> None:
    fault = fault_of(*before, session(id="s"), question(5))
    assert str(fault) == "line 2, kind: found one here, expected at most one session record, and that first"


def test_blank_lines_may_stand_before_the_session_record() -> None:
    with read_native(io.BytesIO(b"\n\n" + jsonl(session(id="s"), question()))) as export:
        assert export.session.id == "s"


def test_without_a_session_record_the_session_is_called_as_its_messages_say() -> None:
    with export_of(question(1), answer(2, sessionId=7), question(3, session_id="7")) as export:
        assert export.session.id == "7"


def test_the_session_record_decides_over_the_messages() -> None:
    with export_of(session(id="s"), question(1, sessionId=7)) as export:
        assert export.session.id == "s"


def test_two_session_ids_in_one_file_are_refused() -> None:
    fault = fault_of(question(1, sessionId=7), answer(2), question(3, sessionId=8))
    assert (fault.line, fault.field, fault.found, fault.expected) == (
        3,
        "session_id",
        "8",
        "7, as in the messages before",
    )


# Ids and their order


def test_ids_are_unique_in_the_file_and_compared_as_text() -> None:
    fault = fault_of(thread("A"), thread("B"), question(1, thread="A"), question("1", thread="B"))
    assert (fault.line, fault.field, fault.expected) == (4, "id", "an id not used before (line 3 has it)")


@pytest.mark.parametrize("second", [4, "4", "004", "05"])
def test_a_number_that_does_not_ascend_within_its_thread_is_refused(second: object) -> None:
    fault = fault_of(question(5), answer(second))
    assert (fault.line, fault.field, fault.expected) == (2, "id", "a number above 5, the one before in this thread")


def test_numbers_below_0_ascend_too() -> None:
    assert fault_of(question(5), answer(-6)).field == "id"


def test_numbers_are_compared_as_numbers_and_within_a_thread_only() -> None:
    records = [thread("A"), thread("B"), question(9, thread="A"), question(2, thread="B"), answer(10, thread="A")]
    assert messages_kept(*records, answer("m", thread="A"), question(11, thread="A"), answer(3, thread="B")) == [
        "9", "2", "10", "m", "11", "3",
    ]  # fmt: skip


def test_each_thread_counts_its_own_numbers() -> None:
    fault = fault_of(thread("A"), thread("B"), question(9, thread="A"), question(2, thread="B"), answer(8, thread="A"))
    assert (fault.line, fault.expected) == (5, "a number above 9, the one before in this thread")


def test_texts_may_stand_in_any_order() -> None:
    assert messages_kept(question("b"), answer("a"), question("a2"), answer("1-0")) == ["b", "a", "a2", "1-0"]


# Threads


def test_threads_are_read_with_parent_fork_and_state() -> None:
    selector = {"exact": "words", "start": 3, "end": 8}
    records = [
        thread("A", title="Main line"),
        thread(2, parent="A", fork={"message": "a1", "selector": selector}, state="archived"),
        thread("D", parent="A", fork=None, state="deleted"),
        question("a1", thread="A"),
        question("b1", thread=2),
    ]
    with export_of(*records) as export:
        assert export.threads == [
            Thread("A", "Main line", None, None, ThreadState.ACTIVE),
            Thread("2", "", "A", Fork("a1", Selector("words", "", "", 3, 8)), ThreadState.ARCHIVED),
            Thread("D", "", "A", None, ThreadState.DELETED),
        ]
        assert [outline.thread for outline in export.outlines] == ["A", "2"]
        assert export.notices == []


def test_a_thread_may_stand_after_its_branches_and_its_messages() -> None:
    with export_of(question("b1", thread="B"), thread("B", parent="A"), thread("A")) as export:
        assert [thread.id for thread in export.threads] == ["B", "A"]


@pytest.mark.parametrize(
    ("record", "field"),
    [
        (thread(None), "id"),
        (thread("A", state="gone"), "state"),
        (thread("A", title=1), "title"),
        (thread("A", fork="m"), "fork"),
        (thread("A", fork={"selector": None}), "fork.message"),
        (thread("A", fork={"message": 1, "selector": {}}), "fork.selector.exact"),
        (thread("A", parent=[]), "parent"),
    ],
)
@pytest.mark.parametrize("lenient", [False, True])
def test_a_thread_of_another_shape_is_refused_leniently_too(record: Record, field: str, lenient: bool) -> None:
    fault = fault_of(record, question(1, thread="A"), lenient=lenient)
    assert (fault.line, fault.field) == (1, field)


def test_a_thread_declared_twice_is_refused() -> None:
    fault = fault_of(thread(1), thread("1"), question(1, thread="1"))
    assert (fault.line, fault.field, fault.expected) == (2, "id", "an id not used before (line 1 has it)")


def test_a_thread_of_an_unknown_parent_is_refused() -> None:
    fault = fault_of(thread("A"), thread("B", parent="Z"), question(1, thread="A"))
    assert str(fault) == 'line 2, parent: found "Z", expected one of the threads A, B'


@pytest.mark.parametrize(
    "threads",
    [
        [thread("A", parent="A")],
        [thread("A", parent="B"), thread("B", parent="A")],
        [thread("A", parent="C"), thread("B", parent="A"), thread("C", parent="B")],
    ],
)
def test_threads_in_a_circle_are_refused(threads: list[Record]) -> None:
    fault = fault_of(*threads, question(1, thread="A"))
    assert (fault.line, fault.field) == (1, "parent")
    assert fault.expected == "a thread that does not descend from this one"


def test_a_message_of_a_thread_that_is_not_declared_is_refused() -> None:
    assert str(fault_of(thread("A"), question(1, thread="A"), answer(2))) == (
        'line 3, thread: found "main", expected one of the threads A'
    )
    assert fault_of(question(1, thread="A")).field == "thread"


def test_a_fork_at_a_message_of_another_thread_is_noticed() -> None:
    records = [thread("A"), thread("B", parent="A", fork={"message": "b1"}), question("a1", thread="A")]
    assert notices_of(*records, question("b1", thread="B")) == ["line 2: the fork's message is not in thread A"]


def test_a_quote_of_an_unknown_message_is_noticed() -> None:
    quote = {"version": 1, "text": "w", "source": {"thread": "main", "message": "zz"}}
    assert notices_of(question("a", quotes=[quote])) == [
        "line 1: a quote in message a names no message of this session"
    ]
    known = {"version": 1, "text": "w", "source": {"thread": "main", "message": "a"}}
    assert notices_of(question("a"), answer("b"), question("c", quotes=[known])) == []


# Versions


def test_a_message_may_replace_an_earlier_one_of_its_thread_and_role() -> None:
    with export_of(question(1), answer(2), answer(3, replaces=2), answer(4, replaces="3")) as export:
        assert [outline.replaces for outline in export.outlines] == ["", "", "2", "3"]


@pytest.mark.parametrize(
    "later",
    [
        answer(3, replaces=1),
        answer(3, replaces=9),
        answer(3, replaces=3),
        answer(3, replaces=4),
        question(3, replaces=2),
        answer(3, thread="B", replaces=2),
    ],
)
def test_a_message_cannot_replace_another_thread_role_or_time(later: Record) -> None:
    records = [
        thread("main"),
        thread("B"),
        question(1),
        answer(2),
        later,
        answer(4, thread=later.get("thread", "main")),
    ]
    fault = fault_of(*records)
    assert (fault.line, fault.field) == (5, "replaces")
    assert fault.expected == f"an earlier {later['role']} message of thread {later.get('thread', 'main')}"


def test_a_message_is_replaced_at_most_once() -> None:
    fault = fault_of(question(1), answer(2), answer(3, replaces=2), answer(4, replaces=2))
    assert (fault.line, fault.field, fault.expected) == (4, "replaces", "a message that nothing else replaces")


# Bounds


def test_a_line_beyond_its_bound_is_refused_leniently_too() -> None:
    for lenient in (False, True):
        fault = fault_of(question(1), answer(2, content="x" * 200), limits=Limits(line_bytes=100), lenient=lenient)
        assert str(fault) == "line 2: found a longer line, expected at most 100 bytes a line"


def test_a_file_beyond_its_bound_is_refused_leniently_too() -> None:
    for lenient in (False, True):
        fault = fault_of(question(1), answer(2), limits=Limits(file_bytes=60), lenient=lenient)
        assert str(fault) == "line 2: found more, expected at most 60 bytes in all"


def test_levels_beyond_their_bound_are_refused() -> None:
    assert str(fault_of(question(1, own=[[1]]), limits=Limits(depth=2))) == (
        "line 1: found more than 2 levels, expected one JSON object"
    )


def test_as_many_records_as_the_bound_are_read() -> None:
    with export_of(session(), question(1), answer(2), artifact(2), limits=Limits(records=4)) as export:
        assert len(export.outlines) == 2


@pytest.mark.parametrize(
    "records",
    [
        [question(1), answer(2), question(3), answer(4)],
        [session(), thread("main"), question(1), answer(2)],
        [question(1), answer(2), artifact(2), artifact(2)],
    ],
)
def test_a_record_beyond_the_bound_is_refused_whatever_it_holds(records: list[Record]) -> None:
    for lenient in (False, True):
        fault = fault_of(*records, limits=Limits(records=3), lenient=lenient)
        assert str(fault) == "line 4: found more, expected at most 3 records"


# Leniency


def test_leniently_bad_messages_are_passed_over_and_each_is_listed() -> None:
    data = (
        jsonl(question(1))
        + b"{broken\n"
        + b'{"id": 2, "role": "robot", "content": "x"}\n'
        + jsonl(answer(1), answer(3, replaces=9), answer(4, status="?"), answer(5))
    )
    with read_native(io.BytesIO(data), lenient=True) as export:
        assert [outline.id for outline in export.outlines] == ["1", "5"]
        broken, *others = [str(notice) for notice in export.notices]
        assert broken == (
            "passed over: line 2: found no JSON (Expecting property name enclosed in double quotes at character 2), "
            "expected one JSON object"
        )
        assert others == [
            'passed over: line 3, role: found "robot", expected one of USER, ASSISTANT, TOOL, SYSTEM',
            "passed over: line 4, id: found 1, expected an id not used before (line 1 has it)",
            "passed over: line 5, replaces: found 9, expected an earlier ASSISTANT message of thread main",
            'passed over: line 6, status: found "?", expected one of completed, failed, cancelled, streaming',
        ]


def test_leniently_a_message_of_an_undeclared_thread_is_passed_over() -> None:
    records = [thread("A"), question(1, thread="A"), answer(2, thread="B"), answer(3, thread="A")]
    assert messages_kept(*records, lenient=True) == ["1", "3"]
    assert notices_of(*records, lenient=True) == [
        'passed over: line 3, thread: found "B", expected one of the threads A'
    ]


def test_leniently_an_artifact_of_a_message_passed_over_is_refused() -> None:
    for bad in (answer(2, status="?"), answer(2, thread="B")):
        fault = fault_of(thread("A"), question(1, thread="A"), bad, artifact(2), lenient=True)
        assert (fault.line, fault.field) == (4, "message")


def test_leniently_a_message_passed_over_does_not_name_the_session() -> None:
    records = [question(1, sessionId="old", replaces="zz"), question(2, sessionId="new"), answer(3, sessionId="new")]
    assert messages_kept(*records, lenient=True) == ["2", "3"]


def test_leniently_a_message_passed_over_leaves_its_id_and_its_number_free() -> None:
    assert messages_kept(question(5, status="?"), question(1), answer(5), lenient=True) == ["1", "5"]


def test_leniently_a_notice_about_a_message_passed_over_is_its_fault_alone() -> None:
    assert notices_of(question(1), answer(2, metadata="{", status="?"), lenient=True) == [
        'passed over: line 2, status: found "?", expected one of completed, failed, cancelled, streaming'
    ]


@pytest.mark.parametrize(
    "records",
    [
        [question(1), session(id="s")],
        [{"kind": "note"}, question(1)],
        [thread("A", parent="Z"), question(1, thread="A")],
        [question(1, role="robot")],
    ],
)
def test_leniently_all_other_faults_are_still_refused(records: list[Record]) -> None:
    assert str(fault_of(*records, lenient=True))


# Whatever comes

NAMES = st.sampled_from(
    [
        "kind", "id", "thread", "role", "content", "tool_calls", "toolCallId", "metadata", "createdAt",
        "status", "replaces", "quotes", "sessionId", "title", "parent", "fork", "state", "exported_at",
        "message", "version", "spans", "evidence_blocks", "annotations", "verdicts", "judge",
    ]
)  # fmt: skip
INNER_NAMES = st.sampled_from(
    [
        "id", "name", "function", "arguments", "citations", "attachments", "approvalMark",
        "resultTruncated", "originalLength", "decision", "n", "url", "data", "size", "version", "text",
        "source", "selector", "thread", "message", "exact", "start", "span_id", "kind", "block_ids",
        "verdict",
    ]
)  # fmt: skip
LEAVES = st.none() | st.booleans() | st.integers(-2, 9) | st.floats(-9, 9) | st.text(max_size=4)
LEAVES |= st.sampled_from(["USER", "assistant", "main", "sha256:00", "data:;base64,AA==", "[{}]", '{"citations": [1]}'])
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(INNER_NAMES, inner, max_size=4)
)
BASES = st.sampled_from(
    [question(), answer(), {**answer(), "role": "TOOL", "tool_call_id": "c"}, thread("main"), session(), artifact(1)]
)
RECORDS = st.builds(lambda base, fields: {**base, **fields}, BASES, st.dictionaries(NAMES, VALUES, max_size=4))


def refused_or_read(data: bytes, *, lenient: bool) -> None:
    try:
        export = read_native(io.BytesIO(data), lenient=lenient)
    except ExportError:
        return
    with export:
        assert len(export.outlines) >= 1
        for record in export.records:
            assert canonical(export.record(record)).startswith("{")


@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_are_read_or_refused_with_a_fault(data: bytes, lenient: bool) -> None:
    refused_or_read(data, lenient=lenient)


@settings(max_examples=150)
@given(st.lists(RECORDS, max_size=4), st.booleans())
def test_any_values_in_known_fields_are_read_or_refused_with_a_fault(records: list[Record], lenient: bool) -> None:
    data = "".join(json.dumps(record) + "\n" for record in records)
    refused_or_read(data.encode(), lenient=lenient)
