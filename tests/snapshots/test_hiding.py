"""What a publisher leaves out is not in the snapshot, the record says so, and citations stay as they were checked."""

import json

import pytest
from sessions import FreezeRecords, PublishRecords, freeze_bytes, sample_records, turn
from stored_words import stored_words

from shareview.chat.messages import HiddenPart
from shareview.exports.spool import message_of
from shareview.pages.exports import export_jsonl
from shareview.snapshots.derived import shown_citations
from shareview.snapshots.freezing import Freeze
from shareview.snapshots.hiding import Hiding, read_hiding
from shareview.snapshots.models import Snapshot
from shareview.snapshots.selection import FreezeError
from shareview.snapshots.withholding import Withholding

THREE = [{"title": f"T{n}", "url": f"https://{n}.example/", "content": f"Passage {n} of it."} for n in (1, 2, 3)]


def hidden(**parts: object) -> Withholding:
    return Withholding(Hiding(**parts))  # type: ignore[arg-type] # of one type each, given by name


def record(snapshot: Snapshot, id: str) -> dict[str, object]:
    value: dict[str, object] = json.loads(snapshot.records.get(kind="message", record_id=id).line)
    return value


@pytest.fixture
def without_tools(freeze: FreezeRecords) -> Freeze:
    """An answer that cites the second of three results, which are left out."""
    return freeze(turn("Passage 2 of it[^2^]. More[^1^].", results=THREE), withholding=hidden(tools=True))


def test_a_result_that_is_left_out_keeps_the_registry_of_what_is_cited(freeze: FreezeRecords) -> None:
    frozen = freeze(turn("It says so[^2^].", results=THREE), withholding=hidden(tools=True)).snapshot
    result = record(frozen, "3")
    assert result == {
        "id": 3, "role": "TOOL", "tool_call_id": "c1", "hidden": ["content"],
        "content": '{"results": [{"hidden": true}, {"title": "T2", "url": "https://2.example/"}, {"hidden": true}]}',
    }  # fmt: skip
    assert record(frozen, "2")["tool_calls"] == [{"arguments": "{}", "id": "c1", "name": "web_search"}]


def test_citations_stay_as_checked_and_their_passages_go(freeze: FreezeRecords) -> None:
    frozen = freeze(turn("Passage 2 of it[^2^]. And 3[^3^].", results=THREE), withholding=hidden(tools=True)).snapshot
    answer = frozen.rendered.get(message_id="4")
    assert [(c.n, c.title) for c in shown_citations(answer)] == [(2, "T2"), (3, "T3")]
    assert answer.citations_verified
    assert [[p.passage for p in c.passages] for c in shown_citations(answer)] == [[None], [None]]
    assert 'data-n="3"' in answer.html


def test_no_word_of_a_hidden_result_is_stored(without_tools: Freeze) -> None:
    words = stored_words()
    assert "Passage 3" not in words
    assert "https://3.example/" not in words
    assert "https://2.example/" in words


def test_a_forged_citation_is_dropped_from_hidden_results_too(freeze: FreezeRecords) -> None:
    forged = [{"n": 3, "url": "https://forged.example/", "title": "F"}, {"n": 2, "url": "https://2.example/"}]
    records = turn("A[^2^][^3^].", results=THREE, metadata={"citations": forged})
    frozen = freeze(records, withholding=hidden(tools=True))
    assert [citation.url for _, citation in frozen.dropped] == ["https://forged.example/"]
    assert [c.n for c in shown_citations(frozen.snapshot.rendered.get(message_id="4"))] == [2]


def test_an_address_that_only_a_hidden_result_had_cannot_be_cited_later(publish: PublishRecords) -> None:
    share = publish(turn("A[^2^].", results=THREE), withholding=hidden(tools=True))
    lines = [json.loads(line) for line in export_jsonl(share).splitlines()]
    lines[-1]["content"] = "A[^2^][^1^]."
    lines[-1]["metadata"]["citations"].append({"n": 1, "url": " 0", "title": ""})
    again = freeze_bytes("".join(json.dumps(line) + "\n" for line in lines).encode())
    assert [c.n for c in shown_citations(again.snapshot.rendered.get(message_id="4"))] == [2]


