"""Message records: what is read, what is kept of it, and what is refused (session-export, "kind: message")."""

import json
from datetime import UTC, datetime

import pytest
from export_records import (
    Record,
    answer,
    export_of,
    fault_of,
    message_from,
    messages_kept,
    notices_of,
    question,
    record_from,
)

from shareview.chat.messages import Approval, Attachment, RecordedCitation, Role, Status, ToolCall, Truncation
from shareview.chat.quotes import Quote, QuoteSource, Selector
from shareview.exports.limits import Limits

PIXEL = "data:image/png;base64,iVBORw0KGgo="
PIXEL_BYTES = b"\x89PNG\r\n\x1a\n"
PIXEL_SHA256 = "4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6"
CALL = ToolCall("c1", "web_search", '{"query": "cache"}')
NESTED_CALL: Record = {
    "id": "c1",
    "type": "function",
    "function": {"name": "web_search", "arguments": '{"query": "cache"}'},
}
FLAT_CALL: Record = {"id": "c1", "name": "web_search", "arguments": '{"query": "cache"}'}
QUOTE: Record = {"version": 1, "text": "words", "source": {"thread": "main", "message": 1, "title": "T"}}


def with_metadata(metadata: object) -> Record:
    return answer(metadata=metadata)


def test_every_field_is_read() -> None:
    message = message_from(
        {
            "kind": "message",
            "id": "m-1",
            "role": "ASSISTANT",
            "content": "  **Because**\r\n ",
            "reasoning": "hm",
            "model": "deepseek",
            "status": "cancelled",
            "created_at": "2026-10-12T09:00:00+08:00",
        }
    )
    assert message.id == "m-1"
    assert message.thread == "main"
    assert message.role is Role.ASSISTANT
    assert message.content == "  **Because**\r\n "
    assert (message.reasoning, message.model) == ("hm", "deepseek")
    assert message.status is Status.CANCELLED
    assert message.created_at == datetime(2026, 10, 12, 1, 0, tzinfo=UTC)


def test_fields_that_are_absent_or_null_take_their_defaults() -> None:
    nulls: Record = dict.fromkeys(
        (
            "thread",
            "reasoning",
            "model",
            "tool_calls",
            "tool_call_id",
            "metadata",
            "created_at",
            "status",
            "replaces",
            "quotes",
        )
    )
    for message in (message_from(question()), message_from(question(**nulls))):
        assert message.thread == "main"
        assert (message.reasoning, message.model, message.tool_call_id, message.replaces) == ("", "", "", "")
        assert (message.tool_calls, message.attachments, message.quotes) == ((), (), ())
        assert (message.citations, message.approval, message.truncation, message.created_at) == (None, None, None, None)
        assert message.status is Status.COMPLETED


@pytest.mark.parametrize(
    ("written", "role"),
    [("USER", Role.USER), ("user", Role.USER), ("System", Role.SYSTEM), ("aSSISTANT", Role.ASSISTANT)],
)
def test_a_role_is_read_in_any_case_and_kept_in_upper_case(written: str, role: Role) -> None:
    record: Record = {"id": 1, "role": written, "content": "x"}
    assert message_from(record).role is role
    assert record_from(record)["role"] == role.value


@pytest.mark.parametrize("role", ["robot", "", None, 1, ["USER"]])
def test_another_role_is_refused_with_those_there_are(role: object) -> None:
    fault = fault_of({"id": 1, "role": role, "content": "x"})
    assert (fault.line, fault.field, fault.expected) == (1, "role", "one of USER, ASSISTANT, TOOL, SYSTEM")


def test_a_message_in_camel_case_is_the_message_in_snake_case() -> None:
    sent = "2026-10-12T09:00:00Z"
    camel: Record = {"id": 2, "role": "tool", "content": "", "toolCallId": "c1", "createdAt": sent, "sessionId": 7}
    snake: Record = {"id": 2, "role": "TOOL", "content": "", "tool_call_id": "c1", "created_at": sent, "session_id": 7}
    assert message_from(camel) == message_from(snake)
    assert record_from(camel) == snake


