"""Ending links; the only writer of ``revoked_at``."""

from collections.abc import Sequence
from datetime import datetime

from django.conf import settings

from shareview.shares.actors import Actor
from shareview.shares.audit import AuditWriter, auditing
from shareview.shares.models import EMBED_PATH, SHARE_PATH, AuditAction, RetiredToken, Share, ShareQuerySet
from shareview.shares.tokens import hash_token


class UnknownShareError(Exception):
    """No share answers to what was given."""


def revoke_shares(shares: ShareQuerySet, *, reason: str, actor: Actor, now: datetime) -> int:
    """Ends ``shares`` at once; those that ended before keep their time and reason. Gives how many ended."""
    with auditing(actor, now=now) as audit:
        return len(end_shares(shares, reason=reason, now=now, audit=audit))


def end_shares(shares: ShareQuerySet, *, reason: str, now: datetime, audit: AuditWriter) -> Sequence[str]:
    """Ends ``shares`` within the transaction of ``audit``. Gives the public ids of those that ended."""
    standing = shares.filter(revoked_at__isnull=True)
    found = list(standing.values_list("public_id", flat=True))
    standing.update(revoked_at=now, revoke_reason=reason)
    for public_id in found:
        audit.add(AuditAction.REVOKE, public_id, reason=reason, details={})
    return found


def share_of_link(link: str) -> Share:
    """The share that a link, its token or its public id names; a link that was replaced names it too.

    Raises UnknownShareError.
    """
    token = token_of(link)
    by_token = Share.objects.with_token(token).first()
    retired = RetiredToken.objects.filter(token_hash=hash_token(token)).values_list("public_id", flat=True).first()
    share = by_token or Share.objects.filter(public_id=retired or token).first()
    if share is None:
        raise UnknownShareError("no share has this link or token")
    return share


def token_of(link: str) -> str:
    """The token in ``link``, or ``link`` itself where it is none."""
    link = link.strip()
    for path in (SHARE_PATH, EMBED_PATH):
        link = link.split(path, 1)[-1]
    return link.split("/", 1)[0].split("?", 1)[0].split("#", 1)[0]


def token_of_ours(link: str) -> str:
    """The token in ``link``, where it is one of this site; empty where it leads elsewhere."""
    ours = (f"{settings.SHAREVIEW_BASE_URL}{path}" for path in (SHARE_PATH, EMBED_PATH))
    return token_of(link) if link.startswith(tuple(ours)) else ""


def shares_of_session(session_id: str) -> ShareQuerySet:
    """Every share of a session, at whatever watermark. Raises UnknownShareError where the session has none."""
    shares: ShareQuerySet = Share.objects.filter(snapshot__session_id=session_id)
    if not shares.exists():
        raise UnknownShareError(f'no share of a session "{session_id}"')
    return shares
