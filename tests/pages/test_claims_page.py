"""Claims on the page: which words, which evidence, and whether it backs them (claims.zh.jsonl)."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from page_reading import by_class, by_id, page_of, text
from sessions import FreezeRecords, PublishRecords, jsonl, sample_records, turn

from shareview.shares.models import Share

Record = dict[str, Any]


@pytest.fixture
def claims(publish: PublishRecords) -> Share:
    return publish("claims.zh.jsonl")


def test_each_claim_has_the_superscripts_of_its_evidence(reader: Client, claims: Share) -> None:
    found = by_class(page_of(reader, claims), "cite-ref")
    assert [(s.get("data-claim"), s.get("data-block"), s.get("data-verdict"), text(s)) for s in found] == [
        ("span_0001", "b00012", "supported", "[1]"),
        ("span_0002", "b00013", "unknown", "[2]"),
        ("span_0002", "b00014", "supported", "[3]"),
        ("span_0006", "b00020", "unsupported", "[4]"),
    ]
    assert not any(s.get("data-n") for s in found)


def test_they_stand_at_the_end_of_the_words_that_they_cite(reader: Client, claims: Share) -> None:
    message = by_id(page_of(reader, claims), "m-a1")
    shown = " ".join(text(by_class(message, "message-body")[0]).split())
    assert "代码执行仍留在 VM 内。[1]本地 MCP server 也运行在宿主机上。[2][3]" in shown
    assert "无需解读 bash[4]" in shown


def test_the_head_counts_integrity_and_support_apart(reader: Client, claims: Share) -> None:
    citing, support = by_class(page_of(reader, claims, "?lang=en"), "claims-summary")[0].iter("ul")
    assert [text(item) for item in citing.iter("li")] == ["6 claims", "3 cited", "3 with intact pointers"]
    assert [text(item) for item in support.iter("li")] == ["1 supported", "1 not supported", "1 cannot be told"]


def test_what_is_pending_says_so_with_its_code_and_reason(reader: Client, claims: Share) -> None:
    message = by_id(page_of(reader, claims, "?lang=en"), "m-a2")
    assert message.get("data-citations") == "pending"
    (notice,) = by_class(message, "notice")
    assert " ".join(text(notice).split()) == (
        "Citations not finished. Annotation not finished: the annotating model did not answer in the agreed form; "
        "output budget reached. The text is not affected. annotation_schema_invalid"
    )
    assert by_class(message, "cite-ref") == []


def test_an_address_opens_the_card_and_marks_the_words_of_its_claim(reader: Client, claims: Share) -> None:
    page = page_of(reader, claims, "?claim=a1.span_0002&lang=en")
    card = by_id(page, "card-a1")
    assert [text(title) for title in by_class(card, "title")] == ["[2] MCP 部署", "[3] MCP 部署"]
    assert "half of the claim" in text(card)
    assert "by an unnamed checker" in text(card)
    assert [text(mark) for mark in by_class(page, "claim")] == ["本地 MCP server 也运行在宿主机上。"]


def test_a_document_shows_its_blocks_and_the_claims_that_cite_them(reader: Client, claims: Share) -> None:
    place = f"/s/{claims.token()}/documents/doc_mcp/"
    page = page_of(reader, claims, "documents/doc_mcp/?lang=en")
    blocks = by_class(page, "document-block")
    assert [(b.get("id"), b.get("data-cited")) for b in blocks] == [
        ("block-a1-b00013", "true"),
        ("block-a1-b00014", "true"),
    ]
    assert [link.get("href") for link in blocks[0].iter("a")] == [
        f"/s/{claims.token()}/?lang=en&claim=a1.span_0002#card-a1"
    ]
    assert reader.get(place.replace("doc_mcp", "doc_none")).status_code == 404


@pytest.mark.parametrize(
    ("only", "count"),
    [("", 6), ("cited", 3), ("intact", 3), ("supported", 1), ("unsupported", 1), ("unknown", 1), ("pending", 0)],
)
def test_the_list_shows_the_claims_of_a_kind(reader: Client, claims: Share, only: str, count: int) -> None:
    page = page_of(reader, claims, f"m/a1/claims/?lang=en&only={only}")
    lines = by_class(page, "claim-list")[0]
    assert len(list(lines.iter("a"))) == count
    assert reader.get(f"/s/{claims.token()}/m/a1/claims/?only=nonsense").status_code == 404


def test_the_panel_lists_each_block_once_and_leads_to_it(reader: Client, claims: Share) -> None:
    entries = by_class(page_of(reader, claims), "cite-source")
    titles = [by_class(entry, "title")[0] for entry in entries]
    assert [
        (e.get("data-block"), e.get("data-trust"), t.get("href")) for e, t in zip(entries, titles, strict=True)
    ] == [
        ("b00012", "checked", "https://docs.example/cowork/arch"),
        ("b00013", "checked", f"/s/{claims.token()}/documents/doc_mcp/#block-a1-b00013"),
        ("b00014", "checked", f"/s/{claims.token()}/documents/doc_mcp/#block-a1-b00014"),
        ("b00020", "checked", "https://docs.example/ux#t3"),
    ]


def test_without_a_verdict_evidence_is_located_where_the_turn_retrieved_its_words(
    publish: PublishRecords, reader: Client
) -> None:
    results = [{"title": "T", "url": "https://t.example/", "content": 'The rule says "apply\nbefore noon" here.'}]
    answer = "One claim."
    artifact = {
        "kind": "citation_artifact", "message": 4, "version": 1, "status": "complete",
        "spans": [{"span_id": "s", "kind": "sentence", "start_index": 0, "end_index": 10, "text": answer}],
        "evidence_blocks": [
            {"block_id": "b1", "doc_id": "d", "title": "A", "text": 'says "apply before noon"'},
            {"block_id": "b2", "doc_id": "d", "title": "B", "text": "says nothing of the kind"},
        ],
        "annotations": [{"annotation_id": "a", "span_id": "s", "block_ids": ["b1", "b2"]}],
        "verdicts": [],
    }  # fmt: skip
    share = publish([*turn(answer, results=results), artifact])
    page = page_of(reader, share, "?lang=en")
    assert [entry.get("data-trust") for entry in by_class(page, "cite-source")] == ["located", "hint"]
    assert [s.get("data-verdict") for s in by_class(page, "cite-ref")] == [None, None]
    assert [text(item) for item in list(by_class(page, "claims-summary")[0].iter("ul"))[1].iter("li")] == [
        "1 not checked yet"
    ]


def test_a_complete_artifact_alone_gives_the_superscripts(publish: PublishRecords, reader: Client) -> None:
    records = turn("One[^1^] claim.")
    artifact = {
        "kind": "citation_artifact", "message": 4, "version": 1, "status": "complete", "verdicts": [],
        "spans": [{"span_id": "s", "kind": "sentence", "start_index": 0, "end_index": 15, "text": "One[^1^] claim."}],
        "evidence_blocks": [{"block_id": "b", "title": "A", "text": "T"}],
        "annotations": [{"annotation_id": "a", "span_id": "s", "block_ids": ["b"]}],
    }  # fmt: skip
    share = publish([*records, artifact])
    assert [text(s) for s in by_class(page_of(reader, share), "message-body")][1].strip() == "One claim.[1]"
    pending = publish([*records, {**artifact, "status": "pending", "error_code": "late"}])
    found = by_class(page_of(reader, pending), "cite-ref")
    assert [(s.get("data-n"), s.get("data-claim")) for s in found] == [("1", None)]


def corrupted(change: Callable[[Record], object]) -> list[Record]:
    records = copy.deepcopy(sample_records("claims.zh.jsonl"))
    change(next(record for record in records if record.get("message") == "a1"))
    return records


def put(name: str, at: int, **fields: object) -> Callable[[Record], object]:
    return lambda artifact: artifact[name][at].update(fields)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (put("spans", 0, start_index=1), "spans[0].text"),
        (put("spans", 2, end_index=90), "spans[2].text"),
        (put("spans", 1, span_id="span_0001"), "spans[1].span_id"),
        (put("evidence_blocks", 1, block_id="b00012"), "evidence_blocks[1].block_id"),
        (put("annotations", 0, span_id="span_9999"), "annotations[0].span_id"),
        (put("annotations", 1, block_ids=["b00013", "b99999"]), "annotations[1].block_ids[1]"),
        (put("annotations", 2, annotation_id="annotation_0001"), "annotations[2].annotation_id"),
        (put("verdicts", 0, annotation_id="annotation_9999"), "verdicts[0].annotation_id"),
        (put("verdicts", 0, verdict="maybe"), "verdicts[0].verdict"),
    ],
)
def test_a_broken_artifact_is_pending_with_its_fault_named_and_the_text_intact(
    freeze: FreezeRecords, publish: PublishRecords, reader: Client, change: Callable[[Record], object], field: str
) -> None:
    records = corrupted(change)
    notices = freeze(records).notices
    told = [n for n in notices if n.startswith(f"citations of message a1 are kept as pending: line 4, {field}: found ")]
    read_in = jsonl(records)
    share = publish(records)
    message = by_id(page_of(reader, share, "?lang=en"), "m-a1")
    assert message.get("data-citations") == "pending"
    assert "artifact_invalid" in text(by_class(message, "notice")[0])
    assert "代码执行仍留在 VM 内。本地 MCP server" in text(by_class(message, "message-body")[0])
    assert json.loads(read_in.splitlines()[3])["message"] == "a1"
    assert told or field.startswith(("spans", "verdicts[0].verdict"))
