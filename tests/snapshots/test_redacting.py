"""A secret stops a freeze; taken out, it is nowhere, and everything that pointed somewhere still points there."""

import base64
import json

import pytest
from sessions import FreezeRecords, turn
from stored_words import stored_words

from shareview.leaks.handling import LeakHandling
from shareview.snapshots.derived import shown_citations
from shareview.snapshots.freezing import is_intact
from shareview.snapshots.hiding import Hiding
from shareview.snapshots.models import Snapshot
from shareview.snapshots.redacting import LeaksFoundError
from shareview.snapshots.withholding import Withholding

KEY = "sk-ant-api03-" + "Ab3dE6gH" * 11 + "-AAAAAA"
WORD = "[redacted: anthropic-key]"
REDACT = Withholding(leaks=LeakHandling(redact=True))


def record(snapshot: Snapshot, id: str) -> dict[str, object]:
    value: dict[str, object] = json.loads(snapshot.records.get(kind="message", record_id=id).line)
    return value


def test_a_secret_stops_a_freeze_and_nothing_is_stored(freeze: FreezeRecords) -> None:
    with pytest.raises(LeaksFoundError) as caught:
        freeze(turn(f"First line.\nYour key is {KEY}."))
    assert [str(finding) for finding in caught.value.findings] == ["message 4, content, line 2: anthropic-key"]
    assert KEY not in str(caught.value)
    assert not Snapshot.objects.exists()


def test_what_was_acknowledged_is_frozen_as_it_is(freeze: FreezeRecords) -> None:
    frozen = freeze(turn(f"Your key is {KEY}."), withholding=Withholding(leaks=LeakHandling(acknowledge=True)))
    assert record(frozen.snapshot, "4")["content"] == f"Your key is {KEY}."
    assert len(frozen.findings) == 1


def test_what_was_taken_out_is_nowhere(freeze: FreezeRecords) -> None:
    records = turn(
        f"Key {KEY}[^1^].",
        results=[{"title": KEY, "url": f"https://a.example/?k={KEY}", "content": f"says {KEY}"}],
        reasoning=f"I saw {KEY}",
        metadata={"citations": [{"n": 1, "url": f"https://a.example/?k={KEY}", "title": "x"}, {"n": 2, "url": KEY}],
                  "attachments": [{"name": f"{KEY}.png", "url": f"https://a.example/{KEY}"}]},
        extra={"deep": [KEY]},
    )  # fmt: skip
    records[0]["content"] = f"{KEY} is my key, what now?"
    session = {"kind": "session", "title": f"About {KEY}", "app": KEY}
    frozen = freeze([session, *records], withholding=REDACT)
    assert KEY[13:] not in stored_words()
    assert frozen.snapshot.title == f"About {WORD}"
    assert is_intact(frozen.snapshot)
    assert [c.url for c in shown_citations(frozen.snapshot.rendered.get(message_id="4"))] == [
        f"https://a.example/?k={WORD}"
    ]
    assert WORD in frozen.snapshot.rendered.get(message_id="4").html


def test_sources_that_differ_in_their_secrets_alone_stay_two(freeze: FreezeRecords) -> None:
    other = KEY.replace("Ab3d", "Zx9w")
    results = [{"title": "T", "url": f"https://a.example/?k={key}", "content": "c"} for key in (KEY, other)]
    frozen = freeze(turn("A[^2^].", results=results), withholding=REDACT).snapshot
    citations = shown_citations(frozen.rendered.get(message_id="4"))
    assert [(c.n, c.url) for c in citations] == [(2, "https://a.example/?k=[redacted: anthropic-key 2]")]


def test_claims_move_with_what_stands_before_them(freeze: FreezeRecords) -> None:
    answer = f"The key is {KEY}. It was rotated."
    first, second = (0, 12 + len(KEY)), (13 + len(KEY), len(answer))
    artifact = {
        "kind": "citation_artifact", "message": "4", "version": 1, "status": "complete",
        "spans": [
            {"span_id": f"s{n}", "kind": "sentence", "start_index": a, "end_index": b, "text": answer[a:b]}
            for n, (a, b) in enumerate((first, second))
        ],
        "evidence_blocks": [{"block_id": "b1", "title": "Log", "text": f"{KEY} was rotated."}],
        "annotations": [{"annotation_id": f"a{n}", "span_id": f"s{n}", "block_ids": ["b1"]} for n in (0, 1)],
        "verdicts": [{"annotation_id": "a1", "block_id": "b1", "verdict": "supported", "reason": f"see {KEY}"}],
    }  # fmt: skip
    frozen = freeze([*turn(answer), artifact], withholding=REDACT).snapshot
    line = json.loads(frozen.artifacts.get().line)
    assert [(s["start_index"], s["end_index"], s["text"]) for s in line["spans"]] == [
        (0, 37, f"The key is {WORD}."), (38, 53, "It was rotated."),
    ]  # fmt: skip
    html = frozen.rendered.get(message_id="4").html
    assert html.count("data-claim-start=") == 2
    assert KEY[13:] not in stored_words()


