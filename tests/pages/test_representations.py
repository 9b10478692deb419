"""What a reader takes and has, as RFC 9110 writes it."""

import pytest

from shareview.pages.representations import has_already, takes_coding


@pytest.mark.parametrize(
    ("accepted", "takes"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("gzip; q=0.001", True),
        ("gzip;q=0", False),
        ("gzip ; q=0.000, br", False),
        ("x-gzip, br", False),
        ("identity", False),
        ("", False),
    ],
)
def test_a_coding_is_taken_where_it_is_named_and_not_ruled_out(accepted: str, takes: bool) -> None:
    assert takes_coding(accepted, "gzip") is takes


@pytest.mark.parametrize(
    ("known", "has"),
    [('"a"', True), ('W/"a"', True), ('"b", "a"', True), ("*", True), ('"b"', False), ("a", False), ("", False)],
)
def test_a_tag_is_known_by_weak_comparison(known: str, has: bool) -> None:
    assert has_already(known, '"a"') is has
