"""``publish``: from an export to a link."""

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from shareview.exports.errors import ExportError
from shareview.exports.formats import NATIVE, READERS
from shareview.leaks.handling import LeakHandling
from shareview.pages.compositions import publish_composed
from shareview.rendering.pool import RenderPool
from shareview.shares.acknowledge import note_acknowledged
from shareview.shares.actors import command_actor
from shareview.shares.annotate import request_citations
from shareview.shares.drafts import draft_links
from shareview.shares.expiry import parse_expiry, parse_start
from shareview.shares.language_models import NoModelError, require_models
from shareview.shares.models import PreviewDetail
from shareview.shares.origins import read_origin
from shareview.shares.progress import progress_bar
from shareview.shares.publish import WORDS_LIMIT, ShareTerms, require_terms_unstopped
from shareview.shares.stops import StoppedError
from shareview.snapshots.freezing import Freeze, freeze_session
from shareview.snapshots.hiding import Hiding, read_hiding
from shareview.snapshots.redacting import LeaksFoundError
from shareview.snapshots.selection import FreezeError
from shareview.snapshots.withholding import Withholding


class Command(BaseCommand):
    """Reads exports, freezes them and prints the links alone on standard output."""

    # They load every door of the site, which takes longer than a short session does.
    requires_system_checks = ()
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
        parser.add_argument("--not-before", metavar="2d|2026-12-24", help="when the link can first be read")
        parser.add_argument("--expires", metavar="7d|2026-12-31", help="when the link ends by itself")
        parser.add_argument(
            "--password-stdin", action="store_true", help="readers must know the first line of standard input"
        )
        parser.add_argument(
            "--embed", action="append", default=[], metavar="ORIGIN", help="a site that may show it in a frame"
        )
        parser.add_argument(
            "--link-preview",
            default=PreviewDetail.TITLE.value,
            choices=PreviewDetail.values,
            help="what a messenger may show of the link",
        )
        parser.add_argument("--owner", default="", metavar="USERNAME", help="the account that the link belongs to")
        parser.add_argument(
            "--recipient", action="append", default=[], metavar="NAME", help="a link of their own for each"
        )
        parser.add_argument("--show", action="append", default=[], choices=["system"], help="show SYSTEM messages too")
        parser.add_argument(
            "--hide", action="append", default=[], metavar="reasoning,tools", help="leave these out, and say so"
        )
        parser.add_argument(
            "--hide-message", action="append", default=[], metavar="ID", help="leave this message out, and say so"
        )
        leaks = parser.add_mutually_exclusive_group()
        leaks.add_argument("--redact", action="store_true", help="take secrets out: [redacted: kind] stands there")
        leaks.add_argument("--acknowledge", action="store_true", help="publish secrets that were found as they are")
        parser.add_argument(
            "--preview",
            action="store_true",
            help="make no link: print where readers' view can be seen for an hour",
        )
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
        if any(len(words) > WORDS_LIMIT for words in (options["watermark"], *options["recipient"])):
            raise CommandError(f"--watermark and --recipient take at most {WORDS_LIMIT} characters", returncode=1)
        if any(not recipient.strip() for recipient in options["recipient"]):
            raise CommandError("--recipient takes a name", returncode=1)
        now = timezone.now()
        starts = _moment("--not-before", options["not_before"], parse_start, now)
        expires = _moment("--expires", options["expires"], parse_expiry, now)
        if starts and expires and expires <= starts:
            raise CommandError("--expires must come after --not-before", returncode=1)
        return ShareTerms(
            title=options["title"],
            watermark=options["watermark"],
            starts_at=starts,
            expires_at=expires,
            recipients=tuple(options["recipient"]),
            thread=next(iter(options["thread"]), ""),
            embeds=tuple(_origin(text) for text in options["embed"]),
            owner=_owner(options["owner"]),
            password=_password(options),
            preview=PreviewDetail(options["link_preview"]),
        )

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
            freeze = self._freeze(name, terms, renderer, options)
        except LeaksFoundError as error:
            for finding in error.findings:
                self.stderr.write(f"{name}: {finding}")
            raise CommandError(f"{name}: {error}", returncode=1) from None
        except (ExportError, FreezeError, StoppedError, OSError) as error:
            raise CommandError(f"{name}: {error}", returncode=1) from None
        self._report(name, freeze)
        handling = _handling(options)
        self._report_leaks(name, freeze, handling)
        note_acknowledged(freeze, handling, actor=command_actor(), now=timezone.now())
        if options["preview"]:
            base_url = options["base_url"].rstrip("/") or settings.SHAREVIEW_BASE_URL
            self.stdout.write("\n".join(draft_links(freeze.snapshot, terms, base_url, now=timezone.now())))
            return
        try:
            shares = publish_composed(
                freeze.snapshot,
                terms,
                actor=command_actor(),
                now=timezone.now(),
                token_key=settings.SHAREVIEW_TOKEN_KEY,
            )
        except StoppedError as error:
            raise CommandError(f"{name}: {error}", returncode=1) from None
        if options["annotate"]:
            queued = request_citations(freeze.snapshot, wants_verdicts=options["judge"], now=timezone.now())
            self.stderr.write(f"{name}: {queued} answers queued; the worker command makes their citations")
        for share in shares:
            if share.recipient:
                self.stderr.write(f"{name}: {share.public_id} is for {share.recipient}")
            self.stdout.write(share.link(options["base_url"].rstrip("/")))

    def _freeze(self, name: str, terms: ShareTerms, renderer: RenderPool, options: dict[str, Any]) -> Freeze:
        with ExitStack() as stack:
            source: BinaryIO = sys.stdin.buffer if name == "-" else stack.enter_context(Path(name).open("rb"))
            export = stack.enter_context(READERS[options["format"]](source, lenient=options["lenient"]))
            for notice in export.notices:
                self.stderr.write(f"{name}: {notice}")
            # What is stopped is not even stored.
            require_terms_unstopped(export.session.id, terms)
            with progress_bar("rendering", self.stderr) as progress:
                return freeze_session(
                    export,
                    now=timezone.now(),
                    renderer=renderer,
                    up_to=options["up_to"],
                    threads=options["thread"],
                    show_system="system" in options["show"],
                    withholding=Withholding(_hiding(options), _handling(options)),
                    progress=progress,
                )

    def _report(self, name: str, freeze: Freeze) -> None:
        for notice in freeze.notices:
            self.stderr.write(f"{name}: {notice}")
        for message, dropped in freeze.dropped:
            self.stderr.write(
                f'{name}: message {message}: citation {dropped.n} ("{dropped.url}") is dropped: it {dropped.reason}'
            )

    def _report_leaks(self, name: str, freeze: Freeze, handling: LeakHandling) -> None:
        for finding in freeze.findings:
            is_out = freeze.is_redacted and handling.concerns(finding.of)
            self.stderr.write(f"{name}: {'redacted' if is_out else 'published as it is'}: {finding}")


