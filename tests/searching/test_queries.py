"""A question is read as phrases that must all be found."""

import pytest

from shareview.searching.queries import Phrase, read_query


@pytest.mark.parametrize(
    ("query", "phrases"),
    [
        ("AI", [Phrase(("ai",), is_open=False)]),
        ("batter", [Phrase(("batter",), is_open=True)]),
        ("前缀", [Phrase(("前", "缀"), is_open=False)]),
        ("缓", [Phrase(("缓",), is_open=False)]),
        ("foo-barbar", [Phrase(("foo", "barbar"), is_open=True)]),
        ('"High voltage" cells', [Phrase(("high", "voltage"), is_open=False), Phrase(("cells",), is_open=True)]),
        ("“High voltage”", [Phrase(("high", "voltage"), is_open=False)]),
        ('"not closed', [Phrase(("not", "closed"), is_open=False)]),
        ("AI ai Ai", [Phrase(("ai",), is_open=False)]),
        ('"', []),
        ("* ( ) : & | !", []),
        ("", []),
    ],
)
def test_words_between_spaces_or_quotation_marks_are_a_phrase(query: str, phrases: list[Phrase]) -> None:
    assert list(read_query(query)) == phrases


def test_a_question_without_end_is_read_up_to_its_limits() -> None:
    assert len(read_query("缓" * 10_000)[0].words) == 200
    assert len(read_query(" ".join(map(str, range(50))))) == 12
