"""What whoever froze a session holds of it, to publish it with: signed, for a day, for them alone."""

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing

from shareview.snapshots.models import Snapshot

HANDLE_LIFE: Final = timedelta(hours=24)
_SALT: Final = "shareview frozen session"


class HandleError(Exception):
    """A handle is forged, over, somebody else's, or what it names was erased."""


def frozen_handle(snapshot: Snapshot, owner: User, *, now: datetime) -> str:
    """Lets ``owner`` publish ``snapshot`` for a day. Its digest, which every reader sees, does not."""
    content = [snapshot.digest, owner.pk, int((now + HANDLE_LIFE).timestamp())]
    return signing.dumps(content, key=settings.SHAREVIEW_TOKEN_KEY, salt=_SALT)


def snapshot_of_handle(handle: str, owner: User, *, now: datetime) -> Snapshot:
    """The snapshot that ``handle`` lets ``owner`` publish. Raises HandleError."""
    try:
        digest, holder, until = signing.loads(handle, key=settings.SHAREVIEW_TOKEN_KEY, salt=_SALT)
    except signing.BadSignature:
        raise HandleError from None
    snapshot = Snapshot.objects.filter(digest=digest).first()
    if snapshot is None or holder != owner.pk or now.timestamp() >= until:
        raise HandleError
    return snapshot
