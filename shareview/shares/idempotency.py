"""Doing a thing once, however often it is asked for (draft-ietf-httpapi-idempotency-key-header)."""

from collections.abc import Callable
from contextlib import nullcontext
from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction

from shareview.shares.models import ApiKey, IdempotentCall

KEPT: Final = timedelta(hours=24)
ABANDONED: Final = timedelta(minutes=30)
"""A request that has no answer after this long was cut off with its process; it may be asked for again."""
Result = dict[str, object]


class UnderWayError(Exception):
    """The same request is being answered now."""


class OtherRequestError(Exception):
    """The idempotency key was used for another request."""


def do_once(
    key: ApiKey, value: str | None, fingerprint: str, do: Callable[[], Result], *, now: datetime, is_short: bool = True
) -> tuple[Result, bool]:
    """What ``do`` gives, and whether that was done now; what it gave before for the same ``value`` of ``key``.

    ``fingerprint`` tells requests apart. What is done and that it was done are stored in one transaction, or not at
    all; but where it is not ``is_short``, for then others who write would wait, and it must come to the same if it is
    done again. Without a ``value`` it is done each time. Raises UnderWayError, OtherRequestError, and what ``do``
    raises.
    """
    if not value:
        return do(), True
    IdempotentCall.objects.filter(began_at__lt=now - KEPT).delete()
    known = _begin(key, value, fingerprint, now)
    if known is not None:
        return known, False
    call = IdempotentCall.objects.filter(key=key, value=value)
    try:
        with transaction.atomic() if is_short else nullcontext():
            result = do()
            call.update(result=result)
    except BaseException:
        call.filter(result__isnull=True).delete()
        raise
    return result, True


def _begin(key: ApiKey, value: str, fingerprint: str, now: datetime) -> Result | None:
    """Notes that the request is being answered; its result, where it was answered before."""
    try:
        with transaction.atomic():
            IdempotentCall.objects.create(key=key, value=value, fingerprint=fingerprint, began_at=now)
    except IntegrityError:
        return _known(key, value, fingerprint, now)
    return None


def _known(key: ApiKey, value: str, fingerprint: str, now: datetime) -> Result | None:
    call = IdempotentCall.objects.filter(key=key, value=value).first()
    if call is None:
        # It failed a moment ago, and may be tried again.
        raise UnderWayError
    if call.fingerprint != fingerprint:
        raise OtherRequestError
    if call.result is not None:
        result: Result = call.result
        return result
    taken = IdempotentCall.objects.filter(pk=call.pk, result__isnull=True, began_at__lt=now - ABANDONED)
    if not taken.update(began_at=now):
        raise UnderWayError
    return None
