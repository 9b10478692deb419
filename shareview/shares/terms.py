"""Changing who may read a share, and when. Links that were revoked stay as they are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.hashers import make_password

from shareview.shares.actors import Actor
from shareview.shares.audit import auditing
from shareview.shares.models import AuditAction, RetiredToken, Share, ShareQuerySet
from shareview.shares.publish import RandomBytes, new_nonce
from shareview.shares.tokens import derive_token, hash_token


class TermsError(Exception):
    """A share cannot be changed so; the sentence says why."""


@dataclass(frozen=True)
class ShareDates:
    """From when until when a link can be read; None is no bound."""

    starts_at: datetime | None
    expires_at: datetime | None


def pause_shares(shares: ShareQuerySet, *, reason: str, actor: Actor, now: datetime) -> int:
    """Lets nobody read ``shares`` until they are resumed. Gives how many were paused."""
    standing = shares.filter(paused_at__isnull=True)
    return _change(standing, AuditAction.PAUSE, lambda share: {"paused_at": now}, reason, actor, now)


def resume_shares(shares: ShareQuerySet, *, reason: str, actor: Actor, now: datetime) -> int:
    """Lets ``shares`` be read again. Gives how many were resumed."""
    paused = shares.filter(paused_at__isnull=False)
    return _change(paused, AuditAction.RESUME, lambda share: {"paused_at": None}, reason, actor, now)


def change_dates(shares: ShareQuerySet, dates: ShareDates, *, reason: str, actor: Actor, now: datetime) -> int:
    """Sets when ``shares`` begin and end. Gives how many were changed. Raises TermsError."""
    if dates.expires_at is not None and dates.expires_at <= max(now, dates.starts_at or now):
        raise TermsError("a link must end after it begins, and in the time to come")
    fields = {"starts_at": dates.starts_at, "expires_at": dates.expires_at}
    return _change(shares, AuditAction.DATES, lambda share: fields, reason, actor, now)


def change_password(shares: ShareQuerySet, password: str, *, reason: str, actor: Actor, now: datetime) -> int:
    """Asks readers of ``shares`` for ``password``, or for none where it is empty. Gives how many were changed.

    Whoever read them until now must enter it too.
    """
    # Hashed before the transaction: that takes longer than all of it.
    hashed = make_password(password) if password else ""
    return _change(shares, AuditAction.PASSWORD, lambda share: {"password": hashed}, reason, actor, now)


def rotate_shares(
    shares: ShareQuerySet, *, reason: str, actor: Actor, now: datetime, token_key: str, random: RandomBytes
) -> int:
    """Gives ``shares`` new links; the old ones end at once. Gives how many were changed."""

    def anew(share: Share) -> dict[str, object]:
        RetiredToken.objects.create(token_hash=share.token_hash, public_id=share.public_id, retired_at=now)
        nonce = new_nonce(token_key, random)
        return {"nonce": nonce, "token_hash": hash_token(derive_token(nonce, token_key))}

    return _change(shares, AuditAction.ROTATE, anew, reason, actor, now)


_FACTS = frozenset({"starts_at", "expires_at"})


def _change(
    shares: ShareQuerySet,
    action: AuditAction,
    fields_of: Callable[[Share], Mapping[str, object]],
    reason: str,
    actor: Actor,
    now: datetime,
) -> int:
    with auditing(actor, now=now) as audit:
        chosen = list(shares.filter(revoked_at__isnull=True).order_by("pk"))
        for share in chosen:
            fields = fields_of(share)
            Share.objects.filter(pk=share.pk).update(**fields)
            details: dict[str, object] = {
                name: value.isoformat() if isinstance(value, datetime) else None
                for name, value in fields.items()
                if name in _FACTS
            }
            if action is AuditAction.PASSWORD:
                details["protected"] = bool(fields["password"])
            audit.add(action, share.public_id, reason=reason, details=details)
    return len(chosen)
