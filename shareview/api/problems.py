"""What goes wrong, as problem details (RFC 9457): the command's own sentences, with line and field."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.request import UnreadablePostError
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError
from pydantic import Field

from shareview.exports.errors import ExportError
from shareview.shares.idempotency import OtherRequestError, UnderWayError
from shareview.shares.stops import StoppedError
from shareview.shares.terms import TermsError
from shareview.snapshots.redacting import LeaksFoundError
from shareview.snapshots.selection import FreezeError

MEDIA_TYPE: Final = "application/problem+json"
_TYPES: Final = "urn:shareview:problem:"


class FindingOut(Schema):
    """A secret or a personal datum by its place."""

    kind: str = Field(examples=["github-token"])
    of: str = Field(description="`secret` or `personal`")
    record: str = Field(examples=["message 12"])
    field: str = Field(examples=["content"])
    line: int = Field(description="line of that text, from 1")


class ProblemOut(Schema):
    """Problem details (RFC 9457)."""

    type: str = Field(examples=[f"{_TYPES}export-fault"])
    title: str
    status: int
    detail: str
    line: int | None = Field(None, description="line of the export, from 1")
    field: str | None = Field(None, description="the field that is at fault")
    findings: list[FindingOut] | None = Field(None, description="what was found, where a secret stopped it")


@dataclass
class ProblemError(Exception):
    """An answer that is a problem; ``kind`` names it for programs, ``detail`` says it to a person."""

    status: int
    kind: str
    detail: str
    more: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)


def problem(error: ProblemError) -> HttpResponse:
    """``error`` as an answer."""
    body = {
        "type": f"{_TYPES}{error.kind}",
        "title": HTTPStatus(error.status).phrase,
        "status": error.status,
        "detail": error.detail,
        **error.more,
    }
    response = JsonResponse(body, status=error.status, content_type=MEDIA_TYPE)
    for name, value in error.headers.items():
        response[name] = value
    return response


def no_such_thing(request: HttpRequest, rest: str = "") -> HttpResponse:
    """404 for an address that the API does not have."""
    return problem(ProblemError(404, "not-found", "the API has no such address; see /api/openapi.json"))


def answer_problems(api: NinjaAPI) -> None:
    """Has ``api`` answer every fault that somebody can cause with problem details."""

    @api.exception_handler(ProblemError)
    def _problem(request: HttpRequest, error: ProblemError) -> HttpResponse:
        return problem(error)

    @api.exception_handler(Http404)
    def _missing(request: HttpRequest, error: Http404) -> HttpResponse:
        return problem(ProblemError(404, "not-found", str(error) or "there is no such thing"))

    @api.exception_handler(AuthenticationError)
    def _stranger(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
        headers = {"WWW-Authenticate": 'Bearer realm="shareview"'}
        detail = "a valid key is needed: Authorization: Bearer svk_…"
        return problem(ProblemError(401, "no-valid-key", detail, headers=headers))

    @api.exception_handler(HttpError)
    def _refused(request: HttpRequest, error: HttpError) -> HttpResponse:
        return problem(ProblemError(error.status_code, "bad-request", error.message))

    @api.exception_handler(SuspiciousOperation)
    def _suspicious(request: HttpRequest, error: SuspiciousOperation) -> HttpResponse:
        return problem(ProblemError(400, "bad-request", "the request cannot be read, or asks for too many things"))

    @api.exception_handler(RequestDataTooBig)
    def _too_big(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
        return problem(ProblemError(413, "too-large", "the terms of a share are longer than any can be"))

    @api.exception_handler(UnreadablePostError)
    def _cut_off(request: HttpRequest, error: UnreadablePostError) -> HttpResponse:
        return problem(ProblemError(400, "cut-off", "the request ended before its body did"))

    @api.exception_handler(ValidationError)
    def _wrong(request: HttpRequest, error: ValidationError) -> HttpResponse:
        first = error.errors[0]
        place = ".".join(str(part) for part in first["loc"][1:] if part not in ("terms", "query", "body"))
        said = "; ".join(str(one["msg"]) for one in error.errors[:5])
        return problem(ProblemError(422, "wrong-terms", said, {"field": place}))

    _answer_domain(api)


def _answer_domain(api: NinjaAPI) -> None:
    @api.exception_handler(ExportError)
    def _export(request: HttpRequest, error: ExportError) -> HttpResponse:
        more = {"line": error.line or None, "field": error.field or None}
        return problem(ProblemError(422, "export-fault", str(error), more))

    @api.exception_handler(LeaksFoundError)
    def _leaks(request: HttpRequest, error: LeaksFoundError) -> HttpResponse:
        findings = [finding_out(finding).model_dump() for finding in error.findings]
        detail = str(error).replace("--redact", "redact=true").replace("--acknowledge", "acknowledge=true")
        return problem(ProblemError(422, "secrets-found", detail, {"findings": findings}))

    @api.exception_handler(FreezeError)
    def _freeze(request: HttpRequest, error: FreezeError) -> HttpResponse:
        return problem(ProblemError(422, "cannot-freeze", str(error).replace("--hide-message", "hide_message")))

    @api.exception_handler(TermsError)
    def _terms(request: HttpRequest, error: TermsError) -> HttpResponse:
        return problem(ProblemError(422, "wrong-terms", str(error)))

    @api.exception_handler(StoppedError)
    def _stopped(request: HttpRequest, error: StoppedError) -> HttpResponse:
        return problem(ProblemError(409, "stopped", str(error)))

    @api.exception_handler(UnderWayError)
    def _under_way(request: HttpRequest, error: UnderWayError) -> HttpResponse:
        detail = "the same request is being answered; ask again in a moment"
        return problem(ProblemError(409, "under-way", detail, headers={"Retry-After": "2"}))

    @api.exception_handler(OtherRequestError)
    def _other(request: HttpRequest, error: OtherRequestError) -> HttpResponse:
        return problem(ProblemError(422, "other-request", "this Idempotency-Key was used for another request"))


def finding_out(finding: Any) -> FindingOut:
    """A finding as the API tells it."""
    return FindingOut(
        kind=finding.kind, of=finding.of.value, record=finding.record, field=finding.field, line=finding.line
    )
