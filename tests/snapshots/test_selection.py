"""The message watermark: nothing after it enters, and nobody is given everything by mistake."""

import pytest
from sessions import FreezeRecords, turn

from shareview.snapshots.selection import FreezeError

TWO_TURNS = turn("First answer.") + turn("Second answer.", first=5)


def shown_ids(freeze: FreezeRecords, *args: object, **options: object) -> list[str]:
    snapshot = freeze(*args, **options).snapshot
    return list(snapshot.records.filter(kind="message").values_list("record_id", flat=True))


def test_without_a_watermark_the_whole_session_enters(freeze: FreezeRecords) -> None:
    assert shown_ids(freeze, TWO_TURNS) == ["1", "2", "3", "4", "5", "6", "7", "8"]


def test_nothing_after_the_watermark_enters(freeze: FreezeRecords) -> None:
    result = freeze(TWO_TURNS, up_to=["4"])
    assert result.snapshot.message_count == 4
    assert "Second" not in "".join(result.snapshot.records.values_list("line", flat=True))


@pytest.mark.parametrize(("asked", "nearest"), [("6", "4, 8"), ("2", "4"), ("99", "8"), ("nonsense", "4, 8")])
def test_a_watermark_that_ends_no_turn_is_refused_with_the_nearest_that_do(
    freeze: FreezeRecords, asked: str, nearest: str
) -> None:
    with pytest.raises(FreezeError, match=f"nearest valid ids are {nearest}$"):
        freeze(TWO_TURNS, up_to=[asked])


def test_an_unfinished_turn_stays_out_and_that_is_said(freeze: FreezeRecords) -> None:
    result = freeze([*TWO_TURNS, {"id": 9, "role": "USER", "content": "And then?"}])
    assert result.snapshot.message_count == 8
    assert result.notices == ("the last turn (from message 9) is unfinished and stays out",)


def test_a_streaming_answer_is_unfinished(freeze: FreezeRecords) -> None:
    assert shown_ids(freeze, turn("Done.") + turn("Half", first=5, status="streaming")) == ["1", "2", "3", "4"]


@pytest.mark.parametrize("status", ["failed", "cancelled"])
def test_a_failed_or_cancelled_turn_may_be_the_last(freeze: FreezeRecords, status: str) -> None:
    assert len(shown_ids(freeze, turn("Done.") + turn("Broke", first=5, status=status))) == 8


def test_a_session_without_a_finished_turn_is_refused(freeze: FreezeRecords) -> None:
    with pytest.raises(FreezeError, match="no turn of the session is finished"):
        freeze([{"id": 1, "role": "USER", "content": "Hello?"}])


def threads(*, dated: bool) -> list[dict[str, object]]:
    def at(minute: int) -> dict[str, object]:
        return {"created_at": f"2026-10-01T10:{minute:02}:00Z"} if dated else {}

    return [
        {"kind": "thread", "id": "A"},
        {"kind": "thread", "id": "B", "parent": "A", "fork": {"message": "a2"}},
        {"id": "a1", "thread": "A", "role": "USER", "content": "Q", **at(0)},
        {"id": "a2", "thread": "A", "role": "ASSISTANT", "content": "A", **at(1)},
        {"id": "b1", "thread": "B", "role": "USER", "content": "Q", **at(2)},
        {"id": "b2", "thread": "B", "role": "ASSISTANT", "content": "A", **at(3)},
        {"id": "a3", "thread": "A", "role": "USER", "content": "Q", **at(4)},
        {"id": "a4", "thread": "A", "role": "ASSISTANT", "content": "A", **at(5)},
        {"id": "b3", "thread": "B", "role": "USER", "content": "Q", **at(6)},
        {"id": "b4", "thread": "B", "role": "ASSISTANT", "content": "A", **at(7)},
    ]


@pytest.mark.parametrize("dated", [True, False], ids=["by time", "by place"])
def test_another_thread_is_cut_where_the_watermark_stands(freeze: FreezeRecords, dated: bool) -> None:
    assert shown_ids(freeze, threads(dated=dated), up_to=["a4"]) == ["a1", "a2", "b1", "b2", "a3", "a4"]


def test_a_thread_that_begins_after_the_watermark_leaves_no_trace(freeze: FreezeRecords) -> None:
    result = freeze(threads(dated=True), up_to=["a2"])
    assert [record.record_id for record in result.snapshot.records.all()] == ["A", "a1", "a2"]


def test_a_named_thread_brings_what_it_was_forked_from_up_to_the_fork(freeze: FreezeRecords) -> None:
    assert shown_ids(freeze, threads(dated=False), threads=["B"]) == ["a1", "a2", "b1", "b2", "b3", "b4"]


def test_two_named_threads_bring_what_the_later_fork_needs_in_either_order(freeze: FreezeRecords) -> None:
    branch: list[dict[str, object]] = [
        {"kind": "thread", "id": "C", "parent": "A", "fork": {"message": "a4"}},
        {"id": "c1", "thread": "C", "role": "USER", "content": "Q"},
        {"id": "c2", "thread": "C", "role": "ASSISTANT", "content": "A"},
    ]
    both = [*threads(dated=False), *branch]
    expected = ["a1", "a2", "b1", "b2", "a3", "a4", "b3", "b4", "c1", "c2"]
    assert shown_ids(freeze, both, threads=["B", "C"]) == expected
    assert shown_ids(freeze, both, threads=["C", "B"]) == expected


def test_a_fork_whose_message_is_not_in_the_parent_brings_nothing_of_it(freeze: FreezeRecords) -> None:
    records = threads(dated=False)
    records[1]["fork"] = {"message": "b4"}
    assert shown_ids(freeze, records, threads=["B"]) == ["b1", "b2", "b3", "b4"]


def test_a_hidden_system_message_ends_no_turn(freeze: FreezeRecords) -> None:
    records = [*turn("One."), {"id": 5, "role": "SYSTEM", "content": "S"}, *turn("Two.", first=6)]
    assert shown_ids(freeze, records, up_to=["4"]) == ["1", "2", "3", "4"]


def test_a_session_of_system_messages_alone_is_refused(freeze: FreezeRecords) -> None:
    with pytest.raises(FreezeError, match="nothing to publish"):
        freeze([{"id": 1, "role": "SYSTEM", "content": "S", "status": "failed"}])


def test_an_unknown_thread_is_refused_by_naming_those_there_are(freeze: FreezeRecords) -> None:
    with pytest.raises(FreezeError, match="it has A, B"):
        freeze(threads(dated=False), threads=["C"])


def test_of_a_deleted_thread_only_that_it_was_deleted_is_frozen(freeze: FreezeRecords) -> None:
    lines = freeze("threads.zh.jsonl").snapshot.records.filter(record_id="D").values_list("line", flat=True)
    assert list(lines) == ['{"id":"D","kind":"thread","state":"deleted"}']
