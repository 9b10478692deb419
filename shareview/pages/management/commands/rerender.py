"""``rerender``: derived HTML anew from the frozen records."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from shareview.pages.compositions import compose_share
from shareview.rendering.pool import RenderPool
from shareview.shares.progress import progress_bar
from shareview.snapshots.derivation import DERIVATION_VERSION
from shareview.snapshots.freezing import rerender_snapshot
from shareview.snapshots.models import RenderedMessage, Snapshot


class Command(BaseCommand):
    """Rebuilds the HTML of all snapshots, or of those that another version made."""

    help = "Rebuilds the derived HTML from the frozen records."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--stale", action="store_true", help="only what another version of the renderer made")

    def handle(self, *args: Any, **options: Any) -> None:
        snapshots = Snapshot.objects.order_by("pk")
        if options["stale"]:
            stale = RenderedMessage.objects.exclude(version=DERIVATION_VERSION)
            snapshots = snapshots.filter(pk__in=stale.values("snapshot"))
        total = snapshots.count()
        with RenderPool(settings.SHAREVIEW_RENDERING) as renderer:
            for snapshot in snapshots:
                with progress_bar(snapshot.digest[:12], self.stderr) as progress:
                    rerender_snapshot(snapshot, renderer=renderer, progress=progress)
                for share in snapshot.shares.live(timezone.now()):
                    compose_share(share, now=timezone.now())
        self.stderr.write(f"{total} snapshots rendered anew")
