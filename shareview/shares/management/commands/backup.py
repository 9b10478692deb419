"""``backup``: a copy of the embedded database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from shareview.shares.backup import BackupError, back_up_database


class Command(BaseCommand):
    """Copies the database while the site runs; restoring is putting the copy in its place."""

    help = "Writes a whole, consistent copy of the SQLite database to FILE. With PostgreSQL, use pg_dump."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            back_up_database(options["file"])
        except BackupError as error:
            raise CommandError(str(error), returncode=1) from None
        self.stderr.write(f"{options['file']} holds all of it; the keys of the environment are not in it")
