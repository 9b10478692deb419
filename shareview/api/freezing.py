"""Freezing a session that is sent."""

from collections.abc import Iterator

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from shareview.api.callers import actor_of, fingerprint_of
from shareview.api.problems import FindingOut, ProblemError, finding_out
from shareview.api.schemas import FreezeQuery, FrozenOut, LeftOut
from shareview.api.uploads import Upload, uploaded
from shareview.exports.formats import READERS
from shareview.leaks.handling import LeakHandling
from shareview.rendering.pool import RenderPool
from shareview.shares.acknowledge import note_acknowledged
from shareview.shares.actors import Actor
from shareview.shares.drafts import draft_links
from shareview.shares.frozen_handles import frozen_handle
from shareview.shares.idempotency import Result, do_once
from shareview.shares.models import ApiKey
from shareview.shares.publish import ShareTerms, require_terms_unstopped
from shareview.snapshots.freezing import Freeze, freeze_session
from shareview.snapshots.hiding import read_hiding
from shareview.snapshots.models import Snapshot
from shareview.snapshots.withholding import Withholding


def freeze_upload(request: HttpRequest, key: ApiKey, query: FreezeQuery, value: str | None) -> tuple[FrozenOut, bool]:
    """The session in the body, frozen, and whether that was done now; ``value`` is the idempotency key, if any."""
    if query.redact and query.acknowledge:
        raise ProblemError(422, "wrong-terms", "redact and acknowledge exclude each other", {"field": "redact"})
    notices: list[str] = []
    with uploaded(request) as upload:
        result, is_new = do_once(
            key,
            value,
            fingerprint_of(request, upload.sha256),
            lambda: _result(_freeze(upload, key, query, actor_of(request, key), notices)),
            now=timezone.now(),
            is_short=False,
        )
    return _answer(result, notices, key), is_new


def _freeze(upload: Upload, key: ApiKey, query: FreezeQuery, actor: Actor, notices: list[str]) -> Freeze:
    leaks = LeakHandling(query.redact, query.acknowledge, settings.SHAREVIEW_PERSONAL_DATA_STOPS)
    with READERS[query.format](upload.file, lenient=query.lenient) as export:
        require_terms_unstopped(export.session.id, ShareTerms(owner=key.owner))
        with RenderPool(settings.SHAREVIEW_RENDERING) as renderer:
            freeze = freeze_session(
                export,
                now=timezone.now(),
                renderer=renderer,
                up_to=query.up_to,
                threads=query.thread,
                show_system=query.show_system,
                withholding=Withholding(read_hiding(query.hide, query.hide_message), leaks),
            )
        note_acknowledged(freeze, leaks, actor=actor, now=timezone.now())
        notices += [*map(str, export.notices), *freeze.notices, *_dropped(freeze)]
        return freeze


def _result(freeze: Freeze) -> Result:
    """What is kept of it for whoever asks again: no word of the session. Notices may quote it, and are told once."""
    return {
        "digest": freeze.snapshot.digest,
        "is_redacted": freeze.is_redacted,
        "findings": [finding_out(finding).model_dump() for finding in freeze.findings],
    }


def _dropped(freeze: Freeze) -> Iterator[str]:
    for message, dropped in freeze.dropped:
        yield f"message {message}: citation {dropped.n} is dropped: it {dropped.reason}"


def _answer(result: Result, notices: list[str], key: ApiKey) -> FrozenOut:
    snapshot = Snapshot.objects.filter(digest=result["digest"]).first()
    if snapshot is None:
        raise ProblemError(410, "erased", "what was frozen by this request was erased since")
    now = timezone.now()
    findings = result["findings"]
    return FrozenOut(
        frozen=frozen_handle(snapshot, key.owner, now=now),
        digest=snapshot.digest,
        session=snapshot.session_id,
        title=snapshot.title,
        messages=snapshot.message_count,
        left_out=LeftOut(
            messages=snapshot.hidden_messages,
            results=snapshot.hidden_results,
            reasonings=snapshot.hidden_reasonings,
        ),
        preview=next(draft_links(snapshot, ShareTerms(), settings.SHAREVIEW_BASE_URL, now=now)),
        is_redacted=bool(result["is_redacted"]),
        findings=[FindingOut(**finding) for finding in findings] if isinstance(findings, list) else [],
        notices=notices,
    )
