"""How often what is shown of a snapshot has changed: pages that were composed before are stale then."""

from django.db import IntegrityError, transaction
from django.db.models import F

from shareview.snapshots.models import ShownVersion, Snapshot


def shown_version(snapshot: Snapshot) -> int:
    """The number of changes so far."""
    return ShownVersion.objects.filter(snapshot=snapshot).values_list("number", flat=True).first() or 0


def note_change(snapshot: Snapshot) -> None:
    """Counts a change of what is shown; to be called in the transaction that makes it."""
    versions = ShownVersion.objects.filter(snapshot=snapshot)
    if versions.update(number=F("number") + 1):
        return
    try:
        with transaction.atomic():
            ShownVersion.objects.create(snapshot=snapshot, number=1)
    except IntegrityError:
        versions.update(number=F("number") + 1)
