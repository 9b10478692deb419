"""Who asks: a key, what it may do, and whether it asked for the same before."""

import hashlib
from typing import Annotated, Any, Final, cast

from django.http import HttpRequest
from django.utils import timezone
from ninja import Header, Schema
from ninja.security import HttpBearer

from shareview.api.problems import ProblemError
from shareview.shares.actors import Actor
from shareview.shares.api_keys import KeyRefusedError, read_api_key
from shareview.shares.client_addresses import client_address
from shareview.shares.models import ApiKey, Scope

_LONGEST_KEY: Final = 200

IdempotencyKey = Annotated[
    str | None,
    Header(
        None,
        alias="Idempotency-Key",
        min_length=1,
        max_length=_LONGEST_KEY,
        pattern=r"^[!-~]+$",
        description="the same key for the same request: it is done once, and answered alike for 24 hours",
    ),
]


class KeyAuth(HttpBearer):
    """`Authorization: Bearer svk_…`."""

    def authenticate(self, request: HttpRequest, token: str) -> ApiKey | None:
        """The key, if it stands."""
        try:
            return read_api_key(token, now=timezone.now())
        except KeyRefusedError:
            return None


def caller(request: HttpRequest, scope: Scope) -> ApiKey:
    """The key that asks. Raises ProblemError where it may not do what ``scope`` names."""
    key = cast("ApiKey", cast("Any", request).auth)
    if scope.value not in key.scopes:
        raise ProblemError(403, "out-of-scope", f'this key lacks the scope "{scope.value}"')
    return key


def require_known(request: HttpRequest, query: type[Schema]) -> None:
    """Raises ProblemError for a name in the query that means nothing: a slip must not publish what was to be hidden."""
    unknown = [name for name in request.GET if name not in query.model_fields]
    if unknown:
        raise ProblemError(422, "wrong-terms", "there is no such option", {"field": unknown[0]})


def actor_of(request: HttpRequest, key: ApiKey) -> Actor:
    """Who does it, for the audit trail."""
    return Actor(f"{key.owner.get_username()} (key {key.public_id})", client_address(request))


def fingerprint_of(request: HttpRequest, body: bytes | str) -> str:
    """What tells a request from another one: method, address and ``body`` (its bytes, or their digest)."""
    digest = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode())
    digest.update(body if isinstance(body, bytes) else body.encode())
    return digest.hexdigest()
