"""How often may be tried, counted in Redis or in the process, and in the process where Redis is not there."""

import pytest
from django.conf import LazySettings
from limits import parse
from limits.errors import StorageError
from limits.storage import MemoryStorage

from shareview.shares import limits
from shareview.shares.limits import TooManyTriesError, count_try, forget_tries, require_try

TWICE = parse("2 per minute")


def test_the_third_try_of_two_is_refused_with_how_long_to_wait() -> None:
    count_try(TWICE, "a")
    count_try(TWICE, "a")
    with pytest.raises(TooManyTriesError) as refused:
        count_try(TWICE, "a")
    assert 1 <= refused.value.seconds <= 60


def test_others_are_not_counted_with_it() -> None:
    for _try in range(2):
        count_try(TWICE, "a")
    count_try(TWICE, "b")
    with pytest.raises(TooManyTriesError):
        require_try(TWICE, "a")
    require_try(TWICE, "b")


def test_asking_whether_one_may_counts_nothing() -> None:
    for _question in range(5):
        require_try(TWICE, "a")
    count_try(TWICE, "a")


def test_forgetting_begins_anew() -> None:
    for _try in range(2):
        count_try(TWICE, "a")
    forget_tries()
    count_try(TWICE, "a")


def test_a_cache_that_cannot_be_reached_lets_nobody_try_without_end(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(*args: object, **options: object) -> int:
        raise StorageError(OSError("no Redis"))

    shared, _own = limits._limiters()
    assert isinstance(shared.storage, MemoryStorage)
    monkeypatch.setattr(shared.storage, "incr", unreachable)
    monkeypatch.setattr(shared.storage, "get", unreachable)
    count_try(TWICE, "a")
    count_try(TWICE, "a")
    with pytest.raises(TooManyTriesError):
        count_try(TWICE, "a")
