"""Claims: the pieces of an answer that can be true or false by themselves (trusted-citations §5.1, §6.2)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sessions import sample_records

from shareview.chat.artifacts import SpanKind
from shareview.citations.claims import split_claims
from shareview.dialect import DialectError


def pieces(answer: str) -> list[str]:
    """The words of each claim."""
    return [span.text for span in split_claims(answer)]


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("第一句。第二句！第三句？", ["第一句。", "第二句！", "第三句？"]),
        ("中文 API.接着说。Then English. 再说", ["中文 API.", "接着说。", "Then English.", "再说"]),
        ("It costs 3.5 USD in v1.2.3. Done", ["It costs 3.5 USD in v1.2.3.", "Done"]),
        ("Dr. Smith, e.g. Mr. J. Doe vs. Fig. 3 etc. Here", ["Dr. Smith, e.g. Mr. J. Doe vs. Fig. 3 etc. Here"]),
        ("Wait… What? Well... maybe. So... Yes", ["Wait…", "What?", "Well... maybe.", "So...", "Yes"]),
        ("他说……然后走了。完", ["他说……然后走了。", "完"]),
        ("“引用。”后面（括号。）最后", ["“引用。”", "后面（括号。）", "最后"]),
        ('He said "stop." Then he left.', ['He said "stop."', "Then he left."]),
        ("Really?! Yes!! 真的？！好", ["Really?!", "Yes!!", "真的？！", "好"]),
        ("Great! 🙂 Next 👨‍👩‍👧. End", ["Great!", "🙂 Next 👨‍👩‍👧.", "End"]),
        ("**Bold sentence.** Next one.", ["**Bold sentence.**", "Next one."]),
        ("句子。**下一句。**最后", ["句子。", "**下一句。**", "最后"]),
        ("Run `a. B` now. See [x. Y](https://a.example/z.w)", ["Run `a. B` now.", "See [x. Y](https://a.example/z.w)"]),
        ("Cited.[^1^] Also.[^2^][^3^] Plain", ["Cited.[^1^]", "Also.[^2^][^3^]", "Plain"]),
        ("It is so. <b>Next</b> one. <br>End", ["It is so.", "<b>Next</b> one.", "<br>End"]),
        ("It works. `pip` is it, e.g. `pip a`. [See](b.c)", ["It works.", "`pip` is it, e.g. `pip a`.", "[See](b.c)"]),
        ("No end\nof a sentence", ["No end\nof a sentence"]),
        ("> quoted. More\n> and more. End", ["quoted.", "More\n> and more.", "End"]),
        ("a. B\r\n\r\nc. D", ["a.", "B", "c.", "D"]),
    ],
)  # fmt: skip
def test_a_paragraph_is_cut_at_the_ends_of_its_sentences(answer: str, claims: list[str]) -> None:
    assert pieces(answer) == claims
    assert {span.kind for span in split_claims(answer)} == {SpanKind.SENTENCE}


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        ("- one. Two\n- three", ["one.", "Two", "three"]),
        ("1. first\n2. second\n   - nested", ["first", "second", "nested"]),
        ("10) tenth. 1. not a number of its own", ["tenth.", "1. not a number of its own"]),
        ("- [ ] open\n- [x] done", ["open", "done"]),
        ("- **隔离**：代码。\n\n  第二段。", ["**隔离**：代码。", "第二段。"]),
    ],
)
def test_an_item_of_a_list_is_a_claim_without_its_mark(answer: str, claims: list[str]) -> None:
    assert pieces(answer) == claims
    assert {span.kind for span in split_claims(answer)} == {SpanKind.LIST_ITEM}


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        ("| h. H | h |\n| --- | --- |\n| a. B | `c` |\n| d | e |", ["| a. B | `c` |", "| d | e |"]),
        ("h | i\n-|-\na | b", ["a | b"]),
        ("> | h |\n> |-|\n> | a |", ["| a |"]),
    ],
)
def test_a_row_of_a_table_is_one_claim_and_its_head_is_none(answer: str, claims: list[str]) -> None:
    assert pieces(answer) == claims
    assert {span.kind for span in split_claims(answer)} == {SpanKind.TABLE_ROW}


@pytest.mark.parametrize(
    "answer",
    ["", "# Heading. One", "Under\n===", "```\ncode. Two\n```", "    code. Two", "<div>raw. Html</div>", "---", "🙂",
     "…", "[^1^]", "[r]: https://a.example"],
)  # fmt: skip
def test_what_says_nothing_is_no_claim(answer: str) -> None:
    assert pieces(answer) == []


def test_the_spans_of_the_sample_are_found() -> None:
    records = sample_records("claims.zh.jsonl")
    answer = next(str(record["content"]) for record in records if record.get("id") == "a1")
    artifact = next(record for record in records if record.get("message") == "a1")
    found = [
        {"span_id": s.id, "kind": s.kind.value, "start_index": s.start, "end_index": s.end, "text": s.text}
        for s in split_claims(answer)
    ]
    assert found == artifact["spans"]


PIECES = [
    "word", "中文", "。", ". ", "! ", "\n", "\n\n", "\r\n", "- ", "1. ", "> ", "# ", "| a | b |\n|-|-|\n", "| c |",
    "**", "*", "_", "~~", "`", "```\n", "[^1^]", "[x](https://a.example/b.c)", "😀", "\u200d", "\u0301", "\t", "    ",
    "…", "”", "<b>", "\x00",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=80))
@settings(max_examples=400, deadline=None)
def test_every_span_stands_where_it_says_in_order_and_apart(answer: str) -> None:
    try:
        spans = split_claims(answer)
    except DialectError:
        return
    end = 0
    for number, span in enumerate(spans, 1):
        assert span.id == f"span_{number:04d}"
        assert end <= span.start < span.end
        assert answer[span.start : span.end] == span.text
        end = span.end
    assert split_claims(answer) == spans
