"""The API's addresses: parse, ask, translate."""

import re
import secrets
from collections.abc import Callable
from typing import Any, Final, cast

from django.conf import settings
from django.http import Http404, HttpRequest
from django.utils import timezone
from ninja import NinjaAPI, Query, Status

from shareview.api.callers import IdempotencyKey, KeyAuth, actor_of, caller, fingerprint_of, require_known
from shareview.api.description import describe, upload_body
from shareview.api.freezing import freeze_upload
from shareview.api.problems import ProblemError, ProblemOut, answer_problems
from shareview.api.publishing import preview_frozen, publish_frozen
from shareview.api.schemas import (
    ExtendIn,
    FreezeQuery,
    FrozenOut,
    PreviewsOut,
    PublishIn,
    ReasonIn,
    ShareFilter,
    ShareOut,
    SharesOut,
)
from shareview.shares.api_keys import shares_of_key
from shareview.shares.idempotency import do_once
from shareview.shares.models import ApiKey, Scope, Share, ShareQuerySet, ShareState
from shareview.shares.revoke import revoke_shares
from shareview.shares.terms import ShareDates, change_dates, rotate_shares

_ID: Final = re.compile(r"s-[2-9A-Z]{7}")
Answers = dict[int, Any]


class ShareviewAPI(NinjaAPI):
    """Its description says of every problem that it is one."""

    def get_openapi_schema(self, **options: Any) -> Any:
        return describe(super().get_openapi_schema(**options))


api = ShareviewAPI(
    title="shareview",
    version="1",
    description="Freezes chat sessions, publishes them as read-only links, and ends these links.",
    docs_url=None,
    auth=KeyAuth(),
    urls_namespace="api",
)
answer_problems(api)


def _problems(*statuses: int) -> Answers:
    return dict.fromkeys((400, 401, 403, *statuses), ProblemOut)


@api.post(
    "/snapshots",
    response={200: FrozenOut, 201: FrozenOut, **_problems(409, 410, 411, 413, 422)},
    openapi_extra=upload_body(),
    operation_id="freeze",
    summary="Freeze a session",
)
def freeze(
    request: HttpRequest, query: Query[FreezeQuery], idempotency_key: IdempotencyKey = None
) -> Status[FrozenOut]:
    """The body is an export (JSON Lines). Nothing can be read by anybody until it is published."""
    key = caller(request, Scope.PUBLISH)
    require_known(request, FreezeQuery)
    frozen, is_new = freeze_upload(request, key, query, idempotency_key)
    return Status(201 if is_new else 200, frozen)


@api.post(
    "/shares",
    response={200: SharesOut, 201: SharesOut, **_problems(409, 410, 413, 422)},
    operation_id="publish",
    summary="Publish what was frozen",
)
def publish(request: HttpRequest, terms: PublishIn, idempotency_key: IdempotencyKey = None) -> Status[SharesOut]:
    """A link for each recipient, or one for anybody; all of them or none."""
    key = caller(request, Scope.PUBLISH)
    result, is_new = do_once(
        key,
        idempotency_key,
        fingerprint_of(request, request.body),
        lambda: publish_frozen(key, terms, actor=actor_of(request, key)),
        now=timezone.now(),
    )
    ids = cast("list[str]", result["shares"])
    found = list(shares_of_key(key).filter(public_id__in=ids).order_by("pk"))
    if not found:
        raise ProblemError(410, "erased", "the links that this request made were erased since")
    return Status(201 if is_new else 200, SharesOut(shares=[_out(share) for share in found], next=None))


@api.post(
    "/previews",
    response={200: PreviewsOut, **_problems(409, 413, 422)},
    operation_id="preview",
    summary="See what would be published",
)
def preview(request: HttpRequest, terms: PublishIn) -> PreviewsOut:
    """Makes no link; each address shows for an hour what that link would."""
    return PreviewsOut(previews=preview_frozen(caller(request, Scope.PUBLISH), terms))