def test_a_quote_that_touches_a_secret_is_not_found(freeze: FreezeRecords) -> None:
    def quoting(words: str, first: int) -> list[dict[str, object]]:
        asked = turn("Fine.", first=first)
        asked[0]["quotes"] = [{"version": 1, "text": words, "source": {"thread": "main", "message": "4"},
                               "selector": {"exact": words}}]  # fmt: skip
        return asked

    words = [f"key is {KEY}", KEY[20:60], "It was rotated", f"{KEY[-20:]}. It was"]
    records = [r for at, one in enumerate(words) for r in quoting(one, 5 + 4 * at)]
    frozen = freeze([*turn(f"The key is {KEY}. It was rotated."), *records], withholding=REDACT).snapshot
    assert [quote.state for quote in frozen.quotes.all()] == ["not-found", "not-found", "current", "not-found"]
    assert KEY[20:60] not in stored_words()


def test_a_secret_in_an_attached_text_takes_the_file_with_it(freeze: FreezeRecords) -> None:
    data = "data:text/plain;base64," + base64.b64encode(f"key={KEY}".encode()).decode()
    records = turn("A.", metadata={"attachments": [{"name": "notes.txt", "data": data}]})
    with pytest.raises(LeaksFoundError, match=r"attachment notes\.txt"):
        freeze(records)
    frozen = freeze(records, withholding=REDACT).snapshot
    assert not frozen.files.exists()
    assert record(frozen, "4")["metadata"] == {"attachments": [{"name": "notes.txt", "media_type": "text/plain"}]}


def test_a_secret_in_an_id_cannot_be_taken_out(freeze: FreezeRecords) -> None:
    records = turn("A.")
    records[3]["id"] = KEY
    with pytest.raises(LeaksFoundError, match="an id cannot be taken out"):
        freeze(records, withholding=REDACT)


def test_a_secret_behind_json_escapes_is_taken_out(freeze: FreezeRecords) -> None:
    result = '{"query":"q","results":[{"title":"T","url":"https:\\/\\/u:hunter2secret@a.example\\/","content":"c"}]}'
    records = turn("A.")
    records[2]["content"] = result
    frozen = freeze(records, withholding=REDACT).snapshot
    assert "hunter2secret" not in stored_words()
    assert json.loads(str(record(frozen, "3")["content"]))["results"][0]["title"] == "T"


def test_a_secret_that_only_its_key_tells_is_found(freeze: FreezeRecords) -> None:
    records = turn("A.", config={"db": {"password": "Tr0ub4dor&3"}})
    with pytest.raises(LeaksFoundError, match=r"message 4, config\.db\.password, line 1"):
        freeze(records)


def test_personal_data_is_listed_and_stops_only_where_it_is_to(freeze: FreezeRecords) -> None:
    records = turn("Write to jane.doe@corp-mail.example.com, please.")
    frozen = freeze(records)
    assert [(f.kind, str(f.of)) for f in frozen.findings] == [("email", "personal")]
    with pytest.raises(LeaksFoundError, match="1 secret or personal datum found"):
        freeze(records, withholding=Withholding(leaks=LeakHandling(personal_stops=True)))
    out = freeze(records, withholding=Withholding(leaks=LeakHandling(redact=True, personal_stops=True))).snapshot
    assert record(out, "4")["content"] == "Write to [redacted: email], please."


def test_what_is_hidden_is_not_searched(freeze: FreezeRecords) -> None:
    freeze(turn("A.", reasoning=f"key {KEY}"), withholding=Withholding(Hiding(reasoning=True)))
    assert KEY not in stored_words()


@pytest.mark.parametrize("first", [True, False])
def test_an_artifact_with_the_secret_and_one_without_belong_to_two_snapshots(
    freeze: FreezeRecords, first: bool
) -> None:
    artifact = {
        "kind": "citation_artifact", "message": "4", "version": 1, "status": "complete",
        "spans": [{"span_id": "s", "kind": "sentence", "start_index": 0, "end_index": 9, "text": "An answer"}],
        "evidence_blocks": [{"block_id": "b1", "title": "Log", "text": f"{KEY} was rotated."}],
        "annotations": [{"annotation_id": "a", "span_id": "s", "block_ids": ["b1"]}],
    }  # fmt: skip
    ways = [REDACT, Withholding(leaks=LeakHandling(acknowledge=True))]
    frozen = [freeze([*turn("An answer"), artifact], withholding=way) for way in (ways if first else ways[::-1])]
    held = {one.snapshot.pk: [KEY in line.line for line in one.snapshot.artifacts.all()] for one in frozen}
    assert sorted(held.values()) == [[False], [True]]


def test_a_piece_of_the_secret_in_a_result_goes_too_and_its_source_stays_cited(freeze: FreezeRecords) -> None:
    results = [{"title": "T", "url": f"https://a.example/?q={KEY[:40]}", "content": f"leaked token {KEY[:60]}"}]
    frozen = freeze(turn(f"Rotate {KEY}[^1^].", results=results), withholding=REDACT).snapshot
    assert KEY[13:35] not in stored_words()
    assert [c.n for c in shown_citations(frozen.rendered.get(message_id="4"))] == [1]


