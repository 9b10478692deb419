"""Making links to a snapshot."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User

from shareview.rendering.characters import shown_characters
from shareview.shares.actors import Actor
from shareview.shares.audit import AuditWriter, auditing
from shareview.shares.models import AuditAction, PreviewDetail, Share, ShareEmbed
from shareview.shares.stops import require_unstopped
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

    ``thread`` is the one that the link opens with; ``password`` what a reader must know, if anything; ``embeds`` the
    origins that may show it in a frame, as ``origins.read_origin`` gives them; ``preview`` what a messenger may show.
    """

    title: str = ""
    watermark: str = ""
    expires_at: datetime | None = None
    recipients: Sequence[str] = ()
    thread: str = ""
    starts_at: datetime | None = None
    password: str = field(default="", repr=False)
    embeds: Sequence[str] = ()
    owner: User | None = None
    preview: PreviewDetail = PreviewDetail.TITLE


def publish_snapshot(
    snapshot: Snapshot,
    terms: ShareTerms,
    *,
    actor: Actor,
    now: datetime,
    token_key: str,
    random: RandomBytes = secrets.token_bytes,
) -> list[Share]:
    """A share of ``snapshot`` for each recipient, or one for anybody; all of them or none.

    Raises StoppedError where they would be shares of something that is stopped.
    """
    # Hashed before the transaction: that takes longer than all of it.
    password = make_password(terms.password) if terms.password else ""
    with auditing(actor, now=now) as audit:
        require_terms_unstopped(snapshot.session_id, terms)
        shares = [_share(snapshot, terms, name, password, now, token_key, random) for name in terms.recipients or ("",)]
        for share in shares:
            _store(share, terms, audit)
    return shares


def _share(
    snapshot: Snapshot,
    terms: ShareTerms,
    recipient: str,
    password: str,
    now: datetime,
    token_key: str,
    random: RandomBytes,
) -> Share:
    nonce = new_nonce(token_key, random)
    public_id = "s-" + "".join(_ID_LETTERS[byte % len(_ID_LETTERS)] for byte in random(_ID_LENGTH))
    return Share(
        public_id=public_id,
        snapshot=snapshot,
        owner=terms.owner,
        nonce=nonce,
        token_hash=hash_token(derive_token(nonce, token_key)),
        title=_words(terms.title),
        recipient=_words(recipient),
        thread=terms.thread,
        watermark=watermark_text((recipient, terms.watermark), public_id, now),
        created_at=now,
        starts_at=terms.starts_at,
        expires_at=terms.expires_at,
        password=password,
        preview=terms.preview,
    )


def _store(share: Share, terms: ShareTerms, audit: AuditWriter) -> None:
    share.save(force_insert=True)
    ShareEmbed.objects.bulk_create([ShareEmbed(share=share, origin=origin) for origin in dict.fromkeys(terms.embeds)])
    details: dict[str, object] = {
        "session": share.snapshot.session_id,
        "digest": share.snapshot.digest,
        "protected": bool(share.password),
        "embeds": list(terms.embeds),
        "starts_at": share.starts_at and share.starts_at.isoformat(),
        "expires_at": share.expires_at and share.expires_at.isoformat(),
    }
    audit.add(AuditAction.PUBLISH, share.public_id, details=details)


def require_terms_unstopped(session: str, terms: ShareTerms) -> None:
    """Raises StoppedError where a share of ``session`` under ``terms`` would be one of something that is stopped."""
    require_unstopped(
        session,
        owner=terms.owner.get_username() if terms.owner else "",
        recipients=[_words(name) for name in terms.recipients],
        origins=terms.embeds,
    )


def new_nonce(token_key: str, random: RandomBytes) -> str:
    """A nonce (hex) whose token no command would take for an option."""
    nonce = random(NONCE_BYTES).hex()
    while derive_token(nonce, token_key).startswith("-"):
        nonce = random(NONCE_BYTES).hex()
    return nonce


def _words(text: str) -> str:
    return " ".join(shown_characters(text).split())


def watermark_text(words: Iterable[str], public_id: str, now: datetime) -> str:
    """What a share's page is marked with: for whom, words given, which share, published on which day (UTC)."""
    return " · ".join(filter(None, (*map(_words, words), public_id, f"{now:%Y-%m-%d}")))