@pytest.mark.parametrize(
    "withholding", [hidden(tools=True), hidden(reasoning=True), hidden(messages=frozenset({"1", "4"}))]
)
def test_the_export_published_again_gives_the_same_snapshot(publish: PublishRecords, withholding: Withholding) -> None:
    share = publish(turn("A[^2^].", results=THREE, reasoning="Hm."), withholding=withholding)
    assert freeze_bytes(export_jsonl(share).encode()).snapshot == share.snapshot


def test_reasoning_is_left_out_whatever_a_provider_calls_it(freeze: FreezeRecords) -> None:
    records = turn("A.", reasoning="Secretly.", reasoning_details=[{"text": "Secretly."}], thinkingBlocks=["Secretly."])
    frozen = freeze(records, withholding=hidden(reasoning=True)).snapshot
    assert record(frozen, "4") == {"id": 4, "role": "ASSISTANT", "content": "A.", "hidden": ["reasoning"]}
    assert "Secretly" not in stored_words()
    assert frozen.hidden_reasonings == 1


def test_a_message_that_is_left_out_leaves_its_place(freeze: FreezeRecords) -> None:
    records = [*turn("Answer of old.", note="of old"), *turn("Second answer.", first=5)]
    frozen = freeze(records, withholding=hidden(messages=frozenset({"1", "4"}))).snapshot
    assert record(frozen, "4") == {"id": 4, "role": "ASSISTANT", "content": "", "hidden": ["content"]}
    assert "of old" not in stored_words()
    assert frozen.hidden_messages == 2
    assert [(m.message_id, m.part) for m in frozen.rendered.exclude(part="step")] == [
        ("1", "question"), ("4", "answer"), ("5", "question"), ("8", "answer"),
    ]  # fmt: skip
    assert frozen.title == "Question 5?"


def test_a_quote_of_a_hidden_message_says_no_word_of_it(freeze: FreezeRecords) -> None:
    quote = {"version": 1, "text": "First answer", "source": {"thread": "main", "message": "4"},
             "selector": {"exact": "First answer"}}  # fmt: skip
    second = turn("Second answer.", first=5)
    second[0]["quotes"] = [quote]
    frozen = freeze([*turn("First answer."), *second], withholding=hidden(messages=frozenset({"4"}))).snapshot
    assert frozen.quotes.get().state == "absent"
    assert "First answer" not in stored_words()


def test_evidence_of_hidden_results_goes_and_verdicts_stay(freeze: FreezeRecords) -> None:
    records = sample_records("claims.zh.jsonl")
    blocks = [b for r in records if r.get("kind") == "citation_artifact" for b in r.get("evidence_blocks", [])]  # type: ignore[attr-defined] # a list
    shown = freeze(records).snapshot
    verdicts = [json.loads(line).get("verdicts") for line in shown.artifacts.values_list("line", flat=True)]
    assert any(verdicts)
    frozen = freeze(records, withholding=hidden(tools=True)).snapshot
    lines = [json.loads(line) for line in frozen.artifacts.values_list("line", flat=True)]
    assert len(blocks) > 1
    assert {block["text"] for line in lines for block in line.get("evidence_blocks", [])} == {""}
    kept = [[(v["annotation_id"], v["verdict"]) for v in line.get("verdicts", [])] for line in lines]
    assert kept == [[(v["annotation_id"], v["verdict"]) for v in one or []] for one in verdicts]


def test_a_message_that_is_not_there_cannot_be_left_out(freeze: FreezeRecords) -> None:
    with pytest.raises(FreezeError, match="--hide-message 99: no message of this id"):
        freeze(turn("A."), withholding=hidden(messages=frozenset({"99"})))


def test_what_can_be_left_out_is_named() -> None:
    assert read_hiding(["reasoning,tools"]) == Hiding(reasoning=True, tools=True)
    assert read_hiding([], ["a,b"]) == Hiding(messages=frozenset({"a,b"}))
    with pytest.raises(ValueError, match="a list of reasoning and tools"):
        read_hiding(["names"])


