"""How often may be tried: wrong passwords, unknown tokens. Counted in the shared cache where there is one."""

import math
import time
from collections.abc import Callable
from functools import cache
from typing import Final

from django.conf import settings
from limits import RateLimitItem, parse
from limits.errors import StorageError
from limits.storage import MemoryStorage, storage_from_string
from limits.strategies import FixedWindowRateLimiter

UNKNOWN_TOKENS: Final = parse("60 per minute")
"""Of one line (surface, "Addresses")."""
PASSWORDS_OF_LINE: Final = parse("10 per 15 minutes")
"""Wrong ones, of one line for one share."""
PASSWORDS_OF_SHARE: Final = parse("300 per hour")
"""Wrong ones, of all lines together for one share: more than a few lines have, or these could keep everybody out."""


class TooManyTriesError(Exception):
    """No more may be tried for ``seconds``."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many tries; again in {seconds} seconds")
        self.seconds = seconds


@cache
def _limiters() -> tuple[FixedWindowRateLimiter, FixedWindowRateLimiter]:
    """The limiter of all processes, and that of this one, which stands in where the cache cannot be reached."""
    shared = storage_from_string(settings.ENVIRONMENT.cache_url or "memory://", wrap_exceptions=True)
    return FixedWindowRateLimiter(shared), FixedWindowRateLimiter(MemoryStorage())


def is_shared_storage_there() -> bool:
    """Whether the cache that processes share answers; where there is none, there is nothing to miss."""
    return bool(_limiters()[0].storage.check())


def _ask(question: Callable[[FixedWindowRateLimiter], float]) -> float:
    shared, own = _limiters()
    try:
        return question(shared)
    except StorageError:
        return question(own)


def require_try(limit: RateLimitItem, *names: str) -> None:
    """Raises TooManyTriesError where ``names`` tried too often; counts nothing."""
    if not _ask(lambda limiter: limiter.test(limit, *names)):
        raise TooManyTriesError(_seconds(limit, *names))


def count_try(limit: RateLimitItem, *names: str) -> None:
    """Counts one try of ``names``. Raises TooManyTriesError where it is one too many."""
    if not _ask(lambda limiter: limiter.hit(limit, *names)):
        raise TooManyTriesError(_seconds(limit, *names))


def forget_tries() -> None:
    """Begins counting anew, in this process and in the cache."""
    for limiter in _limiters():
        limiter.storage.reset()


def _seconds(limit: RateLimitItem, *names: str) -> int:
    reset = _ask(lambda limiter: limiter.get_window_stats(limit, *names).reset_time)
    return max(1, math.ceil(reset - time.time()))
