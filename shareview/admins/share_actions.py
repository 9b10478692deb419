"""What can be done to shares: what it does in words, what it asks, and the one function that does it."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from shareview.admins.forms import DatesForm, PasswordForm, ReasonForm
from shareview.shares.actors import Actor
from shareview.shares.models import ShareQuerySet, ShareState
from shareview.shares.revoke import revoke_shares
from shareview.shares.terms import (
    ShareDates,
    change_dates,
    change_password,
    pause_shares,
    resume_shares,
    rotate_shares,
)

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

Answers: TypeAlias = Mapping[str, Any]
_STANDING: Final = frozenset(ShareState) - {ShareState.REVOKED}


@dataclass(frozen=True)
class ShareAction:
    """Something done to shares that are in one of ``states``; ``run`` gives how many it was done to."""

    name: str
    title: "StrPromise"
    warning: "StrPromise"
    run: Callable[[ShareQuerySet, Answers, Actor, datetime], int]
    form: type[ReasonForm] = ReasonForm
    states: frozenset[ShareState] = field(default=_STANDING)


def _revoke(shares: ShareQuerySet, answers: Answers, actor: Actor, now: datetime) -> int:
    return revoke_shares(shares, reason=answers["reason"], actor=actor, now=now)


def _rotate(shares: ShareQuerySet, answers: Answers, actor: Actor, now: datetime) -> int:
    key = settings.SHAREVIEW_TOKEN_KEY
    return rotate_shares(
        shares, reason=answers["reason"], actor=actor, now=now, token_key=key, random=secrets.token_bytes
    )


def _dates(shares: ShareQuerySet, answers: Answers, actor: Actor, now: datetime) -> int:
    dates = ShareDates(answers["starts_at"], answers["expires_at"])
    return change_dates(shares, dates, reason=answers["reason"], actor=actor, now=now)


def _password(shares: ShareQuerySet, answers: Answers, actor: Actor, now: datetime) -> int:
    return change_password(shares, answers["password"], reason=answers["reason"], actor=actor, now=now)


def _pause(shares: ShareQuerySet, answers: Answers, actor: Actor, now: datetime) -> int:
    return pause_shares(shares, reason=answers["reason"], actor=actor, now=now)


def _resume(shares: ShareQuerySet, answers: Answers, actor: Actor, now: datetime) -> int:
    return resume_shares(shares, reason=answers["reason"], actor=actor, now=now)


SHARE_ACTIONS: Final = (
    ShareAction(
        "revoke",
        _("Revoke"),
        _(
            "Every address of these links answers “410 Gone” from the next request on, in frames too. "
            "This cannot be taken back; what was frozen stays, and a new link can be made."
        ),
        _revoke,
    ),
    ShareAction(
        "rotate",
        _("Replace the link"),
        _("The old link ends at once, as if it were revoked. A new one is shown here; nobody is told of it."),
        _rotate,
    ),
    ShareAction(
        "dates",
        _("Extend or shorten"),
        _("From now on these links can be read from and until the dates below. One that has expired opens again."),
        _dates,
        DatesForm,
    ),
    ShareAction(
        "password",
        _("Change the password"),
        _("From now on readers must enter this password, those who are reading now too."),
        _password,
        PasswordForm,
    ),
    ShareAction(
        "pause",
        _("Pause"),
        _("Nobody can read these links until they are resumed. Their addresses stay the same."),
        _pause,
        states=_STANDING - {ShareState.PAUSED},
    ),
    ShareAction(
        "resume",
        _("Resume"),
        _("These links can be read again, where nothing else keeps them closed."),
        _resume,
        states=frozenset({ShareState.PAUSED, ShareState.EXPIRED}),
    ),
)
