"""``annotate``: asks for the citations of shares that are there already."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from shareview.shares.annotate import request_citations
from shareview.shares.language_models import NoModelError, require_models
from shareview.shares.revoke import UnknownShareError, share_of_link
from shareview.snapshots.answer_material import NoSuchAnswerError


class Command(BaseCommand):
    """Queues answers for the worker."""

    help = "Has the worker make the citations of a share's answers, and judge them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("links", nargs="+", metavar="LINK_OR_TOKEN")
        parser.add_argument("--judge", action="store_true", help="judge the evidence as well")
        parser.add_argument("--again", action="store_true", help="also answers that have citations already")
        parser.add_argument("--message", action="append", default=[], metavar="ID", help="only this answer; repeatable")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            require_models(settings.SHAREVIEW_LLM)
            shares = [share_of_link(link) for link in options["links"]]
            for share in shares:
                queued = request_citations(
                    share.snapshot,
                    messages=options["message"],
                    wants_verdicts=options["judge"],
                    again=options["again"],
                    now=timezone.now(),
                )
                self.stderr.write(
                    f"{share.public_id}: {queued} answers queued; the worker command makes their citations"
                )
        except (NoModelError, UnknownShareError, NoSuchAnswerError) as error:
            raise CommandError(str(error), returncode=1) from None
