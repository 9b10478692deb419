"""When a link begins and ends by itself, as a publisher writes it: ``7d``, ``12h``, or a day."""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

EXPECTED: Final = "a number of days or hours such as 7d or 12h, or a day to come such as 2026-12-31"


def parse_expiry(text: str, now: datetime) -> datetime:
    """The moment at which ``text`` is over; a day lasts to its end in UTC. Raises ValueError."""
    return _moment(text, now, time.max)


def parse_start(text: str, now: datetime) -> datetime:
    """The moment at which ``text`` begins; a day begins at midnight in UTC. Raises ValueError."""
    return _moment(text, now, time.min)


def _moment(text: str, now: datetime, of_day: time) -> datetime:
    span = re.fullmatch(r"([0-9]{1,5})([dh])", text)
    if span:
        moment = now + timedelta(**{"days" if span[2] == "d" else "hours": int(span[1])})
    else:
        try:
            moment = datetime.combine(date.fromisoformat(text), of_day, UTC)
        except ValueError:
            raise ValueError(EXPECTED) from None
    if moment <= now:
        raise ValueError(EXPECTED)
    return moment