@pytest.mark.parametrize("content", ['{"results": [{"url": "https://x/", "title": "t", "content": "words"}]}', "text"])
def test_a_result_that_holds_words_is_not_taken_for_left_out(content: str) -> None:
    said = {"id": 1, "role": "TOOL", "tool_call_id": "c", "content": content, "hidden": ["content"]}
    assert message_of(said).hidden == frozenset()  # type: ignore[arg-type] # a JSON object
    bare = {**said, "content": '{"results": [{"hidden": true}]}'}
    assert message_of(bare).hidden == {HiddenPart.CONTENT}  # type: ignore[arg-type] # a JSON object


@pytest.mark.parametrize("hidden_field", [True, "content", ["nonsense"], {"content": True}])
def test_a_field_of_that_name_that_means_something_else_is_kept_and_ignored(
    freeze: FreezeRecords, hidden_field: object
) -> None:
    frozen = freeze([{"id": 1, "role": "user", "content": "Q", "hidden": hidden_field}, *turn("A.", first=2)]).snapshot
    assert record(frozen, "1")["hidden"] == hidden_field
    assert frozen.hidden_messages == 0


def test_a_step_without_words_that_is_left_out_leaves_nothing_of_it(freeze: FreezeRecords) -> None:
    records = turn("A.")
    records[1] |= {"reasoning": "Secretly.", "metadata": {"note": "Secretly.", "attachments": [{"name": "Secretly"}]}}
    records[0] |= {"content": "", "metadata": {"attachments": [{"name": "Secretly.png"}]}}
    frozen = freeze(records, withholding=hidden(messages=frozenset({"1", "2"}))).snapshot
    assert "Secretly" not in stored_words()
    # A step that held a file as well as reasoning is told as a message: neither goes in silence.
    assert (frozen.hidden_messages, frozen.hidden_reasonings) == (2, 0)
    assert record(frozen, "2")["tool_calls"] == [{"arguments": "{}", "id": "c1", "name": "web_search"}]


def artifact(**fields: object) -> dict[str, object]:
    """Citations of message 4, of whose two blocks one is cited."""
    return {
        "kind": "citation_artifact", "message": "4", "version": 1, "status": "complete",
        "spans": [{"span_id": "s", "kind": "sentence", "start_index": 0, "end_index": 2, "text": "A."}],
        "evidence_blocks": [
            {"block_id": "b1", "title": "Cited", "section": "Secret", "text": "Secret", "snippet": "Secret"},
            {"block_id": "b2", "title": "Secret", "url": "https://secret.example/", "text": "Secret"},
        ],
        "annotations": [{"annotation_id": "a", "span_id": "s", "block_ids": ["b1"]}],
        "verdicts": [
            {"annotation_id": "a", "block_id": "b1", "verdict": "supported", "reason": "Secret", "quote": "Secret"}
        ],
        "judge": {"provider": "p", "contexts": [{"context_id": "a", "text": "Secret", "block_ids": ["b1"]}]},
        **fields,
    }  # fmt: skip


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"limitation": "Secret", "evidence": "Secret", "trace": {"prompt": "Secret"}},
        {"evidenceBlocks": [{"text": "Secret"}]},
        {"evidence_blocks": {"b1": "Secret"}},
        {"verdicts": {"a": "Secret"}},
        {"status": "pending", "error_code": "timeout", "limitation": "Secret"},
    ],
)
def test_no_word_of_evidence_comes_along_in_whatever_form(freeze: FreezeRecords, fields: dict[str, object]) -> None:
    frozen = freeze([*turn("A."), artifact(**fields)], withholding=hidden(tools=True)).snapshot
    assert "ecret" not in stored_words()
    assert frozen.artifacts.count() == 1


def test_the_evidence_of_one_hidden_result_goes_and_that_of_other_turns_stays(freeze: FreezeRecords) -> None:
    other = artifact(message="8")
    records = [*turn("A."), *turn("A.", first=5), artifact(), other]
    frozen = freeze(records, withholding=hidden(messages=frozenset({"3"}))).snapshot
    lines = dict(frozen.artifacts.values_list("message_id", "line"))
    assert "Secret" not in lines["4"]
    assert "Secret" in lines["8"]


def test_the_citations_of_a_hidden_answer_go_with_it(freeze: FreezeRecords) -> None:
    frozen = freeze([*turn("A."), artifact()], withholding=hidden(messages=frozenset({"4"}))).snapshot
    assert not frozen.artifacts.exists()


