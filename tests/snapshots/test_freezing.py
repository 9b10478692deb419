"""Freezing: one digest for one session, citations as checked, everything or nothing."""

import hashlib
import io
import json

import pytest
from sessions import ACTOR, NOW, FreezeRecords, freeze_bytes, jsonl, sample, sample_records, turn

from shareview.exports.native import read_native
from shareview.pages.exports import export_jsonl
from shareview.rendering.messages import DEFAULT_OPTIONS
from shareview.rendering.pool import InProcessRenderer, RenderPool
from shareview.shares.publish import ShareTerms, publish_snapshot
from shareview.snapshots.derived import shown_citations
from shareview.snapshots.digests import digest_of
from shareview.snapshots.freezing import is_intact, rerender_snapshot
from shareview.snapshots.lines import frozen_lines
from shareview.snapshots.models import DroppedCitation, FrozenRecord, RenderedMessage, Snapshot
from shareview.snapshots.selection import select_messages

SAMPLES = ["deadline.zh.jsonl", "battery.en.jsonl", "threads.zh.jsonl", "claims.zh.jsonl"]


def record(snapshot: Snapshot, id: str) -> dict[str, object]:
    value: dict[str, object] = json.loads(snapshot.records.get(kind="message", record_id=id).line)
    return value


def test_the_digest_is_sha256_over_the_canonical_lines(freeze: FreezeRecords) -> None:
    snapshot = freeze(
        [{"id": 1, "role": "user", "content": "é"}, {"role": "assistant", "id": 2, "content": "A", "toolCalls": None}]
    ).snapshot
    lines = '{"content":"é","id":1,"role":"USER"}\n{"content":"A","id":2,"role":"ASSISTANT","tool_calls":null}\n'
    assert snapshot.digest == hashlib.sha256(lines.encode()).hexdigest()


@pytest.mark.parametrize("name", SAMPLES)
def test_publishing_the_export_again_gives_the_same_snapshot(db: None, name: str) -> None:
    first = freeze_bytes(sample(name)).snapshot
    share = publish_snapshot(first, ShareTerms(), actor=ACTOR, now=NOW, token_key="k")[0]
    assert freeze_bytes(export_jsonl(share).encode()).snapshot == first


@pytest.mark.parametrize("name", SAMPLES)
def test_the_export_on_another_site_has_the_same_digest_and_the_same_html(db: None, name: str) -> None:
    first = freeze_bytes(sample(name)).snapshot
    again = export_jsonl(publish_snapshot(first, ShareTerms(), actor=ACTOR, now=NOW, token_key="k")[0]).encode()
    html = list(first.rendered.values_list("message_id", "html", "citations"))
    digest = first.digest
    with read_native(io.BytesIO(again)) as export:
        lines = [line.line for line in frozen_lines(export, select_messages(export))]
    assert digest_of(lines) == digest
    rerender_snapshot(first, renderer=InProcessRenderer())
    assert list(first.rendered.values_list("message_id", "html", "citations")) == html


def test_the_same_session_is_stored_once(freeze: FreezeRecords) -> None:
    freeze("battery.en.jsonl")
    freeze("battery.en.jsonl")
    assert Snapshot.objects.count() == 1
    assert FrozenRecord.objects.count() == 5


def test_forged_citations_are_dropped_kept_beside_and_reported(freeze: FreezeRecords) -> None:
    result = freeze("battery.en.jsonl")
    assert [(id, dropped.n, dropped.url) for id, dropped in result.dropped] == [
        ("4", 7, "https://never-retrieved.example/x"),
        ("4", 8, "javascript:alert(1)"),
    ]
    assert list(DroppedCitation.objects.values_list("n", flat=True)) == [7, 8]
    assert "forged" not in "".join(result.snapshot.records.values_list("line", flat=True))


def test_a_missing_list_is_built_from_the_markers(freeze: FreezeRecords) -> None:
    snapshot = freeze(turn("It is so[^1^], not so[^2^].")).snapshot
    assert record(snapshot, "4")["metadata"] == {"citations": [{"n": 1, "title": "One", "url": "https://one.example/"}]}


