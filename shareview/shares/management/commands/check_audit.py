"""``check_audit``: nothing of the audit trail was changed, removed or put in."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from shareview.shares.audit import check_trail
from shareview.shares.models import AUDIT_TABLES
from shareview.snapshots.protection import missing_triggers


class Command(BaseCommand):
    """Recomputes the chain of hashes, and looks for the triggers that protect it."""

    help = "Recomputes the audit trail's hashes, names each fault, and prints the newest entry as NUMBER:HASH."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--noted",
            default="",
            metavar="NUMBER:HASH",
            help="a newest entry that was printed before and kept elsewhere; the trail must still lead through it",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        found = check_trail(options["noted"])
        faults = [f"the database lacks the trigger {name}" for name in missing_triggers(AUDIT_TABLES)]
        for fault in (*faults, *found.faults):
            self.stderr.write(fault)
        self.stdout.write(found.head)
        if faults or found.faults:
            raise CommandError(f"{len(faults) + len(found.faults)} faults in {found.count} entries", returncode=1)
        self.stderr.write(f"{found.count} entries are as they were written")
