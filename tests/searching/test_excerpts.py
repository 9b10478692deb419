"""Excerpts show what was found, with some of what stands round it."""

import pytest

from shareview.searching.excerpts import excerpts, find_phrases
from shareview.searching.queries import read_query

TEXT = "High voltage ages cells, so stop at 80 %. The café says: ages of cells differ."


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("ages", ["ages", "ages"]),
        ('"ages cells"', ["ages cells"]),
        ("CAFE", ["café"]),
        ("volt", ["voltage"]),
        ('"volt"', []),
        ("vol", []),
        ("cells ages", ["ages", "cells", "ages", "cells"]),
        ('"ages cells" cells', ["ages cells", "cells"]),
        ("80%", ["80"]),
        ("high-voltage", ["High voltage"]),
        ("ages-cell", ["ages cells"]),
        ("differ nowhere", ["differ"]),
    ],
)
def test_phrases_are_found_where_they_stand(query: str, found: list[str]) -> None:
    assert [TEXT[start:end] for start, end in find_phrases(TEXT, read_query(query))] == found


def test_hits_that_stand_close_share_an_excerpt() -> None:
    text = f"one two {'far ' * 50}one end"
    made = excerpts(text, find_phrases(text, read_query("one two")), most=5)
    assert [[text[start:end] for start, end in one.hits] for one in made] == [["one", "two"], ["one"]]
    assert [text[one.start : one.end][:11] for one in made] == ["one two far", "far far far"]


def test_no_more_excerpts_than_asked_for_and_none_shows_a_word_twice() -> None:
    text = "hit " + "word " * 20 + "hit " + "word " * 20 + "hit"
    made = excerpts(text, find_phrases(text, read_query("hit")), most=2)
    assert len(made) == 2
    assert made[0].end <= made[1].start


def test_an_excerpt_of_chinese_begins_within_its_sentence() -> None:
    text = "缓" + "存" * 200 + "前缀"
    (only,) = excerpts(text, find_phrases(text, read_query("前缀")), most=3)
    assert (only.end - only.start, text[only.start : only.end][-2:]) == (62, "前缀")
