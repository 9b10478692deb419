"""``check_snapshots``: are the frozen sessions what they were?"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from shareview.snapshots.freezing import is_intact
from shareview.snapshots.models import FACT_TABLES, Snapshot
from shareview.snapshots.protection import missing_triggers


class Command(BaseCommand):
    """Recomputes every digest, and looks for the triggers that protect the tables."""

    help = "Recomputes every digest and names each snapshot that no longer matches."

    def handle(self, *args: Any, **options: Any) -> None:
        faults = [f"the database lacks the trigger {name}" for name in missing_triggers(FACT_TABLES)]
        count = 0
        for snapshot in Snapshot.objects.iterator(chunk_size=100):
            count += 1
            if not is_intact(snapshot):
                shares = ", ".join(snapshot.shares.values_list("public_id", flat=True)) or "none"
                faults.append(f"snapshot {snapshot.digest} no longer matches its digest (shares: {shares})")
        for fault in faults:
            self.stdout.write(fault)
        if faults:
            raise CommandError(f"{len(faults)} faults in {count} snapshots", returncode=1)
        self.stderr.write(f"{count} snapshots match their digests")
