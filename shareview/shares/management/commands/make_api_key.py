"""``make_api_key``: a key for a program that publishes."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from shareview.shares.actors import command_actor
from shareview.shares.api_keys import KeyTerms, KeyTermsError, make_api_key
from shareview.shares.expiry import parse_expiry
from shareview.shares.models import Scope


class Command(BaseCommand):
    """Prints the key alone on standard output, once."""

    help = "Makes a key of the API and prints it; it is stored as a hash and cannot be shown again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("owner", metavar="USERNAME", help="a publisher or an admin; what it publishes is theirs")
        parser.add_argument("--name", default="made by command", help="what the list of keys calls it")
        parser.add_argument(
            "--scope", action="append", choices=Scope.values, help="what it may do; all, where none is named"
        )
        parser.add_argument("--expires", metavar="90d|2026-12-31", help="when it ends by itself")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = User.objects.filter(username=options["owner"]).first()
        if owner is None:
            raise CommandError(f'"{options["owner"]}": there is no account of this name', returncode=1)
        now = timezone.now()
        try:
            expires = parse_expiry(options["expires"], now) if options["expires"] else None
        except ValueError as error:
            raise CommandError(f'--expires "{options["expires"]}": expected {error}', returncode=1) from None
        terms = KeyTerms(options["name"], owner, [Scope(one) for one in options["scope"] or Scope.values], expires)
        try:
            key, text = make_api_key(terms, actor=command_actor(), now=now)
        except KeyTermsError as error:
            raise CommandError(str(error), returncode=1) from None
        self.stderr.write(f"{key.public_id} may {', '.join(key.scopes)}")
        self.stdout.write(text)
