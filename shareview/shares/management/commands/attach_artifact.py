"""``attach_artifact``: puts citations that were made elsewhere beside the answers of a share."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from shareview.exports.errors import ExportError
from shareview.exports.jsonlines import parse_line, read_lines
from shareview.exports.limits import DEFAULT_LIMITS
from shareview.rendering.pool import RenderPool
from shareview.shares.revoke import UnknownShareError, share_of_link
from shareview.snapshots.answer_material import NoSuchAnswerError
from shareview.snapshots.attaching import ArtifactRefusedError, prepare_artifact, store_artifacts
from shareview.snapshots.models import Snapshot
from shareview.snapshots.redacting import LeaksFoundError, require_clean


class Command(BaseCommand):
    """All records of a file, or none."""

    help = "Checks citation_artifact records, a line each, and freezes them beside the answers that they name."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("link", metavar="LINK_OR_TOKEN", help="a share of the session that they belong to")
        parser.add_argument("--acknowledge", action="store_true", help="attach secrets that were found as they are")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            share = share_of_link(options["link"])
            added = self._attach(options["file"], share.snapshot, acknowledges=options["acknowledge"])
        except (ExportError, LeaksFoundError, NoSuchAnswerError, UnknownShareError, OSError) as error:
            raise CommandError(f"{options['file']}: {error}", returncode=1) from None
        except ArtifactRefusedError as error:
            for fault in error.faults:
                self.stderr.write(f"{options['file']}: {fault}")
            raise CommandError(
                f"{options['file']}: {len(error.faults)} faults, nothing is attached", returncode=1
            ) from None
        self.stderr.write(f"{share.public_id}: {added} artifacts attached")

    def _attach(self, path: Path, snapshot: Snapshot, *, acknowledges: bool) -> int:
        with RenderPool(settings.SHAREVIEW_RENDERING) as renderer, path.open("rb") as source:
            records = [
                (line, parse_line(line, text, DEFAULT_LIMITS)) for line, text in read_lines(source, DEFAULT_LIMITS)
            ]
            if not acknowledges:
                require_clean(record for _, record in records)
            prepared = [prepare_artifact(snapshot, record, line=line, renderer=renderer) for line, record in records]
            return store_artifacts(snapshot, prepared)
