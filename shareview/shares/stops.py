"""Stopping everything of a session, an owner, a recipient or an embed origin, until it is released."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from shareview.shares.actors import Actor
from shareview.shares.audit import auditing
from shareview.shares.models import AuditAction, Share, ShareQuerySet, Stop, StopKind
from shareview.shares.revoke import end_shares


class StoppedError(Exception):
    """Nothing of this may be published now; the sentence says what is stopped."""


class NoSuchStopError(Exception):
    """There is nothing to release, or nothing to stop."""


def shares_of(kind: StopKind, value: str) -> ShareQuerySet:
    """All shares of a session (its id), an owner (user name), a recipient (name) or an embed origin."""
    everything: ShareQuerySet = Share.objects.all()
    if kind is StopKind.SESSION:
        return everything.filter(snapshot__session_id=value)
    if kind is StopKind.OWNER:
        return everything.filter(owner__username=value)
    if kind is StopKind.ORIGIN:
        return everything.filter(embeds__origin=value)
    names = everything.exclude(recipient="").values_list("recipient", flat=True).distinct()
    return everything.filter(
        recipient__in=[name for name in names if stop_value(kind, name) == stop_value(kind, value)]
    )


def stop_value(kind: StopKind, value: str) -> str:
    """``value`` as it is compared: the name of a recipient in whatever case and spacing."""
    return " ".join(value.split()).casefold() if kind is StopKind.RECIPIENT else value


def stop_everything(kind: StopKind, value: str, *, reason: str, actor: Actor, now: datetime) -> Stop:
    """Ends all links of ``value``, and lets none be published until it is released. Gives the stop.

    What is stopped already stays so; links that came to be since (none should) end.
    """
    with auditing(actor, now=now) as audit:
        ended = end_shares(shares_of(kind, value), reason=reason, now=now, audit=audit)
        stop, is_new = Stop.objects.get_or_create(
            kind=kind,
            value=stop_value(kind, value),
            lifted_at=None,
            defaults={"reason": reason, "stopped_at": now, "stopped_by": actor.name, "ended": len(ended)},
        )
        if is_new:
            audit.add(AuditAction.STOP, _subject(stop), reason=reason, details={"ended": len(ended)})
    return stop


def release(stop: Stop, *, reason: str, actor: Actor, now: datetime) -> None:
    """Lets ``stop``'s things be published again; links that ended stay so. Raises NoSuchStopError."""
    with auditing(actor, now=now) as audit:
        lifted = Stop.objects.filter(pk=stop.pk, lifted_at__isnull=True).update(
            lifted_at=now, lifted_by=actor.name, lift_reason=reason
        )
        if not lifted:
            raise NoSuchStopError("it was released before")
        audit.add(AuditAction.RELEASE, _subject(stop), reason=reason, details={})


def _subject(stop: Stop) -> str:
    # The trail outlives an erasure: it must not say for whom a link was.
    return f"recipient (stop {stop.pk})" if stop.kind == StopKind.RECIPIENT else f"{stop.kind} {stop.value}"


def require_unstopped(
    session: str, *, owner: str = "", recipients: Sequence[str] = (), origins: Sequence[str] = ()
) -> None:
    """Raises StoppedError where a share of these would be one of something that is stopped."""
    wanted = [(StopKind.SESSION, session), (StopKind.OWNER, owner)]
    wanted += [(StopKind.RECIPIENT, name) for name in recipients]
    wanted += [(StopKind.ORIGIN, origin) for origin in origins]
    asked = Q(pk__in=[])
    for kind, value in wanted:
        if value:
            asked |= Q(kind=kind, value=stop_value(kind, value))
    stop = Stop.objects.filter(asked, lifted_at__isnull=True).first()
    if stop is not None:
        raise StoppedError(f'{stop.kind} "{stop.value}" was stopped on {stop.stopped_at:%Y-%m-%d}: {stop.reason}')
