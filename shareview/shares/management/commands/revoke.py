"""``revoke``: ends links at once."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from shareview.shares.models import Share, ShareQuerySet
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
        try:
            chosen = self._chosen(options)
        except UnknownShareError as error:
            raise CommandError(str(error), returncode=1) from None
        ended = revoke_shares(chosen, reason=options["reason"], now=timezone.now())
        self.stderr.write(f"{ended} of {chosen.count()} links ended now")

    def _chosen(self, options: dict[str, Any]) -> ShareQuerySet:
        keys = [share_of_link(link).pk for link in options["links"]]
        if options["all_of"]:
            keys += shares_of_session(options["all_of"]).values_list("pk", flat=True)
        chosen: ShareQuerySet = Share.objects.filter(pk__in=keys)
        return chosen
