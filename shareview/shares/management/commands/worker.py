"""``worker``: makes citations outside the request."""

import os
import sys
import time
from argparse import ArgumentParser
from typing import Any, Final

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from shareview.rendering.pool import InProcessRenderer
from shareview.shares.annotation_queue import QUEUE, recover_jobs
from shareview.shares.language_models import NoModelError, require_models

_INTERVAL: Final = 1.0


class Command(BaseCommand):
    """Takes queued answers one by one, and those that another worker left undone."""

    help = "Makes the citations that were asked for. Run as many as you like; one that is killed loses nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="end when nothing is left to do")
        parser.add_argument(
            "--with-parent", action="store_true", help="end with the process that started this one; wait for a model"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        parent = os.getppid()
        has_models = self._has_models(is_needed=not options["with_parent"])
        while True:
            recover_jobs(renderer=lambda: InProcessRenderer(settings.SHAREVIEW_RENDERING), now=timezone.now())
            if has_models:
                call_command("db_worker", queue_name=QUEUE, batch=True, startup_delay=False, reload=False, verbosity=0)
            if options["once"]:
                return
            if options["with_parent"] and os.getppid() != parent:
                sys.exit(0)
            time.sleep(_INTERVAL)

    def _has_models(self, *, is_needed: bool) -> bool:
        try:
            require_models(settings.SHAREVIEW_LLM)
        except NoModelError as error:
            if is_needed:
                raise CommandError(str(error), returncode=1) from None
            return False
        return True