def test_a_field_in_both_spellings_is_refused() -> None:
    fault = fault_of(question(createdAt=None, created_at=None))
    assert (fault.field, fault.expected) == ("created_at", "one spelling of the field")


def test_unknown_fields_are_kept_in_the_record_as_they_are() -> None:
    record = record_from(question(myField={"someKey": [1, 2.5]}, other_field=None))
    assert record["myField"] == {"someKey": [1, 2.5]}
    assert record["other_field"] is None


def test_a_record_gains_no_field_that_the_export_lacks() -> None:
    assert record_from(question()) == {"id": 1, "role": "USER", "content": "Why?"}


@pytest.mark.parametrize("calls", [[FLAT_CALL], [NESTED_CALL], json.dumps([FLAT_CALL]), json.dumps([NESTED_CALL])])
@pytest.mark.parametrize("name", ["tool_calls", "toolCalls"])
def test_calls_are_read_flat_or_nested_as_a_list_or_as_json_text(name: str, calls: object) -> None:
    assert message_from(answer(**{name: calls})).tool_calls == (CALL,)


def test_calls_in_json_text_are_kept_as_a_list() -> None:
    assert record_from(answer(toolCalls=json.dumps([NESTED_CALL])))["tool_calls"] == [NESTED_CALL]


def test_arguments_may_be_an_object_or_missing() -> None:
    calls = [{"id": 1, "name": "a", "arguments": {"q": "缓存"}}, {"id": "2", "name": "b"}]
    assert message_from(answer(tool_calls=calls)).tool_calls == (
        ToolCall("1", "a", '{"q": "缓存"}'),
        ToolCall("2", "b", ""),
    )


@pytest.mark.parametrize("calls", ["null", None, [], "[]"])
def test_no_calls_are_no_calls_in_any_form(calls: object) -> None:
    assert message_from(answer(tool_calls=calls)).tool_calls == ()


@pytest.mark.parametrize(
    ("calls", "field"),
    [
        ("{", "tool_calls"),
        ("", "tool_calls"),
        ("{}", "tool_calls"),
        ({}, "tool_calls"),
        (5, "tool_calls"),
        (["x"], "tool_calls[0]"),
        ([{"name": "a"}], "tool_calls[0].id"),
        ([FLAT_CALL, {"id": "2"}], "tool_calls[1].name"),
        ([{"id": "1", "function": {"arguments": ""}}], "tool_calls[0].function.name"),
        ([{"id": "1", "function": "f"}], "tool_calls[0].function"),
    ],
)
def test_calls_of_another_shape_are_refused_at_their_place(calls: object, field: str) -> None:
    fault = fault_of(question(), answer(tool_calls=calls))
    assert (fault.line, fault.field) == (2, field)


@pytest.mark.parametrize("role", ["USER", "TOOL", "SYSTEM"])
def test_only_assistant_messages_may_call_tools(role: str) -> None:
    fault = fault_of({"id": 1, "role": role, "content": "x", "tool_call_id": "c", "tool_calls": [FLAT_CALL]})
    assert str(fault) == f"line 1, tool_calls: found them on {role}, expected tool calls on ASSISTANT messages only"


def test_a_tool_result_names_the_call_it_answers() -> None:
    assert message_from({"id": 1, "role": "TOOL", "content": "", "toolCallId": 5}).tool_call_id == "5"
    fault = fault_of({"id": 1, "role": "TOOL", "content": ""})
    assert (fault.field, fault.found) == ("tool_call_id", "nothing")


