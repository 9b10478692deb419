"""What the databases are given is plain ASCII, in pieces that a phrase cannot fall between."""

from shareview.searching.index_terms import fts5_query, index_pieces, tsquery
from shareview.searching.queries import Phrase


def test_words_are_spelt_in_ascii_behind_the_number_of_their_snapshot() -> None:
    assert list(index_pieces("AI 缓 12", 7)) == ["s7 wai ue7bc93 w12"]


def test_what_has_no_words_has_no_piece() -> None:
    assert list(index_pieces(" … ", 7)) == []


def test_a_phrase_stands_whole_in_one_of_the_pieces_of_a_long_text() -> None:
    pieces = [piece.split()[1:] for piece in index_pieces(" ".join(f"n{n}" for n in range(5_000)), 7)]
    assert [len(piece) for piece in pieces] == [2_000, 2_000, 1_400]
    for start in range(0, 4_800, 7):
        phrase = [f"wn{n}" for n in range(start, start + 200)]
        assert any(
            phrase == piece[at : at + 200] for piece in pieces for at in range(len(piece)) if piece[at] == phrase[0]
        )


def test_no_piece_holds_a_word_more_often_than_postgresql_keeps_its_places() -> None:
    pieces = [piece.split() for piece in index_pieces("a b " * 1_000, 7)]
    assert max(piece.count("wa") for piece in pieces) == 255
    assert [piece[1:3] for piece in pieces] == [["wa", "wb"]] * len(pieces)


def test_questions_are_asked_in_each_databases_own_form() -> None:
    closed, opened = Phrase(("缓", "ai"), is_open=False), Phrase(("batter",), is_open=True)
    assert fts5_query(closed, 7) == 's7 AND "ue7bc93 wai"'
    assert fts5_query(opened, 7) == 's7 AND "wbatter" *'
    assert tsquery(closed, 7) == "s7 & (ue7bc93 <-> wai)"
    assert tsquery(opened, 7) == "s7 & (wbatter:*)"
