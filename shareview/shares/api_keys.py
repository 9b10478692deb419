"""Keys of the API: made once, shown once, stored as a hash."""

import hashlib
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import Final

from django.contrib.auth.models import User

from shareview.shares.actors import Actor
from shareview.shares.audit import auditing
from shareview.shares.models import ApiKey, AuditAction, Scope, Share, ShareQuerySet
from shareview.shares.publish import RandomBytes
from shareview.shares.roles import Role, acts_on_all_shares, roles_of

KEY_PREFIX: Final = "svk_"
_SECRET_BYTES: Final = 32
_ID_BYTES: Final = 6
_USE_NOTED_EVERY: Final = timedelta(minutes=1)
_ROLES: Final = {Role.PUBLISHER, Role.ADMIN}


class KeyRefusedError(Exception):
    """A key is unknown, has ended, has expired, or its owner may publish no more; which of these is not told."""


class KeyTermsError(Exception):
    """A key cannot be made so; the sentence says why."""


@dataclass(frozen=True)
class KeyTerms:
    """What a key is for: its name, its owner, what it may do, and until when."""

    name: str
    owner: User
    scopes: Collection[Scope]
    expires_at: datetime | None = None


def make_api_key(
    terms: KeyTerms, *, actor: Actor, now: datetime, random: RandomBytes = secrets.token_bytes
) -> tuple[ApiKey, str]:
    """A new key and its text, which is stored nowhere. Raises KeyTermsError."""
    if not roles_of(terms.owner) & _ROLES:
        raise KeyTermsError(f"{terms.owner.get_username()} is no publisher and no admin")
    if not terms.scopes or not terms.name.strip():
        raise KeyTermsError("a key needs a name and something that it may do")
    if terms.expires_at is not None and terms.expires_at <= now:
        raise KeyTermsError("a key must end in the time to come")
    secret, public_id = random(_SECRET_BYTES).hex(), random(_ID_BYTES).hex()
    with auditing(actor, now=now) as audit:
        key = ApiKey.objects.create(
            name=terms.name.strip()[:100],
            owner=terms.owner,
            public_id=public_id,
            secret_hash=_hash(secret),
            scopes=[scope.value for scope in Scope if scope in terms.scopes],
            created_at=now,
            expires_at=terms.expires_at,
        )
        details: dict[str, object] = {"scopes": key.scopes, "expires_at": _text(terms.expires_at)}
        audit.add(AuditAction.KEY_MADE, f"key {public_id}", details={**details, "owner": terms.owner.get_username()})
    return key, f"{KEY_PREFIX}{public_id}_{secret}"


def end_api_keys(keys: Collection[ApiKey], *, reason: str, actor: Actor, now: datetime) -> int:
    """Ends ``keys`` at once. Gives how many stood."""
    with auditing(actor, now=now) as audit:
        standing = ApiKey.objects.filter(pk__in=[key.pk for key in keys], ended_at__isnull=True)
        ids = list(standing.values_list("public_id", flat=True))
        standing.update(ended_at=now)
        for public_id in ids:
            audit.add(AuditAction.KEY_ENDED, f"key {public_id}", reason=reason, details={})
    return len(ids)


def read_api_key(text: str, *, now: datetime) -> ApiKey:
    """The key whose text that is. Raises KeyRefusedError."""
    public_id, _, secret = text.removeprefix(KEY_PREFIX).partition("_")
    key = ApiKey.objects.select_related("owner").filter(public_id=public_id[:16]).first() if secret else None
    # Compared in any case, so that the time it takes tells nothing.
    is_right = compare_digest(key.secret_hash if key else _hash(""), _hash(secret))
    if key is None or not is_right or not text.startswith(KEY_PREFIX) or not _stands(key, now):
        raise KeyRefusedError
    if key.last_used_at is None or now - key.last_used_at > _USE_NOTED_EVERY:
        ApiKey.objects.filter(pk=key.pk).update(last_used_at=now)
    return key


def _stands(key: ApiKey, now: datetime) -> bool:
    is_over = key.ended_at is not None or (key.expires_at is not None and key.expires_at <= now)
    return not is_over and bool(roles_of(key.owner) & _ROLES)


def shares_of_key(key: ApiKey) -> ShareQuerySet:
    """The shares that ``key`` may look at and change: its owner's, or all where the owner is an admin."""
    shares: ShareQuerySet = Share.objects.select_related("snapshot", "owner").prefetch_related("embeds")
    return shares if acts_on_all_shares(key.owner) else shares.filter(owner=key.owner)


def _hash(secret: str) -> str:
    # 256 random bits need no slow hash.
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
