"""Erasing a session's snapshot for good, as a law may demand."""

from collections.abc import Sequence
from datetime import datetime

from shareview.shares.actors import Actor
from shareview.shares.audit import auditing
from shareview.shares.models import AuditAction, IdempotentCall, RetiredToken, Share
from shareview.shares.revoke import end_shares
from shareview.snapshots.erasing import erase_rows, overwriting
from shareview.snapshots.models import Snapshot


def erase_snapshot(snapshot: Snapshot, *, reason: str, actor: Actor, now: datetime) -> Sequence[str]:
    """Removes ``snapshot`` with all that it shows, and every share of it; their links answer as ended ever after.

    The audit trail keeps ids and the digest. Gives the public ids of the shares. Backups are not reached from here.
    """
    with overwriting(), auditing(actor, now=now) as audit:
        shares = Share.objects.filter(snapshot=snapshot)
        end_shares(shares, reason=reason, now=now, audit=audit)
        tokens = list(shares.values_list("token_hash", "public_id"))
        RetiredToken.objects.bulk_create(
            [RetiredToken(token_hash=token, public_id=public_id, retired_at=now) for token, public_id in tokens]
        )
        shares.delete()
        IdempotentCall.objects.filter(result__digest=snapshot.digest).delete()
        erase_rows(snapshot, reason=reason)
        ids = [public_id for _, public_id in tokens]
        details: dict[str, object] = {"digest": snapshot.digest, "shares": ids}
        audit.add(AuditAction.ERASE, f"session {snapshot.session_id}", reason=reason, details=details)
    return ids
