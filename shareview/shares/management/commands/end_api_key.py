"""``end_api_key``: ends keys of the API at once."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from shareview.shares.actors import command_actor
from shareview.shares.api_keys import KEY_PREFIX, end_api_keys
from shareview.shares.models import ApiKey


class Command(BaseCommand):
    """By the id of a key, or by the key itself."""

    help = "Ends keys of the API at once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("keys", nargs="+", metavar="ID_OR_KEY")
        parser.add_argument("--reason", default="", help="kept in the audit trail")

    def handle(self, *args: Any, **options: Any) -> None:
        ids = {text.removeprefix(KEY_PREFIX).partition("_")[0] for text in options["keys"]}
        keys = list(ApiKey.objects.filter(public_id__in=ids))
        ended = end_api_keys(keys, reason=options["reason"], actor=command_actor(), now=timezone.now())
        self.stderr.write(f"{ended} of {len(ids)} keys ended now")
        if len(keys) < len(ids):
            raise CommandError(f"{len(ids) - len(keys)} of them are unknown", returncode=1)
