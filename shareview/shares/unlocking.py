"""Reading a share with a password, without a cookie: a signed key goes along (design, "Locked share")."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.core import signing

from shareview.shares.limits import PASSWORDS_OF_LINE, PASSWORDS_OF_SHARE, count_try, require_try
from shareview.shares.models import Share

KEY_LIFE: Final = timedelta(minutes=10)
LONGEST_READING: Final = timedelta(hours=8)
"""How long a reader who goes on asking may read without entering the password again."""


class WrongPasswordError(Exception):
    """This is not the password."""


@dataclass(frozen=True)
class Unlocking:
    """A reader who entered the password of ``share`` at a moment; ``what`` where that opens one address alone."""

    share: Share
    since: datetime
    what: str = ""

    def key(self, *, now: datetime, what: str = "") -> str:
        """What lets the reader see the share, or only ``what`` of it, for the next ten minutes."""
        content = [int(self.since.timestamp()), int((now + KEY_LIFE).timestamp())]
        return signing.dumps(content, key=settings.SHAREVIEW_TOKEN_KEY, salt=_salt(self.share, what))


def unlock(share: Share, password: str, *, line: str, now: datetime) -> Unlocking:
    """Checks ``password``. Raises WrongPasswordError, or TooManyTriesError after too many wrong ones.

    ``line`` is what tells one reader's line from another's.
    """
    require_try(PASSWORDS_OF_LINE, share.public_id, line)
    require_try(PASSWORDS_OF_SHARE, share.public_id)
    if not check_password(password, share.password):
        count_try(PASSWORDS_OF_LINE, share.public_id, line)
        count_try(PASSWORDS_OF_SHARE, share.public_id)
        raise WrongPasswordError
    return Unlocking(share, now)


def unlocked_by(share: Share, key: str, *, now: datetime, what: str = "") -> Unlocking | None:
    """The unlocking that ``key`` stands for; None where it is over, for something else, or forged."""
    try:
        since, until = signing.loads(key, key=settings.SHAREVIEW_TOKEN_KEY, salt=_salt(share, what))
    except signing.BadSignature:
        return None
    begun = datetime.fromtimestamp(since, UTC)
    is_over = now.timestamp() >= until or now - begun > LONGEST_READING
    return None if is_over else Unlocking(share, begun, what)


def _salt(share: Share, what: str) -> str:
    # Bound to link and password: a new one of either ends all keys.
    return f"shareview key {share.token_hash} {share.password} {what}"
