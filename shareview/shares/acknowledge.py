"""Writing down that secrets were published as they are."""

from collections import Counter
from datetime import datetime

from shareview.leaks.handling import LeakHandling
from shareview.shares.actors import Actor
from shareview.shares.audit import auditing
from shareview.shares.models import AuditAction
from shareview.snapshots.freezing import Freeze


def note_acknowledged(freeze: Freeze, handling: LeakHandling, *, actor: Actor, now: datetime) -> None:
    """Puts into the trail that ``actor`` froze a session with secrets in it, and of which kinds; if that is so."""
    kinds = Counter(finding.kind for finding in freeze.findings if handling.concerns(finding.of))
    if not kinds or not handling.acknowledge:
        return
    details: dict[str, object] = {"digest": freeze.snapshot.digest, "kinds": dict(sorted(kinds.items()))}
    with auditing(actor, now=now) as audit:
        audit.add(AuditAction.SECRETS, f"session {freeze.snapshot.session_id}", details=details)
