"""When a link ends by itself, as a publisher writes it: ``7d``, ``12h``, or a day."""

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

EXPECTED: Final = "a number of days or hours such as 7d or 12h, or a day to come such as 2026-12-31"


def parse_expiry(text: str, now: datetime) -> datetime:
    """The moment that ``text`` means; a day lasts to its end in UTC. Raises ValueError."""
    span = re.fullmatch(r"([0-9]{1,5})([dh])", text)
    if span:
        moment = now + timedelta(**{"days" if span[2] == "d" else "hours": int(span[1])})
    else:
        try:
            moment = datetime.combine(date.fromisoformat(text), time.max, UTC)
        except ValueError:
            raise ValueError(EXPECTED) from None
    if moment <= now:
        raise ValueError(EXPECTED)
    return moment
