"""Words are the same on every database, whatever script they are written in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shareview.searching.words import words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't stop.", ["don", "t", "stop"]),
        ("前缀缓存", ["前", "缀", "缓", "存"]),
        ("AI前缀", ["ai", "前", "缀"]),
        ("Café, naïve, Ångström", ["cafe", "naive", "angstrom"]),
        ("Cafe\u0301", ["cafe"]),
        ("ＡＩ", ["ai"]),
        ("Straße ﬁne İstanbul", ["strasse", "fine", "istanbul"]),
        ("한국", ["한", "국"]),
        ("がｶﾞ", ["が", "ガ"]),
        ("हिन्दी", ["हिन्दी"]),
        ("snake_case foo-bar 3.14", ["snake", "case", "foo", "bar", "3", "14"]),
        ("½", ["1", "2"]),
        ("👨‍👩‍👧 …", []),
        ("x" * 100, ["x" * 64]),
    ],
)
def test_a_text_is_parted_into_words_without_case_width_and_accents(text: str, words: list[str]) -> None:
    assert [word.text for word in words_of(text)] == words


def test_a_word_knows_where_it_stands() -> None:
    assert [(word.start, word.end) for word in words_of("Eis, Café 缓存")] == [(0, 3), (5, 9), (10, 11), (11, 12)]


@given(st.text())
def test_words_stand_in_order_within_their_text(text: str) -> None:
    words = list(words_of(text))
    assert all(0 <= word.start < word.end <= len(text) and word.text for word in words)
    assert [word.start for word in words] == sorted(word.start for word in words)
