"""Who is let in: the share behind a token, or why there is none to show."""

from datetime import datetime

from shareview.shares.models import Share, ShareState


class NoSuchShareError(Exception):
    """No share has this token."""


class NoSuchPlaceError(Exception):
    """The share holds nothing under what the address names."""


class EndedShareError(Exception):
    """The share was revoked or has expired."""


def open_share(token: str, *, now: datetime) -> Share:
    """The live share that ``token`` opens. Raises NoSuchShareError or EndedShareError."""
    share = Share.objects.with_token(token).select_related("snapshot").first()
    if share is None:
        raise NoSuchShareError
    if share.state(now) is not ShareState.LIVE:
        raise EndedShareError
    return share