@api.get("/shares", response={200: SharesOut, **_problems(422)}, operation_id="list", summary="List links")
def list_shares(request: HttpRequest, query: Query[ShareFilter]) -> SharesOut:
    """The newest first: those of the key's owner, or all where the owner is an admin."""
    shares = shares_of_key(caller(request, Scope.READ)).order_by("-pk")
    require_known(request, ShareFilter)
    if query.state:
        shares = shares.in_state(ShareState(query.state), timezone.now())
    if query.session:
        shares = shares.filter(snapshot__session_id=query.session)
    if query.recipient:
        shares = shares.filter(recipient=query.recipient)
    if query.after:
        last = shares_of_key(caller(request, Scope.READ)).filter(public_id=query.after).first()
        shares = shares.filter(pk__lt=last.pk) if last else shares.none()
    found = list(shares[: query.limit + 1])
    page = found[: query.limit]
    return SharesOut(shares=[_out(one) for one in page], next=page[-1].public_id if len(found) > len(page) else None)


@api.get("/shares/{id}", response={200: ShareOut, **_problems(404, 422)}, operation_id="read", summary="Read a link")
def read_share(request: HttpRequest, id: str) -> ShareOut:
    """One link and what became of it."""
    return _out(_the(caller(request, Scope.READ), id).get())


@api.post(
    "/shares/{id}/revoke",
    response={200: ShareOut, **_problems(404, 409, 413, 422)},
    operation_id="revoke",
    summary="End a link",
)
def revoke(request: HttpRequest, id: str, why: ReasonIn, idempotency_key: IdempotencyKey = None) -> ShareOut:
    """From the next request on, every address of it answers 410. One that has ended keeps its time and reason."""
    key = caller(request, Scope.REVOKE)

    def end(shares: ShareQuerySet) -> object:
        return revoke_shares(shares, reason=why.reason, actor=actor_of(request, key), now=timezone.now())

    return _change(request, key, id, end, idempotency_key)


@api.post(
    "/shares/{id}/rotate",
    response={200: ShareOut, **_problems(404, 409, 413, 422)},
    operation_id="rotate",
    summary="Replace a link",
)
def rotate(request: HttpRequest, id: str, why: ReasonIn, idempotency_key: IdempotencyKey = None) -> ShareOut:
    """The old link ends at once; the answer has the new one."""
    key = caller(request, Scope.CHANGE)

    def replace(shares: ShareQuerySet) -> object:
        return rotate_shares(
            _standing(shares),
            reason=why.reason,
            actor=actor_of(request, key),
            now=timezone.now(),
            token_key=settings.SHAREVIEW_TOKEN_KEY,
            random=secrets.token_bytes,
        )

    return _change(request, key, id, replace, idempotency_key)


@api.post(
    "/shares/{id}/extend",
    response={200: ShareOut, **_problems(404, 409, 413, 422)},
    operation_id="extend",
    summary="Change when a link ends",
)
def extend(request: HttpRequest, id: str, until: ExtendIn, idempotency_key: IdempotencyKey = None) -> ShareOut:
    """Later, sooner, or never by itself. One that has expired opens again."""
    key = caller(request, Scope.CHANGE)

    def move(shares: ShareQuerySet) -> object:
        dates = ShareDates(_standing(shares).get().starts_at, until.expires_at)
        return change_dates(shares, dates, reason=until.reason, actor=actor_of(request, key), now=timezone.now())

    return _change(request, key, id, move, idempotency_key)


def _change(
    request: HttpRequest, key: ApiKey, id: str, change: Callable[[ShareQuerySet], object], value: str | None
) -> ShareOut:
    shares = _the(key, id)

    def done() -> dict[str, object]:
        change(Share.objects.filter(pk=shares.get().pk))
        return {"shares": [id]}

    do_once(key, value, fingerprint_of(request, request.body), done, now=timezone.now())
    return _out(_the(key, id).get())


def _the(key: ApiKey, id: str) -> ShareQuerySet:
    """The one share of that id. Raises Http404."""
    shares: ShareQuerySet = shares_of_key(key).filter(public_id=id) if _ID.fullmatch(id) else Share.objects.none()
    if not shares.exists():
        raise Http404("this key knows no share of this id")
    return shares


def _standing(shares: ShareQuerySet) -> ShareQuerySet:
    """``shares``, which must not have been revoked. Raises ProblemError."""
    standing: ShareQuerySet = shares.filter(revoked_at__isnull=True)
    if not standing.exists():
        raise ProblemError(409, "revoked", "this link was revoked, which cannot be taken back")
    return standing


def _out(share: Share) -> ShareOut:
    return ShareOut.of(share, base_url=settings.SHAREVIEW_BASE_URL, now=timezone.now())
