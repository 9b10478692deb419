"""Publishing what was frozen, under terms."""

from datetime import datetime

from django.conf import settings
from django.utils import timezone

from shareview.api.problems import ProblemError
from shareview.api.schemas import PublishIn
from shareview.chat.sessions import ThreadState
from shareview.pages.compositions import publish_composed
from shareview.shares.actors import Actor
from shareview.shares.drafts import draft_links
from shareview.shares.frozen_handles import HandleError, snapshot_of_handle
from shareview.shares.idempotency import Result
from shareview.shares.models import ApiKey
from shareview.shares.origins import read_origin
from shareview.shares.publish import ShareTerms, require_terms_unstopped
from shareview.snapshots.models import Snapshot


def publish_frozen(key: ApiKey, asked: PublishIn, *, actor: Actor) -> Result:
    """The ids of the links that ``asked`` makes. Raises ProblemError, StoppedError."""
    now = timezone.now()
    snapshot, terms = _read(key, asked, now)
    shares = publish_composed(snapshot, terms, actor=actor, now=now, token_key=settings.SHAREVIEW_TOKEN_KEY)
    return {"shares": [share.public_id for share in shares]}


def preview_frozen(key: ApiKey, asked: PublishIn) -> list[str]:
    """Where each link that ``asked`` would make can be seen for an hour. Raises ProblemError, StoppedError."""
    now = timezone.now()
    snapshot, terms = _read(key, asked, now)
    require_terms_unstopped(snapshot.session_id, terms)
    return list(draft_links(snapshot, terms, settings.SHAREVIEW_BASE_URL, now=now))


def _read(key: ApiKey, asked: PublishIn, now: datetime) -> tuple[Snapshot, ShareTerms]:
    try:
        snapshot = snapshot_of_handle(asked.frozen, key.owner, now=now)
    except HandleError:
        detail = "no frozen session of yours: expected what POST /api/snapshots gave within the last 24 hours"
        raise _wrong("frozen", detail) from None
    if asked.expires_at is not None and asked.expires_at <= max(now, asked.starts_at or now):
        raise _wrong("expires_at", "a link must end after it begins, and in the time to come")
    threads = snapshot.threads.exclude(state=ThreadState.DELETED)
    if asked.thread and not threads.filter(thread=asked.thread).exists():
        raise _wrong("thread", "the session has no such thread")
    terms = ShareTerms(
        title=asked.title,
        watermark=asked.watermark,
        expires_at=asked.expires_at,
        recipients=tuple(asked.recipients),
        thread=asked.thread,
        starts_at=asked.starts_at,
        password=asked.password or "",
        embeds=tuple(_origin(at, text) for at, text in enumerate(asked.embeds)),
        owner=key.owner,
        preview=asked.link_preview,
    )
    return snapshot, terms


def _origin(at: int, text: str) -> str:
    try:
        return read_origin(text)
    except ValueError as error:
        raise _wrong(f"embeds[{at}]", f"expected {error}") from None


def _wrong(field: str, detail: str) -> ProblemError:
    return ProblemError(422, "wrong-terms", detail, {"field": field})
