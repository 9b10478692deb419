"""Who is let in: the share behind a token, or why there is none to show."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from shareview.pages.addresses import Door, PageAddresses
from shareview.shares.drafts import draft_share
from shareview.shares.models import RetiredToken, Share, ShareEmbed, ShareState
from shareview.shares.tokens import hash_token
from shareview.shares.unlocking import Unlocking


class NoSuchShareError(Exception):
    """No share has this token."""


class NoSuchPlaceError(Exception):
    """The share holds nothing under what the address names."""


class EndedShareError(Exception):
    """The share was revoked, has expired, or has another link now."""


class ClosedShareError(Exception):
    """The share is paused, or does not begin yet."""


class LockedShareError(Exception):
    """The share asks for a password; ``is_wrong`` where one was given."""

    def __init__(self, *, is_wrong: bool) -> None:
        super().__init__("a password is needed")
        self.is_wrong = is_wrong


@dataclass(frozen=True)
class OpenedShare:
    """A share that may be shown through ``addresses.door``; ``unlocking`` where it asks for a password."""

    share: Share
    addresses: PageAddresses
    unlocking: Unlocking | None
    now: datetime

    @property
    def key(self) -> str:
        """What goes along with each further request, for ten minutes; empty where nothing need."""
        return self.unlocking.key(now=self.now) if self.unlocking else ""


def open_share(token: str, door: Door, unlock: Callable[[Share], Unlocking | None], *, now: datetime) -> OpenedShare:
    """The share that ``token`` opens at ``door``, once it is certain that it may be shown now.

    ``unlock`` is asked last; it gives None where the share asks for nothing. Raises NoSuchShareError,
    EndedShareError, ClosedShareError, and what ``unlock`` raises.
    """
    if door is Door.DRAFT:
        return _open_draft(token, now)
    share = Share.objects.with_token(token).select_related("snapshot").first()
    if share is None:
        if RetiredToken.objects.filter(token_hash=hash_token(token)).exists():
            raise EndedShareError
        raise NoSuchShareError
    state = share.state(now)
    if state in (ShareState.REVOKED, ShareState.EXPIRED):
        raise EndedShareError
    if door is Door.EMBED and not share.embeds.exists():
        raise NoSuchPlaceError
    if state is not ShareState.LIVE:
        raise ClosedShareError
    unlocking = unlock(share)
    addresses = PageAddresses(token, door)
    if unlocking:
        addresses = PageAddresses(token, door, lambda address: unlocking.key(now=now, what=address))
    return OpenedShare(share, addresses, unlocking, now)


def _open_draft(token: str, now: datetime) -> OpenedShare:
    share = draft_share(token, now=now)
    if share is None:
        raise NoSuchShareError
    return OpenedShare(share, PageAddresses(token, Door.DRAFT), None, now)


def framing_origins(token: str) -> list[str]:
    """The origins that may show the share of ``token``, or a word of its end, in a frame."""
    old = RetiredToken.objects.filter(token_hash=hash_token(token)).values("public_id")
    shares = Share.objects.with_token(token) | Share.objects.filter(public_id__in=old)
    return list(ShareEmbed.objects.filter(share__in=shares).values_list("origin", flat=True))
