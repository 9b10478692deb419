"""A share as its reader will see it, before there is a link: signed, for an hour, and nowhere stored."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from django.conf import settings
from django.core import signing
from django.utils.translation import gettext as _

from shareview.shares.models import Share
from shareview.shares.publish import ShareTerms, watermark_text
from shareview.shares.stops import StoppedError, require_unstopped
from shareview.snapshots.models import Snapshot

DRAFT_LIFE: Final = timedelta(hours=1)
DRAFT_PATH: Final = "/preview/"
_SALT: Final = "shareview draft"


def draft_links(snapshot: Snapshot, terms: ShareTerms, base_url: str, *, now: datetime) -> Iterator[str]:
    """An address for each link that ``publish_snapshot`` would make, which shows what that link would."""
    for recipient in terms.recipients or ("",):
        content = {
            "digest": snapshot.digest,
            "title": terms.title,
            "recipient": recipient,
            "watermark": terms.watermark,
            "thread": terms.thread,
            "owner": terms.owner.get_username() if terms.owner else "",
            "made": int(now.timestamp()),
            "until": int((now + DRAFT_LIFE).timestamp()),
        }
        token = signing.dumps(content, key=settings.SHAREVIEW_TOKEN_KEY, salt=_SALT, compress=True)
        yield f"{base_url}{DRAFT_PATH}{token}/"


def draft_share(token: str, *, now: datetime) -> Share | None:
    """The share that ``token`` draws, unsaved.

    None where it is forged, over, erased or stopped, or a link of its session was revoked since.
    """
    try:
        content = signing.loads(token, key=settings.SHAREVIEW_TOKEN_KEY, salt=_SALT)
    except signing.BadSignature:
        return None
    snapshot = Snapshot.objects.filter(digest=content["digest"]).first()
    if snapshot is None or now.timestamp() >= content["until"]:
        return None
    try:
        require_unstopped(snapshot.session_id, owner=content["owner"], recipients=[content["recipient"]])
    except StoppedError:
        return None
    made = datetime.fromtimestamp(content["made"], UTC)
    if Share.objects.filter(snapshot__session_id=snapshot.session_id, revoked_at__gte=made).exists():
        # Whoever ends links of a session means what shows the same, too.
        return None
    public_id = _("preview")
    return Share(
        public_id=public_id,
        snapshot=snapshot,
        title=content["title"],
        recipient=content["recipient"],
        thread=content["thread"],
        watermark=watermark_text((content["recipient"], content["watermark"]), public_id, now),
        created_at=now,
    )
