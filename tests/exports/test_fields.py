"""Typed access to a record's fields: one spelling, and a fault that names line and field."""

from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum

import pytest

from shareview.exports.errors import ExportError
from shareview.exports.fields import Fields, as_text, snake_case
from shareview.exports.jsonlines import JsonObject, JsonValue
from shareview.exports.limits import Limits


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


def fields(**values: JsonValue) -> Fields:
    return Fields(values, 3, Limits(text_length=5, id_length=4))


@pytest.mark.parametrize(
    ("name", "snake"),
    [
        ("toolCallId", "tool_call_id"),
        ("tool_call_id", "tool_call_id"),
        ("id", "id"),
        ("createdAt", "created_at"),
        ("spanId", "span_id"),
        ("promptSha256", "prompt_sha256"),
    ],
)
def test_camel_case_becomes_snake_case(name: str, snake: str) -> None:
    assert snake_case(name) == snake


def test_known_fields_are_found_under_either_spelling_and_others_stay_as_they_are() -> None:
    found: JsonObject = {"toolCallId": "c", "someThing": 1, "some_thing": 2}
    assert Fields.of(found, ["tool_call_id"], 1, Limits()).values == {
        "tool_call_id": "c",
        "someThing": 1,
        "some_thing": 2,
    }


def test_a_field_in_both_spellings_is_refused_even_where_both_say_the_same() -> None:
    with pytest.raises(ExportError) as caught:
        Fields.of({"toolCallId": "c", "tool_call_id": "c"}, ["tool_call_id"], 4, Limits(), "x.")
    assert str(caught.value) == (
        "line 4, x.tool_call_id: found both snake_case and camelCase, expected one spelling of the field"
    )


def test_a_text_is_given_as_it_stands_and_its_default_for_null_or_none_at_all() -> None:
    assert fields(a=" x ").text("a") == " x "
    assert fields(a="").text("a") == ""
    assert fields(a=None).text("a", default="d") == "d"
    assert fields().text("a", default="d") == "d"


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        (None, "line 3, a: found nothing, expected text"),
        (5, "line 3, a: found 5, expected text"),
        (["x"], "line 3, a: found a list, expected text"),
        ("123456", "line 3, a: found 6, expected at most 5 characters"),
    ],
)
def test_what_is_no_text_is_refused(value: JsonValue, fault: str) -> None:
    with pytest.raises(ExportError) as caught:
        fields(a=value).text("a")
    assert str(caught.value) == fault


def test_the_length_of_a_text_is_counted_in_code_points() -> None:
    assert fields(a="😀" * 5).text("a") == "😀" * 5


def test_an_id_is_a_number_or_a_text_and_compared_as_text() -> None:
    assert fields(a=12).identifier("a") == "12"
    assert fields(a="12").identifier("a") == "12"
    assert fields(a=0).identifier("a") == "0"
    assert fields(a=None).identifier("a", default="main") == "main"


@pytest.mark.parametrize("value", [None, "", True, False, 1.5, [], {}])
def test_what_is_neither_number_nor_text_is_no_id(value: JsonValue) -> None:
    with pytest.raises(ExportError, match=r"^line 3, a: found .* expected a number or a text that is not empty$"):
        fields(a=value).identifier("a")


@pytest.mark.parametrize("value", ["12345", 12345])
def test_an_id_longer_than_the_bound_is_refused_with_the_bound(value: JsonValue) -> None:
    with pytest.raises(ExportError, match=r"^line 3, a: found 5, expected at most 4 characters$"):
        fields(a=value).identifier("a")


def test_a_number_is_whole_and_from_0() -> None:
    assert fields(a=0).number("a") == 0
    assert fields(a=7).number("a") == 7
    assert fields(a=None).number("a") is None
    assert fields().number("a") is None


@pytest.mark.parametrize("value", [-1, True, "7", 1.5])
def test_other_numbers_are_refused(value: JsonValue) -> None:
    with pytest.raises(ExportError, match=r"expected a whole number from 0$"):
        fields(a=value).number("a")


