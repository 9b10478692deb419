"""The database finds what a share shows, and nothing else; the same on SQLite and on PostgreSQL."""

import pytest
from sessions import FreezeRecords, Records

from shareview.rendering.pool import InProcessRenderer
from shareview.searching.queries import read_query
from shareview.snapshots.freezing import rerender_snapshot
from shareview.snapshots.models import SearchedPiece, Snapshot
from shareview.snapshots.search_rows import find_messages, is_searchable

RECORDS = [
    {"id": "q1", "role": "USER", "content": "What is a **prefix** cache (前缀缓存)?"},
    {"id": "t1", "role": "ASSISTANT", "content": "", "tool_calls": [{"id": "c1", "name": "lookup", "arguments": {}}]},
    {"id": "r1", "role": "TOOL", "tool_call_id": "c1", "content": "secretword of a tool"},
    {"id": "a1", "role": "ASSISTANT", "content": "AI has the pre*fix* in a café: 3.14 & *R&D*.", "reasoning": "quiet"},
    {"id": "q2", "role": "USER", "content": "Aim higher, please; keep it in the CAFE."},
    {"id": "a2", "role": "ASSISTANT", "content": " ".join(f"n{n}" for n in range(5_000)) + " keeps\n\n- the end"},
]  # fmt: skip


def said(words: str) -> Records:
    return [{"id": "q1", "role": "USER", "content": words}, {"id": "a1", "role": "ASSISTANT", "content": "Noted."}]


@pytest.fixture
def snapshot(freeze: FreezeRecords) -> Snapshot:
    freeze(said("prefix AI 前缀 café"))
    return freeze(RECORDS).snapshot


def found(snapshot: Snapshot, query: str) -> list[str]:
    positions = find_messages(snapshot, read_query(query))
    return [snapshot.rendered.get(position=position).message_id for position in positions]


@pytest.mark.parametrize(
    ("query", "messages"),
    [
        ("前缀", ["q1"]),
        ("缓", ["q1"]),
        ("缀前", []),
        ("AI", ["a1"]),
        ("cafe", ["a1", "q2"]),
        ("Café", ["a1", "q2"]),
        ("prefix", ["q1", "a1"]),
        ("prefi", ["q1", "a1"]),
        ('"prefi"', []),
        ('"prefix cache"', ["q1"]),
        ("R&D", ["a1"]),
        ("3.14", ["a1"]),
        ('"n1999 n2000 n2001"', ["a2"]),
        ('"n4998 n4999 keeps the end"', ["a2"]),
        ("n1 n4999", ["a2"]),
        ("has prefix", ["a1"]),
        ("secretword", []),
        ("quiet", []),
        ("'; DROP TABLE x; -- \" * ( NEAR", []),
    ],
)
def test_words_are_found_in_what_is_said(snapshot: Snapshot, query: str, messages: list[str]) -> None:
    assert found(snapshot, query) == messages


def test_what_another_snapshot_says_is_not_found(snapshot: Snapshot, freeze: FreezeRecords) -> None:
    other = freeze(said("elsewhere")).snapshot
    assert (found(snapshot, "elsewhere"), found(other, "elsewhere")) == ([], ["q1"])


def test_the_index_is_rebuilt_with_what_is_shown(snapshot: Snapshot) -> None:
    SearchedPiece.objects.all().delete()
    snapshot.rendered.update(version="2.4")
    assert (found(snapshot, "prefix"), is_searchable(snapshot)) == ([], False)
    rerender_snapshot(snapshot, renderer=InProcessRenderer())
    assert (found(snapshot, "prefix"), is_searchable(snapshot)) == (["q1", "a1"], True)


def test_words_of_a_character_no_database_knows_are_found(freeze: FreezeRecords) -> None:
    # Adlam (Unicode 9) and Han of plane 3, beyond the tables of either database.
    snapshot = freeze(said("𞤀𞤣𞤤𞤢𞤥 and 𰀀")).snapshot
    assert (found(snapshot, "𞤀𞤣𞤤𞤢𞤥"), found(snapshot, "𰀀"), found(snapshot, "𰀁")) == (["q1"], ["q1"], [])


def test_a_phrase_is_found_in_a_message_that_repeats_its_words_endlessly(freeze: FreezeRecords) -> None:
    words = " ".join(f"{n}" + "é€" * 300 for n in range(4_000))
    snapshot = freeze(said(words)).snapshot
    assert found(snapshot, "3999" + "é€" * 20) == ["q1"]


def test_a_message_of_the_longest_words_is_indexed(freeze: FreezeRecords) -> None:
    snapshot = freeze(said(" ".join(f"{n}" + "語ж" * 300 + "ж" * 100 for n in range(400)))).snapshot
    assert found(snapshot, f'"399語" {"ж" * 64}') == ["q1"]


def test_a_share_without_a_word_can_be_searched_and_holds_nothing(freeze: FreezeRecords) -> None:
    said_nothing = [{"id": "q1", "role": "USER", "content": "👍"}, {"id": "a1", "role": "ASSISTANT", "content": "…"}]
    assert is_searchable(freeze(said_nothing).snapshot)
