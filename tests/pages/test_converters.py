"""Ids of an export in paths: any text comes back as it was, and no browser shortens the path."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shareview.pages.converters import IdConverter


@pytest.mark.parametrize(
    ("id", "path"),
    [("107", "107"), ("a b", "a b"), ("a/b", "a/b"), ("..", "~~2E~2E"), ("~x", "~~7Ex"), ("a//b", "~a~2F~2Fb")],
)
def test_an_id_is_written_as_it_is_unless_a_browser_would_shorten_it(id: str, path: str) -> None:
    assert IdConverter().to_url(id) == path


@given(st.text(min_size=1))
def test_every_id_comes_back(id: str) -> None:
    path = IdConverter().to_url(id)
    assert IdConverter().to_python(path) == id
    assert {"", ".", ".."}.isdisjoint(path.split("/"))
