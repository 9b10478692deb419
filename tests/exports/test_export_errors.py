"""Faults and notices as sentences."""

import pytest

from shareview.exports.errors import ExportError, Notice


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (ExportError(12, "role", "one of USER", '"x"'), 'line 12, role: found "x", expected one of USER'),
        (ExportError(12, "", "one JSON object", "a list"), "line 12: found a list, expected one JSON object"),
        (ExportError(12, "id", "an id"), "line 12, id: expected an id"),
        (ExportError(0, "", "at least one message", "none"), "the file: found none, expected at least one message"),
    ],
)
def test_a_fault_names_the_place_what_was_found_and_what_was_expected(fault: ExportError, sentence: str) -> None:
    assert str(fault) == sentence


def test_a_notice_names_its_line_where_it_has_one() -> None:
    assert str(Notice(4, "metadata counts as null")) == "line 4: metadata counts as null"
    assert str(Notice(0, "no line")) == "no line"