def test_reasoning_within_other_fields_is_left_out_and_arguments_of_that_name_stay(freeze: FreezeRecords) -> None:
    records = turn("A.", metadata={"usage": {"reasoning_content": "Secretly."}, "thinking_blocks": ["Secretly."]})
    records[1]["tool_calls"] = [{"id": "c1", "name": "think", "arguments": {"thought": "An argument."}}]
    frozen = freeze(records, withholding=hidden(reasoning=True)).snapshot
    assert "Secretly" not in stored_words()
    assert record(frozen, "4")["metadata"] == {"usage": {}}
    assert "An argument." in stored_words()


def test_numbers_hold_where_a_later_result_has_the_same_address(freeze: FreezeRecords) -> None:
    page = {"url": "https://2.example/", "title": "T2", "content": "Whole page."}
    records = turn("A[^3^].", results=THREE)
    records[1]["tool_calls"] = [
        {"id": "c1", "name": "web_search", "arguments": "{}"}, {"id": "c2", "name": "open_web_page", "arguments": "{}"},
    ]  # fmt: skip
    records.insert(3, {"id": "3b", "role": "TOOL", "tool_call_id": "c2", "content": json.dumps(page)})
    frozen = freeze(records, withholding=hidden(messages=frozenset({"3"}))).snapshot
    assert [(c.n, c.title) for c in shown_citations(frozen.rendered.get(message_id="4"))] == [(3, "T3")]


def test_what_only_a_hidden_answer_cites_is_not_told(freeze: FreezeRecords) -> None:
    frozen = freeze(turn("A[^2^].", results=THREE), withholding=hidden(tools=True, messages=frozenset({"4"})))
    assert "https://2.example/" not in stored_words()
    assert frozen.snapshot.hidden_results == 1


BRANCH = [
    {"kind": "thread", "id": "main"},
    {"kind": "thread", "id": "B", "parent": "main", "fork": {"message": "4", "selector": {"exact": "Secret words"}}},
]


@pytest.mark.parametrize("quotes", [None, [{"version": 1, "text": "Secret words", "source": None}]])
def test_a_branch_of_a_hidden_message_says_no_word_of_it(freeze: FreezeRecords, quotes: object) -> None:
    branch = [{**one, "thread": "B"} for one in turn("B.", first=11)]
    if quotes:
        branch[0]["quotes"] = quotes
    frozen = freeze([*BRANCH, *turn("Secret words here."), *branch], withholding=hidden(messages=frozenset({"4"})))
    assert "Secret words" not in stored_words()
    assert frozen.snapshot.threads.get(thread="B").fork_message == "4"


def test_a_quote_of_a_tools_result_goes_with_the_results(freeze: FreezeRecords) -> None:
    second = turn("B.", first=5)
    second[0]["quotes"] = [{"version": 1, "text": "First page.", "source": {"thread": "main", "message": "3"}}]
    freeze([*turn("A."), *second], withholding=hidden(tools=True))
    assert "First page." not in stored_words()


def test_what_a_hidden_step_gave_its_tool_is_left_out_with_it(freeze: FreezeRecords) -> None:
    records = turn("A.")
    records[1]["tool_calls"] = [{"id": "c1", "name": "web_search", "arguments": '{"query":"Secret"}'}]
    freeze(records, withholding=hidden(messages=frozenset({"2"})))
    assert "Secret" not in stored_words()


@pytest.mark.parametrize("url", [5, True, {}, []])
def test_a_result_that_only_looks_left_out_is_a_result(freeze: FreezeRecords, url: object) -> None:
    records = turn("A[^1^].")
    records[2] |= {"hidden": ["content"], "content": json.dumps({"results": [{"url": url, "title": "t"}]})}
    assert freeze(records).snapshot.hidden_results == 0


def test_a_name_that_no_database_can_hold_is_frozen_all_the_same(freeze: FreezeRecords) -> None:
    records = turn("A.", metadata={"a\x00b": "x"})
    records[1]["tool_calls"] = [{"id": "c1", "name": "web\x00search", "arguments": "{}"}]
    assert freeze(records).snapshot.message_count == 4
