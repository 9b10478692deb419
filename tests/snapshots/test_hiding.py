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
