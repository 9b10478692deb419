"""When a link ends, as a publisher writes it."""

from datetime import UTC, datetime

import pytest

from shareview.shares.expiry import parse_expiry, parse_start

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("7d", datetime(2026, 12, 8, 9, 30, tzinfo=UTC)),
        ("12h", datetime(2026, 12, 1, 21, 30, tzinfo=UTC)),
        ("2026-12-31", datetime(2026, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)),
        ("2026-12-01", datetime(2026, 12, 1, 23, 59, 59, 999999, tzinfo=UTC)),
    ],
)
def test_a_span_or_a_day_is_understood(text: str, moment: datetime) -> None:
    assert parse_expiry(text, NOW) == moment


@pytest.mark.parametrize("text", ["", "0d", "-1d", "7", "7w", "2026-11-30", "2026-13-01", "tomorrow", "999999999d"])
def test_what_is_no_moment_to_come_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="7d or 12h"):
        parse_expiry(text, NOW)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2d", datetime(2026, 12, 3, 9, 30, tzinfo=UTC)),
        ("2026-12-24", datetime(2026, 12, 24, tzinfo=UTC)),
    ],
)
def test_a_day_begins_at_midnight(text: str, moment: datetime) -> None:
    assert parse_start(text, NOW) == moment


@pytest.mark.parametrize("text", ["2026-12-01", "0h", "soon"])
def test_a_beginning_lies_in_the_time_to_come(text: str) -> None:
    with pytest.raises(ValueError, match="7d or 12h"):
        parse_start(text, NOW)