def _hiding(options: dict[str, Any]) -> Hiding:
    try:
        return read_hiding(options["hide"], options["hide_message"])
    except ValueError as error:
        raise CommandError(f'--hide "{",".join(options["hide"])}": expected {error}', returncode=1) from None


def _handling(options: dict[str, Any]) -> LeakHandling:
    return LeakHandling(options["redact"], options["acknowledge"], settings.SHAREVIEW_PERSONAL_DATA_STOPS)


def _moment(
    option: str, text: str | None, parse: Callable[[str, datetime], datetime], now: datetime
) -> datetime | None:
    try:
        return parse(text, now) if text else None
    except ValueError as error:
        raise CommandError(f'{option} "{text}": expected {error}', returncode=1) from None


def _origin(text: str) -> str:
    try:
        return read_origin(text)
    except ValueError as error:
        raise CommandError(f'--embed "{text}": expected {error}', returncode=1) from None


def _owner(name: str) -> User | None:
    if not name:
        return None
    owner = User.objects.filter(username=name).first()
    if owner is None:
        raise CommandError(f'--owner "{name}": there is no account of this name', returncode=1)
    return owner


def _password(options: dict[str, Any]) -> str:
    if not options["password_stdin"]:
        return ""
    if "-" in options["files"]:
        raise CommandError("--password-stdin and - both want standard input", returncode=2)
    password = sys.stdin.readline().rstrip("\r\n")
    if not password or len(password) > WORDS_LIMIT:
        raise CommandError(
            f"--password-stdin: expected 1 to {WORDS_LIMIT} characters as the first line of standard input",
            returncode=1,
        )
    return password
