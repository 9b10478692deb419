"""Making links to a snapshot."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction

from shareview.rendering.characters import shown_characters
from shareview.shares.models import Share
from shareview.shares.tokens import NONCE_BYTES, derive_token, hash_token
from shareview.snapshots.models import Snapshot

RandomBytes = Callable[[int], bytes]
"""Gives that many random bytes."""

# Without vowels and look-alikes: an id is read aloud and printed in a watermark.
_ID_LETTERS: Final = "23456789BCDFGHJKMNPQRTVWXZ"
_ID_LENGTH: Final = 7
WORDS_LIMIT: Final = 200
"""Characters of a recipient's name, and of the words of a watermark."""


@dataclass(frozen=True)
class ShareTerms:
    """What a publisher asks for: a title of its own, words for the watermark, an end, one link for each recipient.

    ``thread`` is the one that the link opens with.
    """

    title: str = ""
    watermark: str = ""
    expires_at: datetime | None = None
    recipients: Sequence[str] = ()
    thread: str = ""


def publish_snapshot(
    snapshot: Snapshot, terms: ShareTerms, *, now: datetime, token_key: str, random: RandomBytes = secrets.token_bytes
) -> list[Share]:
    """A share of ``snapshot`` for each recipient, or one for anybody; all of them or none."""
    with transaction.atomic():
        return [_publish(snapshot, terms, name, now, token_key, random) for name in terms.recipients or ("",)]


def _publish(
    snapshot: Snapshot, terms: ShareTerms, recipient: str, now: datetime, token_key: str, random: RandomBytes
) -> Share:
    nonce = random(NONCE_BYTES).hex()
    while derive_token(nonce, token_key).startswith("-"):
        # A command would take the token for an option.
        nonce = random(NONCE_BYTES).hex()
    public_id = "s-" + "".join(_ID_LETTERS[byte % len(_ID_LETTERS)] for byte in random(_ID_LENGTH))
    return Share.objects.create(
        public_id=public_id,
        snapshot=snapshot,
        nonce=nonce,
        token_hash=hash_token(derive_token(nonce, token_key)),
        title=" ".join(shown_characters(terms.title).split()),
        recipient=" ".join(shown_characters(recipient).split()),
        thread=terms.thread,
        watermark=watermark_text((recipient, terms.watermark), public_id, now),
        created_at=now,
        expires_at=terms.expires_at,
    )


def watermark_text(words: Iterable[str], public_id: str, now: datetime) -> str:
    """What a share's page is marked with: for whom, words given, which share, published on which day (UTC)."""
    shown = (" ".join(shown_characters(word).split()) for word in words)
    return " · ".join(filter(None, (*shown, public_id, f"{now:%Y-%m-%d}")))
