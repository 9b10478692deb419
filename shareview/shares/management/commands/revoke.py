"""``revoke``: ends links at once."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from shareview.shares.actors import command_actor
from shareview.shares.models import Share
from shareview.shares.revoke import UnknownShareError, revoke_shares, share_of_link, shares_of_session


class Command(BaseCommand):
    """Ends the links it is given, or all of a session."""

    help = "Ends share links at once, everywhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("links", nargs="*", metavar="LINK_OR_TOKEN")
        parser.add_argument("--reason", default="", help="kept with the share")
        parser.add_argument("--all-of", metavar="SESSION_ID", help="every link of this session")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["links"] and not options["all_of"]:
            raise CommandError("give a link, a token, or --all-of SESSION_ID", returncode=2)
        keys: list[int] = []
        unknown: list[str] = []
        for link in options["links"]:
            try:
                keys.append(share_of_link(link).pk)
            except UnknownShareError as error:
                unknown.append(str(error))
        try:
            if options["all_of"]:
                keys += shares_of_session(options["all_of"]).values_list("pk", flat=True)
        except UnknownShareError as error:
            unknown.append(str(error))
        # What is known ends, whatever else was asked for.
        chosen = Share.objects.filter(pk__in=keys)
        ended = revoke_shares(chosen, reason=options["reason"], actor=command_actor(), now=timezone.now())
        if keys:
            self.stderr.write(f"{ended} of {chosen.count()} links ended now")
        if unknown:
            raise CommandError("; ".join(unknown), returncode=1)
