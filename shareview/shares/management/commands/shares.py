"""``shares``: lists links."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from shareview.shares.models import Share


class Command(BaseCommand):
    """One line a share: id, state, views, day of publishing, end, recipient, session, title."""

    help = "Lists share links with their state and views, newest first; fields are separated by tabs."

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        for share in Share.objects.select_related("snapshot").iterator(chunk_size=500):
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
