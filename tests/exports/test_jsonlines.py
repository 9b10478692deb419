"""Strict JSON, one object a line, within bounds."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shareview.exports.errors import ExportError
from shareview.exports.jsonlines import JsonObject, JsonValue, canonical, describe, parse_json, parse_line, read_lines
from shareview.exports.limits import Limits

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
# Whole floats beyond 2^53-1 have a test of their own below.
NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(-1e15, 1e15)
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def fault_in_line(line: bytes, **limits: int) -> str:
    with pytest.raises(ExportError) as caught:
        parse_line(7, line, Limits(**limits))
    return str(caught.value)


def lines_of(data: bytes, **limits: int) -> list[tuple[int, bytes]]:
    return list(read_lines(io.BytesIO(data), Limits(**limits)))


def test_a_line_gives_its_object() -> None:
    assert parse_line(1, '{"id": 7, "content": "缓存", "metadata": null}\r\n'.encode(), Limits()) == {
        "id": 7,
        "content": "缓存",
        "metadata": None,
    }


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b"[1]", "a list"),
        (b'"words"', '"words"'),
        (b"12", "12"),
        (b"true", "true"),
        (b"null", "nothing"),
        (b'{"a": 1', "no JSON (Expecting ',' delimiter at character 8)"),
        (b'{"a": 1} {"b": 2}', "no JSON (Extra data at character 10)"),
        (b"{'a': 1}", "no JSON (Expecting property name enclosed in double quotes at character 2)"),
        (b'{"a": NaN}', "NaN, which JSON does not know"),
        (b'{"a": -Infinity}', "-Infinity, which JSON does not know"),
        (b'{"a": 1, "b": 2, "a": 3}', 'the key "a" twice in one object'),
        (b'{"outer": [{"a": 1, "a": 1}]}', 'the key "a" twice in one object'),
        (rb'{"a": "x\ud800"}', "half of a surrogate pair at character 2 of a text"),
        (rb'{"\udc00": 1}', "half of a surrogate pair at character 1 of a text"),
        (b'{"a": 9007199254740993}', "the number 9007199254740993, beyond 2^53-1; write it as text"),
        (b'{"a": -9007199254740993}', "the number -9007199254740993, beyond 2^53-1; write it as text"),
        (b'{"a": 1e999}', "the number 1e999, too large"),
        (b'{"a": -1e999}', "the number -1e999, too large"),
    ],
)
def test_a_line_that_is_no_strict_json_object_is_refused_with_what_was_found(line: bytes, found: str) -> None:
    assert fault_in_line(line) == f"line 7: found {found}, expected one JSON object"


def test_a_number_of_thousands_of_digits_is_refused_and_quoted_in_part() -> None:
    assert fault_in_line(b'{"a": ' + b"9" * 10_000 + b"}") == (
        f"line 7: found the number {'9' * 40}, beyond 2^53-1; write it as text, expected one JSON object"
    )


@pytest.mark.parametrize("number", [9007199254740991, -9007199254740991])
def test_the_largest_whole_numbers_are_read_exactly(number: int) -> None:
    assert parse_line(1, f'{{"a": {number}}}'.encode(), Limits()) == {"a": number}


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert parse_json(r'"\ud83d\ude00"', depth=1) == "😀"


def test_bytes_that_are_no_utf_8_are_refused_at_their_place() -> None:
    assert fault_in_line(b'{"a": "\xff"}') == "line 7: found other bytes at byte 8, expected UTF-8"


def test_as_many_levels_as_the_bound_are_read() -> None:
    assert parse_json('{"a": [{"b": 1}]}', depth=3) == {"a": [{"b": 1}]}


@pytest.mark.parametrize("text", ['{"a": [{"b": 1}]}', "[[[1]]]", "[[[]]]", '{"a": {"b": {}}}'])
def test_a_level_more_than_the_bound_is_refused_with_the_bound(text: str) -> None:
    with pytest.raises(ValueError, match=r"^more than 2 levels$"):
        parse_json(text, depth=2)


@pytest.mark.parametrize("deep", [b"[" * 200_000, b'{"a":' * 200_000])
def test_nesting_beyond_what_the_parser_can_follow_is_refused_with_the_bound(deep: bytes) -> None:
    assert fault_in_line(deep) == "line 7: found more than 64 levels, expected one JSON object"


@given(st.text())
def test_any_text_is_read_or_refused_with_a_value_error(text: str) -> None:
    try:
        value = parse_json(text, depth=8)
    except ValueError:
        return
    assert json.loads(text) == value


@given(st.text(st.sampled_from('[]{}:,"\\ud8e0123.-+NaIfty \n'), max_size=40))
def test_text_that_looks_like_json_is_read_or_refused_with_a_value_error(text: str) -> None:
    try:
        value = parse_json(text, depth=4)
    except ValueError:
        return
    assert json.loads(text) == value


@given(VALUES)
def test_canonical_json_reads_as_the_value_and_is_canonical_again(value: JsonValue) -> None:
    written = canonical(value)
    assert parse_json(written, depth=64) == value
    assert canonical(parse_json(written, depth=64)) == written


@pytest.mark.parametrize("number", ["9007199254740992.0", "1e17", "1e20"])
def test_a_number_that_is_accepted_is_accepted_again_in_its_canonical_form(number: str) -> None:
    written = canonical(parse_json(number, depth=1))
    assert canonical(parse_json(written, depth=1)) == written


def test_canonical_json_sorts_keys_and_writes_no_needless_character() -> None:
    value: JsonObject = {"b": [1, 2.0, 0.5, None, True], "a": "é\n\u2028"}
    assert canonical(value) == '{"a":"é\\n\u2028","b":[1,2,0.5,null,true]}'


def test_lines_are_counted_from_1_and_blank_ones_passed_over() -> None:
    assert lines_of(b'{"a":1}\n\n  \t\r\n{"b":2}\r\n\n{"c":3}') == [
        (1, b'{"a":1}\n'),
        (4, b'{"b":2}\r\n'),
        (6, b'{"c":3}'),
    ]


def test_a_byte_order_mark_before_the_first_line_is_taken_off() -> None:
    assert lines_of(b'\xef\xbb\xbf{"a":1}\n') == [(1, b'{"a":1}\n')]


def test_a_first_line_that_is_a_byte_order_mark_alone_is_blank() -> None:
    assert lines_of(b'\xef\xbb\xbf\n{"a":1}\n') == [(2, b'{"a":1}\n')]


def test_a_byte_order_mark_further_down_is_no_json() -> None:
    number, line = lines_of(b'{"a":1}\n\xef\xbb\xbf{"b":2}\n')[1]
    with pytest.raises(ExportError, match=r"^line 2: found no JSON .* expected one JSON object$"):
        parse_line(number, line, Limits())


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_a_line_as_long_as_the_bound_is_read_whatever_ends_it(end: bytes) -> None:
    assert lines_of(b"1234567890" + end + b"x", line_bytes=11)[0][0] == 1


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_a_line_longer_than_the_bound_is_refused_with_the_bound(end: bytes) -> None:
    with pytest.raises(ExportError) as caught:
        lines_of(b"ok\n12345678901" + end, line_bytes=10)
    assert str(caught.value) == "line 2: found a longer line, expected at most 10 bytes a line"


def test_a_line_is_never_read_much_beyond_its_bound() -> None:
    source = io.BytesIO(b"x" * 1_000_000)
    with pytest.raises(ExportError):
        list(read_lines(source, Limits(line_bytes=100)))
    assert source.tell() <= 102


def test_a_file_as_long_as_the_bound_is_read() -> None:
    assert len(lines_of(b"12\n34\n", file_bytes=6)) == 2


@pytest.mark.parametrize("data", [b"12\n34\n5", b"12\n\n\n\n\n\n\n"])
def test_a_file_longer_than_the_bound_is_refused_with_the_bound(data: bytes) -> None:
    with pytest.raises(ExportError, match="found more, expected at most 6 bytes in all"):
        lines_of(data, file_bytes=6)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "nothing"),
        (True, "true"),
        (False, "false"),
        (3, "3"),
        (0.5, "0.5"),
        ("short", '"short"'),
        ("x" * 40, '"' + "x" * 40 + '"'),
        ("x" * 41, '"' + "x" * 40 + '…"'),
        ([1], "a list"),
        ({"a": 1}, "an object"),
    ],
)
def test_a_found_value_is_told_in_few_words(value: object, words: str) -> None:
    assert describe(value) == words


@given(VALUES)
def test_what_json_writes_is_read_back(value: JsonValue) -> None:
    assert parse_json(json.dumps(value), depth=64) == value