def test_only_an_assistant_message_may_have_no_content() -> None:
    assert message_from({"id": 1, "role": "ASSISTANT", "content": None}).content == ""
    assert message_from({"id": 1, "role": "ASSISTANT"}).content == ""
    for role in ("USER", "TOOL", "SYSTEM"):
        assert fault_of({"id": 1, "role": role, "tool_call_id": "c"}).field == "content"


@pytest.mark.parametrize(
    ("fields", "field", "expected"),
    [
        ({"id": None}, "id", "a number or a text that is not empty"),
        ({"id": ""}, "id", "a number or a text that is not empty"),
        ({"id": 1.5}, "id", "a number or a text that is not empty"),
        ({"id": True}, "id", "a number or a text that is not empty"),
        ({"id": "x" * 513}, "id", "at most 512 characters"),
        ({"content": ["x"]}, "content", "text"),
        ({"reasoning": 1}, "reasoning", "text"),
        ({"model": {}}, "model", "text"),
        ({"thread": []}, "thread", "a number or a text that is not empty"),
        ({"created_at": "soon"}, "created_at", "a time in ISO 8601"),
        ({"created_at": 1760000000}, "created_at", "text"),
        ({"status": "done"}, "status", "one of completed, failed, cancelled, streaming"),
        ({"replaces": False}, "replaces", "a number or a text that is not empty"),
        ({"metadata": []}, "metadata", "null, an object or a JSON text of one"),
        ({"metadata": 5}, "metadata", "null, an object or a JSON text of one"),
    ],
)
def test_a_field_of_another_shape_is_refused(fields: Record, field: str, expected: str) -> None:
    fault = fault_of(question(0), answer(**{"id": 2, **fields}))
    assert (fault.line, fault.field, fault.expected) == (2, field, expected)


@pytest.mark.parametrize("status", ["completed", "failed", "cancelled", "streaming"])
def test_every_status_is_read(status: str) -> None:
    assert message_from(answer(status=status)).status.value == status


# Metadata


@pytest.mark.parametrize("metadata", [{"note": [1], "k": None}, '{"note": [1], "k": null}'])
def test_metadata_as_an_object_or_as_json_text_is_kept_as_an_object(metadata: object) -> None:
    assert record_from(with_metadata(metadata))["metadata"] == {"note": [1], "k": None}


@pytest.mark.parametrize(
    ("metadata", "notice"),
    [
        ("{broken", "line 1: metadata is no JSON (Expecting property name enclosed in double quotes at character 2)"),
        ("", "line 1: metadata is no JSON (Expecting value at character 1)"),
        ('{"a": NaN}', "line 1: metadata is NaN, which JSON does not know"),
    ],
)
def test_metadata_text_that_is_no_json_counts_as_null_and_is_noticed(metadata: str, notice: str) -> None:
    assert record_from(with_metadata(metadata))["metadata"] is None
    assert notices_of(with_metadata(metadata)) == [f"{notice} and counts as null"]


@pytest.mark.parametrize(("metadata", "found"), [("[1]", "a list"), ("5", "5"), ('"x"', '"x"')])
def test_json_text_of_something_else_counts_as_null_and_is_noticed(metadata: str, found: str) -> None:
    assert record_from(with_metadata(metadata))["metadata"] is None
    assert notices_of(with_metadata(metadata)) == [
        f"line 1: metadata is a JSON text of {found}, not of an object, and counts as null"
    ]


@pytest.mark.parametrize("metadata", [None, "null"])
def test_null_metadata_is_noticed_by_nobody(metadata: object) -> None:
    assert record_from(with_metadata(metadata))["metadata"] is None
    assert notices_of(with_metadata(metadata)) == []


def test_known_metadata_keys_are_read_and_kept_in_one_spelling() -> None:
    snake = with_metadata({"approval_mark": {"decision": "approved"}, "result_truncated": True})
    camel = with_metadata({"approvalMark": {"decision": "approved"}, "resultTruncated": True})
    assert record_from(snake) == record_from(camel) == camel


