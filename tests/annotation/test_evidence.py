"""Evidence from tool results: stable ids, whole paragraphs where they fit, every word as it was retrieved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shareview.annotation.evidence import BLOCK_LENGTH, evidence_blocks, split_text
from shareview.citations.registry import Source


def source(n: int, *texts: str, url: str = "https://a.example/") -> Source:
    return Source(n, url, f"Title {n}", texts)


def test_blocks_are_named_by_registry_number_and_place() -> None:
    blocks = evidence_blocks([source(1, "Short."), source(3, "First text.", "Second text.")])
    assert [(b.id, b.document, b.title, b.section, b.text) for b in blocks] == [
        ("source_1_1", "source_1", "Title 1", "", "Short."),
        ("source_3_1", "source_3", "Title 3", "1/2", "First text."),
        ("source_3_2", "source_3", "Title 3", "2/2", "Second text."),
    ]


def test_the_same_text_retrieved_twice_is_one_block() -> None:
    assert [b.id for b in evidence_blocks([source(1, "Same.", "Same.")])] == ["source_1_1"]


def test_a_source_that_may_not_be_shown_is_no_evidence() -> None:
    assert evidence_blocks([source(1, "Text.", url="javascript:alert(1)"), source(2)]) == ()


def test_a_long_text_is_split_at_its_paragraphs() -> None:
    first, second, third = "a" * 900, "b" * 500, "c" * 900
    assert list(split_text(f"{first}\n\n{second}\n\n{third}")) == [f"{first}\n\n{second}", third]


@pytest.mark.parametrize("unit", ["字", "😀", "word ", "Sentence. ", "句子。"])
def test_a_long_paragraph_is_split_too(unit: str) -> None:
    text = unit * 1000
    pieces = list(split_text(text))
    assert all(0 < len(piece) <= BLOCK_LENGTH for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())


@given(st.text(alphabet=st.sampled_from("ab 。.\n\t字😀"), max_size=6000))
def test_every_piece_stands_in_the_text_and_nothing_is_lost(text: str) -> None:
    pieces = list(split_text(text))
    assert all(piece in text and len(piece) <= BLOCK_LENGTH for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())
