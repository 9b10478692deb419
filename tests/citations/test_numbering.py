"""An answer that is taken along keeps its code and tells which sentence has which source."""

import pytest

from shareview.chat.artifacts import EvidenceBlock, Span, SpanKind
from shareview.citations.claim_citations import CitedBlock, Claim, Support, Trust
from shareview.citations.numbering import number_claims, number_markers

NUMBERS = {1: 1, 3: 2}


@pytest.mark.parametrize(
    ("answer", "numbered"),
    [
        ("One[^1^]. Two[^3^][^1^].", "One[1]. Two[2][1]."),
        ("Forged[^9^] and[^2^] odd[^01^].", "Forged and odd."),
        ("# Head[^1^]\n\n- item[^3^]\n> quote[^1^]", "# Head[1]\n\n- item[2]\n> quote[1]"),
        ("| h[^1^] | i |\n|-|-|\n| a[^3^] | `[^1^]` |", "| h[1] | i |\n|-|-|\n| a[2] | `[^1^]` |"),
        ("`[^1^]` and\n\n```\nx[^1^]\n```\n", "`[^1^]` and\n\n```\nx[^1^]\n```\n"),
        ("[text[^1^]](https://a.example) after[^1^]", "[text[^1^]](https://a.example) after[1]"),
        ("中文[^1^]。\r\n\r\n再来[^3^]", "中文[1]。\r\n\r\n再来[2]"),
        (r"\[^1^] and [^a^]", r"\[^1^] and [^a^]"),
        ("", ""),
    ],
)
def test_markers_of_running_text_become_display_numbers(answer: str, numbered: str) -> None:
    assert number_markers(answer, NUMBERS) == numbered


def claim(answer: str, words: str, *numbers: int) -> Claim:
    start = answer.index(words)
    block = EvidenceBlock("b", "", "", "", "", "", "")
    cited = tuple(CitedBlock(k, block, Support.PENDING, "", Trust.HINT, ()) for k in numbers)
    return Claim(Span("s", SpanKind.SENTENCE, start, start + len(words), words), cited, Support.PENDING, "")


def test_numbers_of_evidence_stand_behind_their_claims() -> None:
    answer = "One. Two[^1^].\n\n| a | b |\n|-|-|\n| c | d |"
    claims = [claim(answer, "One.", 1), claim(answer, "Two[^1^].", 2, 1), claim(answer, "| c | d |", 3)]
    assert number_claims(answer, claims) == "One.[1] Two.[2][1]\n\n| a | b |\n|-|-|\n| c | d [3] |"
