"""Trying a frame out: for ten minutes one more origin, ours under another name, may show one share."""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.core import signing

from shareview.shares.models import Share
from shareview.shares.tokens import hash_token

TRIAL_LIFE: Final = timedelta(minutes=10)
_SALT: Final = "shareview trial frame"


def trial_ticket(share: Share, origin: str, *, now: datetime) -> str:
    """What lets ``origin`` show ``share`` in a frame for ten minutes."""
    content = [share.token_hash, origin, int((now + TRIAL_LIFE).timestamp())]
    return signing.dumps(content, key=settings.SHAREVIEW_TOKEN_KEY, salt=_SALT)


def trial_share(ticket: str, *, now: datetime) -> tuple[Share, str] | None:
    """The share and the origin of ``ticket``; None where it is over, forged, or the share has another link."""
    read = _read(ticket, now)
    share = Share.objects.filter(token_hash=read[0]).first() if read else None
    return (share, read[1]) if share and read else None


def trial_origins(token: str, ticket: str, *, now: datetime) -> list[str]:
    """The origin that ``ticket`` lets show the share of ``token``, if any."""
    read = _read(ticket, now) if ticket else None
    return [read[1]] if read and read[0] == hash_token(token) else []


def _read(ticket: str, now: datetime) -> tuple[str, str] | None:
    try:
        token_hash, origin, until = signing.loads(ticket, key=settings.SHAREVIEW_TOKEN_KEY, salt=_SALT)
    except signing.BadSignature:
        return None
    return (token_hash, origin) if now.timestamp() < until else None
