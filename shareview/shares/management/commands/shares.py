"""``shares``: lists links."""

from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from shareview.shares.models import Share


class Command(BaseCommand):
    """One line a share: id, state, views, day of publishing, end, recipient, session, title."""

    help = "Lists share links with their state and views, newest first; fields are separated by tabs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--revoked-since", default="", metavar="2026-12-24T09:00", help="those alone that were revoked since (UTC)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        shares = Share.objects.select_related("snapshot")
        if options["revoked_since"]:
            shares = shares.filter(revoked_at__gte=_moment(options["revoked_since"]))
        for share in shares.iterator(chunk_size=500):
            fields = (
                share.public_id,
                share.state(now) + (", password" if share.password else ""),
                f"{share.views} views",
                f"{share.created_at:%Y-%m-%d}",
                f"until {share.expires_at:%Y-%m-%d %H:%M}" if share.expires_at else "no end",
                share.recipient or "-",
                share.snapshot.session_id,
                share.shown_title,
            )
            self.stdout.write("\t".join(" ".join(field.split()) for field in fields))


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(
            f'--revoked-since takes a moment such as 2026-12-24T09:00, not "{text}"', returncode=2
        ) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