def test_a_private_key_without_its_end_takes_no_other_result_with_it(freeze: FreezeRecords) -> None:
    key = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" * 8
    results = [
        {"title": "A", "url": "https://a.example/", "content": key},
        {"title": "B", "url": "https://b.example/", "content": "Passage two of it."},
    ]
    frozen = freeze(turn("Passage two of it[^2^].", results=results), withholding=REDACT).snapshot
    citation = shown_citations(frozen.rendered.get(message_id="4"))[0]
    assert citation.url == "https://b.example/"
    assert citation.passages[0].passage is not None
    assert "MIIEvQ" not in stored_words()


@pytest.mark.parametrize("name", ["message", "status", "id", "kind", "thread"])
def test_a_name_that_elsewhere_is_an_ids_hides_no_secret(freeze: FreezeRecords, name: str) -> None:
    records = turn("A.", metadata={"error": {name: f"use {KEY}"}})
    records[1]["tool_calls"] = [{"id": "c1", "name": "web_search", "arguments": {name: f"use {KEY}"}}]
    frozen = freeze(records, withholding=REDACT)
    assert len(frozen.findings) == 2
    assert KEY[13:] not in stored_words()


def test_a_secret_that_is_a_key_of_an_object_is_taken_out(freeze: FreezeRecords) -> None:
    freeze(turn("A.", metadata={"tokens": {KEY: {"owner": "x"}}}), withholding=REDACT)
    assert KEY[13:] not in stored_words()


def test_an_id_that_is_a_secret_elsewhere_is_refused(freeze: FreezeRecords) -> None:
    records = turn("My password: Tiger#2024x")
    records[3]["id"] = "Tiger#2024x"
    with pytest.raises(LeaksFoundError, match="an id cannot be taken out") as caught:
        freeze(records, withholding=REDACT)
    assert "Tiger" not in str(caught.value)


def test_a_quote_leads_to_the_same_of_two_passages_as_before(freeze: FreezeRecords) -> None:
    answer = f"{KEY} Done. {'x ' * 30}Done."
    start = len(KEY) + 1
    second = turn("Fine.", first=5)
    second[0]["quotes"] = [{"version": 1, "text": "Done.", "source": {"thread": "main", "message": "4"},
                            "selector": {"exact": "Done.", "start": start, "end": start + 5}}]  # fmt: skip
    frozen = freeze([*turn(answer), *second], withholding=REDACT).snapshot
    quote = frozen.quotes.get()
    assert (quote.state, quote.passage_start) == ("current", len(WORD) + 1)
    selector = record(frozen, "5")["quotes"][0]["selector"]  # type: ignore[index] # a list of objects
    assert selector == {"exact": "Done.", "start": len(WORD) + 1, "end": len(WORD) + 6}


def test_a_secret_of_a_dropped_citation_is_found_and_taken_out(freeze: FreezeRecords) -> None:
    records = turn("A.", metadata={"citations": [{"n": 9, "url": f"https://a.example/{KEY}", "title": KEY}]})
    with pytest.raises(LeaksFoundError, match="dropped citation 9 of message 4"):
        freeze(records)
    freeze(records, withholding=REDACT)
    assert KEY[13:] not in stored_words()


@pytest.mark.parametrize("spelled", [KEY.replace("-", r"\-"), KEY[:30] + "\u200b" + KEY[30:]])
def test_a_secret_that_a_page_would_show_joined_is_found_as_it_is_spelled(freeze: FreezeRecords, spelled: str) -> None:
    frozen = freeze(turn(f"Key {spelled} here."), withholding=REDACT).snapshot
    html = frozen.rendered.get(message_id="4").html
    assert html.startswith("<p>Key [redacted: anthropic-key")
    assert html.endswith("] here.</p>")
    assert KEY[13:25] not in stored_words()


def test_a_finding_never_tells_the_secret_by_its_place(freeze: FreezeRecords) -> None:
    records = turn("A.", metadata={"attachments": [{"name": f"{KEY}.txt"}], f"{KEY}": "x"})
    records[0]["id"] = KEY
    with pytest.raises(LeaksFoundError) as caught:
        freeze(records)
    assert KEY[13:30] not in "".join(map(str, caught.value.findings))
    assert KEY[13:30] not in str(caught.value)


def test_claims_move_whatever_spelling_their_offsets_have(freeze: FreezeRecords) -> None:
    answer = f"{KEY}. It was rotated."
    span = {"span_id": "s", "kind": "sentence", "start_index": len(KEY) + 2, "endIndex": len(answer),
            "text": "It was rotated."}  # fmt: skip
    artifact = {
        "kind": "citation_artifact", "message": "4", "version": 1, "status": "complete", "spans": [span],
        "evidence_blocks": [{"block_id": "b1", "text": "Rotated."}],
        "annotations": [{"annotation_id": "a", "span_id": "s", "block_ids": ["b1"]}],
    }  # fmt: skip
    frozen = freeze([*turn(answer), artifact], withholding=REDACT).snapshot
    assert "data-claim-start" in frozen.rendered.get(message_id="4").html
