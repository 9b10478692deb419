"""``publish``: from an export to a link."""

import sys
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from shareview.exports.errors import ExportError
from shareview.exports.formats import NATIVE, READERS
from shareview.rendering.pool import RenderPool
from shareview.shares.annotate import request_citations
from shareview.shares.expiry import parse_expiry
from shareview.shares.language_models import NoModelError, require_models
from shareview.shares.progress import progress_bar
from shareview.shares.publish import WORDS_LIMIT, ShareTerms, publish_snapshot
from shareview.snapshots.freezing import Freeze, freeze_session
from shareview.snapshots.selection import FreezeError


class Command(BaseCommand):
    """Reads exports, freezes them and prints the links alone on standard output."""

    help = "Freezes chat exports and prints one link a share; everything else goes to standard error."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="an export; - is standard input")
        parser.add_argument("--title", default="", help="the page's title, instead of the session's")
        parser.add_argument(
            "--up-to",
            action="append",
            default=[],
            metavar="MESSAGE_ID",
            help="the last message that is shown; one a thread",
        )
        parser.add_argument(
            "--thread", action="append", default=[], metavar="ID", help="only this thread, with what it was forked from"
        )
        parser.add_argument("--watermark", default="", metavar="TEXT", help="words of the visible mark")
        parser.add_argument("--expires", metavar="7d|2026-12-31", help="when the link ends by itself")
        parser.add_argument(
            "--recipient", action="append", default=[], metavar="NAME", help="a link of their own for each"
        )
        parser.add_argument("--show", action="append", default=[], choices=["system"], help="show SYSTEM messages too")
        parser.add_argument("--format", default=NATIVE, choices=sorted(READERS), help="the export's format")
        parser.add_argument("--lenient", action="store_true", help="pass over bad message lines, and say which")
        parser.add_argument("--annotate", action="store_true", help="have the worker make claim-level citations")
        parser.add_argument("--judge", action="store_true", help="with --annotate: have it judge the evidence too")
        parser.add_argument("--base-url", default="", help="what the links begin with")

    def handle(self, *args: Any, **options: Any) -> None:
        terms = self._terms(options)
        self._require_models(options)
        with RenderPool(settings.SHAREVIEW_RENDERING) as renderer:
            for name in options["files"]:
                self._publish(name, terms, renderer, options)

    def _terms(self, options: dict[str, Any]) -> ShareTerms:
        try:
            expires = parse_expiry(options["expires"], timezone.now()) if options["expires"] else None
        except ValueError as error:
            raise CommandError(f'--expires "{options["expires"]}": expected {error}', returncode=1) from None
        if any(len(words) > WORDS_LIMIT for words in (options["watermark"], *options["recipient"])):
            raise CommandError(f"--watermark and --recipient take at most {WORDS_LIMIT} characters", returncode=1)
        recipients, thread = tuple(options["recipient"]), next(iter(options["thread"]), "")
        return ShareTerms(options["title"], options["watermark"], expires, recipients, thread)

    def _require_models(self, options: dict[str, Any]) -> None:
        if options["judge"] and not options["annotate"]:
            raise CommandError("--judge goes with --annotate", returncode=2)
        try:
            if options["annotate"]:
                require_models(settings.SHAREVIEW_LLM)
        except NoModelError as error:
            raise CommandError(str(error), returncode=1) from None

    def _publish(self, name: str, terms: ShareTerms, renderer: RenderPool, options: dict[str, Any]) -> None:
        try:
            freeze = self._freeze(name, renderer, options)
        except (ExportError, FreezeError, OSError) as error:
            raise CommandError(f"{name}: {error}", returncode=1) from None
        self._report(name, freeze)
        shares = publish_snapshot(freeze.snapshot, terms, now=timezone.now(), token_key=settings.SHAREVIEW_TOKEN_KEY)
        if options["annotate"]:
            queued = request_citations(freeze.snapshot, wants_verdicts=options["judge"], now=timezone.now())
            self.stderr.write(f"{name}: {queued} answers queued; the worker command makes their citations")
        for share in shares:
            if share.recipient:
                self.stderr.write(f"{name}: {share.public_id} is for {share.recipient}")
            self.stdout.write(share.link(options["base_url"].rstrip("/")))

    def _freeze(self, name: str, renderer: RenderPool, options: dict[str, Any]) -> Freeze:
        with ExitStack() as stack:
            source: BinaryIO = sys.stdin.buffer if name == "-" else stack.enter_context(Path(name).open("rb"))
            export = stack.enter_context(READERS[options["format"]](source, lenient=options["lenient"]))
            for notice in export.notices:
                self.stderr.write(f"{name}: {notice}")
            with progress_bar("rendering", self.stderr) as progress:
                return freeze_session(
                    export,
                    now=timezone.now(),
                    renderer=renderer,
                    up_to=options["up_to"],
                    threads=options["thread"],
                    show_system="system" in options["show"],
                    progress=progress,
                )

    def _report(self, name: str, freeze: Freeze) -> None:
        for notice in freeze.notices:
            self.stderr.write(f"{name}: {notice}")
        for message, dropped in freeze.dropped:
            self.stderr.write(
                f'{name}: message {message}: citation {dropped.n} ("{dropped.url}") is dropped: it {dropped.reason}'
            )