def test_a_metadata_key_in_both_spellings_is_refused_as_any_field_is() -> None:
    marks = {"approval_mark": {"decision": "approved"}, "approvalMark": {"decision": "rejected"}}
    fault = fault_of(with_metadata(marks))
    assert (fault.line, fault.expected) == (1, "one spelling of the field")


def test_an_original_length_is_kept_in_one_spelling() -> None:
    camel = with_metadata({"resultTruncated": {"originalLength": 9}})
    snake = with_metadata({"resultTruncated": {"original_length": 9}})
    assert message_from(camel).truncation == Truncation(9)
    assert record_from(camel) == record_from(snake) == snake


def test_unpacked_metadata_is_no_deeper_than_an_export_may_be() -> None:
    # Its record is written as an object: publishing the export again must find it within the same bound.
    limits = Limits(depth=3)
    with export_of(with_metadata('{"a": [[1]]}'), limits=limits) as export:
        again = export.record(export.records[0])
    with export_of({**again}, limits=limits) as export:
        assert export.record(export.records[0]) == again


def test_an_approval_is_read() -> None:
    mark = {"decision": "rejected", "by": "Ana", "at": "2026-10-12", "reason": "too dear"}
    assert message_from(with_metadata({"approvalMark": mark})).approval == Approval(
        False, "Ana", "2026-10-12", "too dear"
    )
    assert message_from(with_metadata({"approvalMark": {"decision": "approved"}})).approval == Approval(
        True, "", "", ""
    )


@pytest.mark.parametrize(
    ("mark", "field"),
    [
        ({"decision": "maybe"}, "metadata.approvalMark.decision"),
        ({}, "metadata.approvalMark.decision"),
        ({"decision": "approved", "by": 1}, "metadata.approvalMark.by"),
        ("approved", "metadata.approvalMark"),
    ],
)
def test_an_approval_of_another_shape_is_refused(mark: object, field: str) -> None:
    assert fault_of(with_metadata({"approvalMark": mark})).field == field


@pytest.mark.parametrize(
    ("value", "truncation"),
    [
        (True, Truncation(None)),
        ({"original_length": 90}, Truncation(90)),
        ({}, Truncation(None)),
        (False, None),
        (None, None),
    ],
)
def test_a_truncation_is_read(value: object, truncation: Truncation | None) -> None:
    assert message_from(with_metadata({"resultTruncated": value})).truncation == truncation


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ("yes", "metadata.resultTruncated"),
        (90, "metadata.resultTruncated"),
        ({"original_length": -1}, "metadata.resultTruncated.original_length"),
        ({"original_length": "90"}, "metadata.resultTruncated.original_length"),
    ],
)
def test_a_truncation_of_another_shape_is_refused(value: object, field: str) -> None:
    assert fault_of(with_metadata({"resultTruncated": value})).field == field


# Citations


def test_recorded_citations_are_read_and_a_missing_title_is_empty() -> None:
    listed = [
        {"n": 1, "url": "https://a.example/", "title": "A"},
        {"n": 3, "url": "javascript:x", "title": None, "extra": 1},
    ]
    for metadata in ({"citations": listed}, json.dumps({"citations": listed})):
        assert message_from(with_metadata(metadata)).citations == (
            RecordedCitation(1, "https://a.example/", "A"),
            RecordedCitation(3, "javascript:x", ""),
        )


def test_an_empty_list_of_citations_is_a_list_and_a_missing_one_is_none() -> None:
    assert message_from(with_metadata({"citations": []})).citations == ()
    assert message_from(with_metadata({"citations": None})).citations is None
    assert message_from(with_metadata({})).citations is None