def test_where_nothing_is_cited_the_key_is_absent(freeze: FreezeRecords) -> None:
    snapshot = freeze(turn("No marker.", metadata={"citations": [], "mood": "calm"})).snapshot
    assert record(snapshot, "4")["metadata"] == {"mood": "calm"}


def test_an_empty_list_still_decides_after_publishing_the_export_again(db: None) -> None:
    data = jsonl(turn("Cited[^1^].", metadata={"citations": []}))
    first = freeze_bytes(data).snapshot
    assert record(first, "4")["metadata"] == {"citations": []}
    assert shown_citations(RenderedMessage.objects.get(message_id="4")) == ()


def test_only_a_completed_turns_final_answer_carries_citations(freeze: FreezeRecords) -> None:
    recorded = {"citations": [{"n": 1, "url": "https://one.example/", "title": "One"}]}
    result = freeze(turn("Failed[^1^].", status="failed", metadata=recorded))
    assert "citations" not in str(record(result.snapshot, "4"))
    assert [dropped.reason for _, dropped in result.dropped] == ["does not stand on a completed turn's final answer"]
    assert result.snapshot.rendered.get(message_id="4").html == "<p>Failed.</p>"


def test_a_turn_does_not_see_the_sources_of_the_turn_before(freeze: FreezeRecords) -> None:
    other = [{"title": "Two", "url": "https://two.example/", "content": "x"}]
    snapshot = freeze(turn("A[^1^].") + turn("B[^1^] C[^2^].", first=5, results=other)).snapshot
    assert [c.url for c in shown_citations(snapshot.rendered.get(message_id="8"))] == ["https://two.example/"]


def test_threads_do_not_see_each_others_sources(freeze: FreezeRecords) -> None:
    records: list[dict[str, object]] = [{"kind": "thread", "id": "A"}, {"kind": "thread", "id": "B"}]
    records += [{**message, "thread": "A"} for message in turn("A[^1^].")]
    records += [
        {"id": 10, "thread": "B", "role": "USER", "content": "Q"},
        {"id": 11, "thread": "B", "role": "ASSISTANT", "content": "B[^1^]."},
    ]
    snapshot = freeze(records).snapshot
    assert snapshot.rendered.get(message_id="11").html == "<p>B.</p>"


def test_without_any_tool_result_recorded_citations_are_shown_as_unchecked(freeze: FreezeRecords) -> None:
    recorded = {
        "citations": [{"n": 2, "url": "https://x.example/", "title": "X"}, {"n": 3, "url": "data:,x", "title": ""}]
    }
    result = freeze(
        [
            {"id": 1, "role": "USER", "content": "Q"},
            {"id": 2, "role": "ASSISTANT", "content": "A[^2^].", "metadata": recorded},
        ]
    )
    row = result.snapshot.rendered.get(message_id="2")
    assert row.citations_verified is False
    assert [c.url for c in shown_citations(row)] == ["https://x.example/"]
    assert row.html == '<p>A<sup class="cite-ref" data-n="2">[1]</sup>.</p>'


def test_an_answer_that_was_replaced_keeps_the_sources_that_stood_before_it(freeze: FreezeRecords) -> None:
    second = {"title": "Two", "url": "https://two.example/", "content": "x"}
    snapshot = freeze(
        [
            *turn("Old[^1^][^2^]."),
            {
                "id": 5,
                "role": "ASSISTANT",
                "content": "",
                "tool_calls": [{"id": "d", "name": "open_web_page", "arguments": {}}],
            },
            {"id": 6, "role": "TOOL", "tool_call_id": "d", "content": json.dumps({**second})},
            {"id": 7, "role": "ASSISTANT", "content": "New[^1^][^2^].", "replaces": 4},
        ]
    ).snapshot
    assert [c.n for c in shown_citations(snapshot.rendered.get(message_id="4"))] == [1]
    assert [c.n for c in shown_citations(snapshot.rendered.get(message_id="7"))] == [1, 2]
    assert [row.part for row in snapshot.rendered.filter(message_id__in=["4", "7"])] == ["history", "answer"]


def test_system_messages_are_counted_but_not_frozen(freeze: FreezeRecords) -> None:
    records = [{"id": 0, "role": "SYSTEM", "content": "Be kind."}, *turn("Yes.")]
    snapshot = freeze(records).snapshot
    assert snapshot.hidden_system_messages == 1
    assert "Be kind" not in "".join(snapshot.records.values_list("line", flat=True))


