"""The marker [^n^]: what is one, and what it leaves when it goes (answer-citations §5.1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shareview.citations.markers import extract_markers, strip_markers

LIKE_MARKERS = st.text(st.sampled_from("[]^019aあ３ .\n"), max_size=30) | st.lists(
    st.sampled_from(["[^1^]", "[^23^]", "[^", "^]", "1", "word", "。", "[^a^]"]), max_size=12
).map("".join)


@pytest.mark.parametrize(
    ("text", "numbers", "stripped"),
    [
        ("", (), ""),
        ("没有标记。", (), "没有标记。"),
        ("截止于 11 月 30 日[^1^]。", (1,), "截止于 11 月 30 日。"),
        ("It is[^1^][^2^].", (1, 2), "It is."),
        ("B[^2^] then A[^1^]", (2, 1), "B then A"),
        ("again[^1^] and again[^1^]", (1, 1), "again and again"),
        ("beyond[^9^] zero[^0^]", (9, 0), "beyond zero"),
        ("as a number[^007^]", (7,), "as a number"),
        ("six digits[^999999^]", (999999,), "six digits"),
        ("`code [^1^]` and [link[^2^]](https://a.example/)", (1, 2), "`code ` and [link](https://a.example/)"),
        ("[^1^]", (1,), ""),
        ("[[^1^]]", (1,), "[]"),
        ("a [^1^] b", (1,), "a  b"),
    ],
)
def test_markers_are_found_in_order_and_leave_nothing(text: str, numbers: tuple[int, ...], stripped: str) -> None:
    assert extract_markers(text) == numbers
    assert strip_markers(text) == stripped


@pytest.mark.parametrize(
    "text",
    [
        "[^a^]", "[^1]", "[^1^", "^1^]", "[1]", "[^^]", "[^ 1^]", "[^1 ^]", "[^-1^]", "[^1.5^]", "[^1,2^]", "[^１^]",
        "[^٣^]", "[^²^]", "[^一^]", "[^1234567^]", "[^\n1^]", r"[\^1^]",
    ],
)  # fmt: skip
def test_what_is_no_marker_stays(text: str) -> None:
    assert extract_markers(text) == ()
    assert strip_markers(text) == text


def test_asking_twice_gives_the_same() -> None:
    text = "a[^1^]b[^2^]"
    assert extract_markers(text) == extract_markers(text) == (1, 2)
    assert strip_markers(text) == strip_markers(text) == "ab"


def test_a_very_long_text_is_read_to_its_end() -> None:
    assert extract_markers("[^1^]字" * 100_000) == (1,) * 100_000
    assert strip_markers("[^1^]字" * 100_000) == "字" * 100_000


def test_very_many_brackets_are_no_marker() -> None:
    assert strip_markers("[^1" * 200_000) == "[^1" * 200_000


@given(LIKE_MARKERS)
def test_stripping_takes_markers_only(text: str) -> None:
    numbers = extract_markers(text)
    rest = strip_markers(text)
    assert (rest == text) == (numbers == ())
    assert len(text) - len(rest) >= 5 * len(numbers)
    assert [char for char in rest if char not in "[^0123456789]"] == [
        char for char in text if char not in "[^0123456789]"
    ]


@given(st.lists(st.tuples(st.text(st.sampled_from("ab。 \n")), st.integers(0, 999_999))))
def test_the_markers_put_into_a_text_are_those_found_in_it(pieces: list[tuple[str, int]]) -> None:
    text = "".join(f"{words}[^{n}^]" for words, n in pieces)
    assert extract_markers(text) == tuple(n for _, n in pieces)
    assert strip_markers(text) == "".join(words for words, _ in pieces)