def test_a_choice_is_one_of_the_words_or_its_default() -> None:
    assert fields(a="blue").choice("a", Colour, default=Colour.RED) is Colour.BLUE
    assert fields(a=None).choice("a", Colour, default=Colour.RED) is Colour.RED


@pytest.mark.parametrize("value", ["green", "BLUE", "", 1, True, [], {}])
def test_another_word_is_refused_with_those_there_are(value: JsonValue) -> None:
    with pytest.raises(ExportError, match=r"^line 3, a: found .*, expected one of red, blue$"):
        fields(a=value).choice("a", Colour, default=Colour.RED)


def moment(text: JsonValue, *, with_offset: bool = False) -> datetime | None:
    return Fields({"at": text}, 3, Limits()).moment("at", with_offset=with_offset)


def test_a_time_is_read_with_its_offset() -> None:
    assert moment("2026-10-12T09:00:02+08:00") == datetime(2026, 10, 12, 1, 0, 2, tzinfo=UTC)
    assert moment("2026-10-12T09:00:02.5Z") == datetime(2026, 10, 12, 9, 0, 2, 500_000, tzinfo=UTC)
    assert moment("2026-10-12T09:00+08:00", with_offset=True) == datetime(
        2026, 10, 12, 9, 0, tzinfo=timezone(timedelta(hours=8))
    )
    assert moment(None) is None


def test_a_time_without_an_offset_is_read_as_utc() -> None:
    assert moment("2026-10-12T09:00:00") == datetime(2026, 10, 12, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01", "12.10.2026", 1760000000])
def test_what_is_no_time_is_refused(text: JsonValue) -> None:
    with pytest.raises(ExportError, match=r"^line 3, at: found "):
        moment(text)


def test_a_time_without_an_offset_is_refused_where_one_is_asked_for() -> None:
    with pytest.raises(ExportError, match=r"expected a time in ISO 8601 with an offset$"):
        moment("2026-10-12T09:00:00", with_offset=True)


def test_an_object_within_is_named_by_its_path() -> None:
    inner = Fields({"fork": {"selector": {"exact": 1}}}, 3, Limits()).item("fork", ())
    assert inner is not None
    selector = inner.item("selector", ())
    assert selector is not None
    with pytest.raises(ExportError, match=r"^line 3, fork\.selector\.exact: found 1, expected text$"):
        selector.text("exact")


def test_an_object_in_a_list_is_named_by_its_place() -> None:
    items = fields(quotes=[{"text": "a"}, {"text": 2}]).items("quotes", ())
    with pytest.raises(ExportError, match=r"^line 3, quotes\[1\]\.text: found 2, expected text$"):
        items[1].text("text")


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("x", 'line 3, a: found "x", expected a list'),
        ([{}, 1], "line 3, a[1]: found 1, expected an object"),
        ([{}, {}, {}], "line 3, a: found 3, expected at most 2 items"),
    ],
)
def test_what_is_no_list_of_objects_is_refused(value: JsonValue, fault: str) -> None:
    with pytest.raises(ExportError) as caught:
        fields(a=value).items("a", (), most=2)
    assert str(caught.value) == fault


def test_what_is_no_object_is_refused() -> None:
    with pytest.raises(ExportError, match=r"^line 3, a: found a list, expected an object$"):
        fields(a=[]).item("a", ())


def test_a_json_text_is_unpacked_and_another_value_is_itself() -> None:
    assert fields(a='{"b": [1]}').unpacked("a") == {"b": [1]}
    assert fields(a={"b": 1}).unpacked("a") == {"b": 1}
    assert fields(a=None).unpacked("a") is None
    with pytest.raises(ValueError, match=r"^no JSON"):
        fields(a="{b").unpacked("a")


@pytest.mark.parametrize(
    ("value", "text"),
    [("as it is", "as it is"), (None, ""), ({"q": "缓存"}, '{"q": "缓存"}'), ([1, True], "[1, true]")],
)
def test_arguments_are_text_or_become_json(value: JsonValue, text: str) -> None:
    assert as_text(value) == text
