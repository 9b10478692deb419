"""Ending links; the only writer of ``revoked_at``."""

from datetime import datetime

from shareview.shares.models import SHARE_PATH, Share, ShareQuerySet


class UnknownShareError(Exception):
    """No share answers to what was given."""


def revoke_shares(shares: ShareQuerySet, *, reason: str, now: datetime) -> int:
    """Ends ``shares`` at once; those that ended before keep their time and reason. Gives how many ended."""
    return shares.filter(revoked_at__isnull=True).update(revoked_at=now, revoke_reason=reason)


def share_of_link(link: str) -> Share:
    """The share that a link, its token or its public id names. Raises UnknownShareError."""
    token = link.split(SHARE_PATH, 1)[-1].split("/", 1)[0].split("?", 1)[0]
    share = Share.objects.with_token(token).first() or Share.objects.filter(public_id=token).first()
    if share is None:
        raise UnknownShareError("no share has this link or token")
    return share


def shares_of_session(session_id: str) -> ShareQuerySet:
    """Every share of a session, at whatever watermark. Raises UnknownShareError where the session has none."""
    shares: ShareQuerySet = Share.objects.filter(snapshot__session_id=session_id)
    if not shares.exists():
        raise UnknownShareError(f'no share of a session "{session_id}"')
    return shares