@pytest.mark.parametrize(
    "entry",
    [
        "https://a.example/",
        None,
        {"url": "https://a.example/"},
        {"n": 0, "url": "https://a.example/"},
        {"n": -1, "url": "https://a.example/"},
        {"n": "1", "url": "https://a.example/"},
        {"n": True, "url": "https://a.example/"},
        {"n": 1.5, "url": "https://a.example/"},
        {"n": 1},
        {"n": 1, "url": None},
    ],
)
def test_a_malformed_citation_is_passed_over_and_noticed(entry: object) -> None:
    record = with_metadata({"citations": [entry, {"n": 2, "url": "https://b.example/", "title": "B"}]})
    assert message_from(record).citations == (RecordedCitation(2, "https://b.example/", "B"),)
    assert notices_of(record) == ["line 1: metadata.citations[0] has no whole n from 1 and no url, and is passed over"]


def test_citations_that_are_no_list_count_as_missing_and_are_noticed() -> None:
    record = with_metadata({"citations": {"n": 1}})
    assert message_from(record).citations is None
    assert notices_of(record) == ["line 1: metadata.citations is an object, not a list, and counts as missing"]


# Attachments


def test_the_bytes_of_an_attachment_are_kept_and_its_record_names_their_digest() -> None:
    attached = {"name": "dot.png", "mediaType": "image/png", "data": PIXEL, "size": 8, "extra": 1}
    with export_of(question(metadata={"attachments": [attached]})) as export:
        record = export.record(export.records[0])
        assert export.file(PIXEL_SHA256) == PIXEL_BYTES
    assert record["metadata"] == {
        "attachments": [
            {"name": "dot.png", "media_type": "image/png", "data": f"sha256:{PIXEL_SHA256}", "size": 8, "extra": 1}
        ]
    }
    assert message_from(question(metadata={"attachments": [attached]})).attachments == (
        Attachment("dot.png", "image/png", PIXEL_SHA256, "", 8),
    )


def test_base64_may_be_broken_into_lines_and_the_data_may_have_parameters() -> None:
    attached = {"name": "dot.png", "data": "data:image/png;name=a;base64,iVBORw0\n KGgo="}
    assert message_from(question(metadata=json.dumps({"attachments": [attached]}))).attachments == (
        Attachment("dot.png", "image/png", PIXEL_SHA256, "", None),
    )


def test_an_attachment_that_names_stored_bytes_is_kept_as_it_is() -> None:
    attached = {"name": "dot.png", "data": f"sha256:{PIXEL_SHA256}"}
    record = question(metadata={"attachments": [attached]})
    assert message_from(record).attachments == (Attachment("dot.png", "", PIXEL_SHA256, "", None),)
    assert record_from(record) == record


def test_an_attachment_may_be_a_name_alone_or_lie_elsewhere() -> None:
    attached = [{"name": "notes.txt"}, {"name": "far.pdf", "url": "https://a.example/far.pdf", "data": None}]
    assert message_from(question(metadata={"attachments": attached})).attachments == (
        Attachment("notes.txt", "", "", "", None),
        Attachment("far.pdf", "", "", "https://a.example/far.pdf", None),
    )


@pytest.mark.parametrize(
    ("attachments", "field", "expected"),
    [
        ("dot.png", "metadata.attachments", "a list"),
        (["dot.png"], "metadata.attachments[0]", "an object"),
        ([{"name": "a"}, {"url": "x"}], "metadata.attachments[1].name", "text"),
        ([{"name": "a", "size": -1}], "metadata.attachments[0].size", "a whole number from 0"),
        ([{"name": "a", "data": "iVBORw0KGgo="}], "metadata.attachments[0].data", "data:…;base64,… or sha256:…"),
        ([{"name": "a", "data": "data:text/plain,hi"}], "metadata.attachments[0].data", "data:…;base64,… or sha256:…"),
        ([{"name": "a", "data": "data:image/png;base64,%%%"}], "metadata.attachments[0].data", "base64"),
        ([{"name": "a", "data": "data:image/png;base64,iVBORw0KGgo"}], "metadata.attachments[0].data", "base64"),
        ([{"name": "a", "data": "data:image/png;base64,缓存"}], "metadata.attachments[0].data", "base64"),
        ([{"name": "a", "data": 5}], "metadata.attachments[0].data", "text"),
    ],
)
def test_an_attachment_of_another_shape_is_refused_at_its_place(attachments: object, field: str, expected: str) -> None:
    fault = fault_of(question(metadata={"attachments": attachments}))
    assert (fault.line, fault.field, fault.expected) == (1, field, expected)


