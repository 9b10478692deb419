"""Writing the audit trail, one writer at a time, and checking that nothing of it was changed since."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

import rfc8785
from django.db import transaction

from shareview.shares.actors import Actor
from shareview.shares.audit_models import AuditAction, AuditEntry, AuditHead

_HEAD: Final = 1
_WHOLE_TRAIL: Final = 2_000


@dataclass
class AuditWriter:
    """Takes down what is done, to be written when all of it is."""

    actor: Actor
    now: datetime
    number: int
    hash: str
    entries: list[AuditEntry] = field(default_factory=list)

    def add(self, action: AuditAction, subject: str, *, reason: str = "", details: dict[str, object]) -> None:
        """One thing done to ``subject``."""
        entry = AuditEntry(
            number=self.number + 1, at=self.now, actor=self.actor.name[:200], address=self.actor.address[:100],
            action=action, subject=subject, reason=reason, details=details, previous_hash=self.hash,
        )  # fmt: skip
        entry.hash = hash_entry(entry)
        self.number, self.hash = entry.number, entry.hash
        self.entries.append(entry)


@contextmanager
def auditing(actor: Actor, *, now: datetime) -> Iterator[AuditWriter]:
    """A transaction in which things are done and written down, both or neither; others who write wait for its end.

    The lock comes first, so that two who change the same shares never hold what the other waits for.
    """
    with transaction.atomic():
        head, _ = AuditHead.objects.select_for_update().get_or_create(pk=_HEAD)
        writer = AuditWriter(actor, now, head.number, head.hash)
        yield writer
        AuditEntry.objects.bulk_create(writer.entries, batch_size=500)
        AuditHead.objects.filter(pk=_HEAD).update(number=writer.number, hash=writer.hash)


def hash_entry(entry: AuditEntry) -> str:
    """SHA-256 (hex) over the entry's fields as RFC 8785 JSON, the hash of the entry before among them."""
    fields = {
        "number": entry.number,
        "at": entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "actor": entry.actor,
        "address": entry.address,
        "action": str(entry.action),
        "subject": entry.subject,
        "reason": entry.reason,
        "details": entry.details,
        "previous_hash": entry.previous_hash,
    }
    return hashlib.sha256(rfc8785.dumps(fields)).hexdigest()


@dataclass(frozen=True)
class TrailCheck:
    """How many entries stand there, the newest one as ``NUMBER:HASH``, and what is wrong with them."""

    count: int
    head: str
    faults: tuple[str, ...]


def check_trail(noted: str = "") -> TrailCheck:
    """Recomputes every hash. ``noted`` is a ``NUMBER:HASH`` of before, which the trail must still lead through.

    Without one, whoever can write everything in the database can also write a whole new trail.
    """
    faults: list[str] = []
    last, last_hash, count, is_met = 0, "", 0, not noted
    for entry in AuditEntry.objects.order_by("number").iterator(chunk_size=_WHOLE_TRAIL):
        count += 1
        if entry.number != last + 1:
            faults.append(f"entry {last + 1} is missing" + (f" (up to {entry.number - 1})" * (entry.number > last + 2)))
        elif entry.previous_hash != last_hash:
            faults.append(f"entry {entry.number} does not follow the one before it")
        if entry.hash != hash_entry(entry):
            faults.append(f"entry {entry.number} is not as it was written")
        last, last_hash = entry.number, entry.hash
        is_met = is_met or noted == f"{last}:{last_hash}"
    head = AuditHead.objects.filter(pk=_HEAD).first() or AuditHead()
    if (head.number, head.hash) != (last, last_hash):
        faults.append(f"the last entry is {last}, and the last that was written is {head.number}")
    if not is_met:
        faults.append(f"the trail does not lead through {noted}")
    return TrailCheck(count, f"{last}:{last_hash}", tuple(faults))