def test_system_messages_are_frozen_when_asked_for(freeze: FreezeRecords) -> None:
    records = [{"id": 0, "role": "SYSTEM", "content": "Be kind."}, *turn("Yes.")]
    snapshot = freeze(records, show_system=True).snapshot
    assert snapshot.hidden_system_messages == 0
    assert record(snapshot, "0")["content"] == "Be kind."


def test_the_title_is_the_first_question_without_markers_in_sixty_characters(freeze: FreezeRecords) -> None:
    question = "What[^1^] " + "now " * 30
    snapshot = freeze(
        [{"id": 1, "role": "USER", "content": question}, {"id": 2, "role": "ASSISTANT", "content": "A"}]
    ).snapshot
    assert snapshot.title == ("What " + "now " * 30)[:60]


def test_without_an_id_the_session_is_called_by_its_digest(freeze: FreezeRecords) -> None:
    snapshot = freeze(turn("A")).snapshot
    assert snapshot.session_id == snapshot.digest[:12]


def test_a_fault_while_writing_leaves_nothing_behind(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*args: object, **kwargs: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("shareview.snapshots.derived_rows.rendered_row", break_down)
    with pytest.raises(OSError, match="disk full"):
        freeze_bytes(sample("battery.en.jsonl"))
    assert Snapshot.objects.count() == FrozenRecord.objects.count() == 0


def test_quotes_from_outside_the_share_lose_their_source(freeze: FreezeRecords) -> None:
    snapshot = freeze("threads.zh.jsonl", threads=["C"]).snapshot
    quotes = record(snapshot, "C1")["quotes"]
    assert isinstance(quotes, list)
    assert quotes[0]["source"]["message"] == "A2a"
    alone = freeze("threads.zh.jsonl", threads=["B"]).snapshot
    deleted = record(alone, "B3")["quotes"]
    assert isinstance(deleted, list)
    assert deleted[0]["source"] is None


def test_artifacts_are_kept_beside_the_snapshot_with_a_digest_each(freeze: FreezeRecords) -> None:
    snapshot = freeze("claims.zh.jsonl").snapshot
    kept = list(snapshot.artifacts.values_list("message_id", "digest", "line"))
    assert [message for message, _, _ in kept] == ["a1", "a2"]
    assert all(hashlib.sha256(f"{line}\n".encode()).hexdigest() == digest for _, digest, line in kept)


def test_the_bytes_of_an_image_are_kept_and_its_record_names_their_digest(freeze: FreezeRecords) -> None:
    image = {"name": "a.png", "media_type": "image/png", "data": "data:image/png;base64,iVBORw0KGgo="}
    snapshot = freeze(
        [
            {"id": 1, "role": "USER", "content": "Q", "metadata": {"attachments": [image]}},
            {"id": 2, "role": "ASSISTANT", "content": "A"},
        ]
    ).snapshot
    file = snapshot.files.get()
    assert bytes(file.data) == b"\x89PNG\r\n\x1a\n"
    assert f'"data":"sha256:{file.sha256}"' in snapshot.records.get(record_id="1").line
    assert is_intact(snapshot)


def test_worker_processes_render_what_this_process_renders(db: None) -> None:
    here = freeze_bytes(sample("deadline.zh.jsonl")).snapshot
    expected = list(here.rendered.values_list("message_id", "html"))
    with RenderPool(DEFAULT_OPTIONS, workers=2) as renderer:
        rerender_snapshot(here, renderer=renderer)
    assert list(here.rendered.values_list("message_id", "html")) == expected


def test_an_unchanged_snapshot_matches_its_digest(freeze: FreezeRecords) -> None:
    assert is_intact(freeze("deadline.zh.jsonl").snapshot)


def test_characters_that_a_database_cannot_hold_do_not_stop_a_freeze(freeze: FreezeRecords) -> None:
    results = [{"title": "T\x00itle", "url": "https://one.example/", "content": "So it\x00 is."}]
    forged = {
        "citations": [{"n": 1, "url": "https://one.example/", "title": ""}, {"n": 9, "url": "x\x00", "title": "\x00"}]
    }
    session: dict[str, object] = {"kind": "session", "id": "s", "title": "A\x00B", "app": "\x00", "model": "\x00"}
    snapshot = freeze([session, *turn("So it\x00 is[^1^].", results=results, metadata=forged)]).snapshot
    assert snapshot.title == "AB"
    assert [c.title for c in shown_citations(snapshot.rendered.get(message_id="4"))] == ["Title"]
    assert "\\u0000" in snapshot.records.get(record_id="4").line


def test_an_artifact_of_a_hidden_message_is_not_kept(freeze: FreezeRecords) -> None:
    artifact = {"kind": "citation_artifact", "message": 0, "version": 1, "status": "complete", "limitation": "SECRET"}
    snapshot = freeze([{"id": 0, "role": "SYSTEM", "content": "S"}, *turn("A"), artifact]).snapshot
    assert not snapshot.artifacts.exists()


def test_bytes_that_come_later_are_kept_beside_what_names_them(freeze: FreezeRecords) -> None:
    def session(data: str) -> list[dict[str, object]]:
        image = {"name": "a.png", "media_type": "image/png", "data": data}
        return [
            {"id": 1, "role": "USER", "content": "Q", "metadata": {"attachments": [image]}},
            *turn("A", first=2)[3:],
        ]

    digest = hashlib.sha256(b"\x89PNG\r\n\x1a\n").hexdigest()
    without = freeze(session(f"sha256:{digest}")).snapshot
    assert not without.files.exists()
    assert freeze(session("data:image/png;base64,iVBORw0KGgo=")).snapshot == without
    assert without.files.get().sha256 == digest


def test_a_question_that_was_asked_anew_gives_no_title(freeze: FreezeRecords) -> None:
    again = turn("New.", first=5)
    again[0] |= {"replaces": 1, "content": "The question as it stands"}
    assert freeze([*turn("Old."), *again]).snapshot.title == "The question as it stands"


def test_an_inherited_history_that_ends_within_a_turn_freezes_alike_again(db: None) -> None:
    records: list[dict[str, object]] = [
        {"kind": "thread", "id": "A"},
        {"kind": "thread", "id": "B", "parent": "A", "fork": {"message": "a1"}},
        {"id": "a1", "thread": "A", "role": "USER", "content": "Q"},
        {"id": "a2", "thread": "A", "role": "ASSISTANT", "content": "A"},
        {"id": "b1", "thread": "B", "role": "USER", "content": "Q"},
        {"id": "b2", "thread": "B", "role": "ASSISTANT", "content": "A"},
    ]
    first = freeze_bytes(jsonl(records), threads=["B"]).snapshot
    share = publish_snapshot(first, ShareTerms(), actor=ACTOR, now=NOW, token_key="k")[0]
    assert freeze_bytes(export_jsonl(share).encode()).snapshot == first


def claims_session(**changes: object) -> list[dict[str, object]]:
    """The sample with claims, its first artifact changed."""
    return [
        {**record, **changes} if record.get("kind") == "citation_artifact" and record["message"] == "a1" else record
        for record in sample_records("claims.zh.jsonl")
    ]


def statuses(snapshot: Snapshot) -> list[str]:
    """Of each artifact of a1, in the order they came."""
    lines = snapshot.artifacts.filter(message_id="a1").values_list("line", flat=True)
    return [json.loads(line)["status"] for line in lines]


def test_a_sound_artifact_comes_back_after_a_broken_one(freeze: FreezeRecords) -> None:
    first = freeze(claims_session()).snapshot
    sound = first.rendered.get(message_id="a1").html
    freeze(claims_session(annotations=[{"annotation_id": "x", "span_id": "span_9999", "block_ids": ["b00012"]}]))
    assert first.rendered.get(message_id="a1").html != sound
    freeze(claims_session())
    assert first.rendered.get(message_id="a1").html == sound
    freeze(claims_session())
    assert first.artifacts.filter(message_id="a1").count() == 3


def test_publishing_an_older_export_does_not_hide_what_was_made_since(freeze: FreezeRecords) -> None:
    pending = claims_session(status="pending", error_code="late")
    snapshot = freeze(pending).snapshot
    freeze(claims_session())
    freeze(pending)
    assert statuses(snapshot) == ["pending", "complete"]