def test_more_attachments_than_the_bound_are_refused_with_the_bound() -> None:
    record = question(metadata={"attachments": [{"name": "a"}, {"name": "b"}, {"name": "c"}]})
    assert str(fault_of(record, limits=Limits(attachments=2))) == (
        "line 1, metadata.attachments: found 3, expected at most 2 items"
    )


def test_a_text_longer_than_the_bound_is_refused_with_the_bound() -> None:
    assert str(fault_of(question(content="123456"), limits=Limits(text_length=5))) == (
        "line 1, content: found 6, expected at most 5 characters"
    )


# Quotes


def test_a_quote_is_read_with_its_source_and_its_selector() -> None:
    selector = {"exact": "words", "prefix": "some ", "suffix": ".", "start": 5, "end": 10}
    assert message_from(question(quotes=[{**QUOTE, "selector": selector}])).quotes == (
        Quote("words", QuoteSource("main", "1", "T"), Selector("words", "some ", ".", 5, 10)),
    )


def test_a_quote_may_lack_source_and_selector() -> None:
    assert message_from(question(quotes=[{"version": 1, "text": "w", "source": None}])).quotes == (
        Quote("w", None, None),
    )


def test_a_selector_may_be_its_words_alone() -> None:
    quote: Record = {"version": 1, "text": "w", "source": None, "selector": {"exact": "w"}}
    assert message_from(question(quotes=[quote])).quotes == (Quote("w", None, Selector("w", "", "", None, None)),)


@pytest.mark.parametrize("role", ["ASSISTANT", "TOOL", "SYSTEM"])
def test_only_questions_may_quote(role: str) -> None:
    fault = fault_of({"id": 1, "role": role, "content": "x", "tool_call_id": "c", "quotes": [QUOTE]})
    assert str(fault) == f"line 1, quotes: found them on {role}, expected quotes on USER messages only"


@pytest.mark.parametrize(
    ("quote", "field"),
    [
        ({"version": 2, "text": "w"}, "quotes[0].version"),
        ({"version": "1", "text": "w"}, "quotes[0].version"),
        ({"version": True, "text": "w"}, "quotes[0].version"),
        ({"text": "w"}, "quotes[0].version"),
        ({"version": 1}, "quotes[0].text"),
        ({"version": 1, "text": "w", "source": "main"}, "quotes[0].source"),
        ({"version": 1, "text": "w", "source": {"thread": "main"}}, "quotes[0].source.message"),
        ({"version": 1, "text": "w", "source": {"message": 1}}, "quotes[0].source.thread"),
        ({"version": 1, "text": "w", "selector": {"prefix": "a"}}, "quotes[0].selector.exact"),
        ({"version": 1, "text": "w", "selector": {"exact": "w", "start": -1}}, "quotes[0].selector.start"),
        ("w", "quotes[0]"),
    ],
)
def test_a_quote_of_another_shape_is_refused_at_its_place(quote: object, field: str) -> None:
    assert fault_of(question(quotes=[quote])).field == field


def test_more_quotes_than_the_bound_are_refused_with_the_bound() -> None:
    quotes = [{"version": 1, "text": "w"}] * 3
    assert str(fault_of(question(quotes=quotes), limits=Limits(quotes=2))) == (
        "line 1, quotes: found 3, expected at most 2 items"
    )


def test_a_message_without_a_kind_is_a_message() -> None:
    assert messages_kept(question(1), answer(2, kind="message")) == ["1", "2"]
