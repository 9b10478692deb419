"""``worker``: makes citations outside the request."""

import os
import signal
import time
from argparse import ArgumentParser
from threading import Thread
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from django.utils.crypto import get_random_string
from django_tasks import DEFAULT_TASK_BACKEND_ALIAS
from django_tasks_db.management.commands.db_worker import Worker

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
        has_models = self._has_models(is_needed=not options["with_parent"])
        if options["with_parent"]:
            Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
        worker = Worker(
            queue_names=[QUEUE],
            interval=0,
            batch=True,
            backend_name=DEFAULT_TASK_BACKEND_ALIAS,
            startup_delay=False,
            max_tasks=None,
            worker_id=get_random_string(32),
            excluded_queue_names=[],
        )
        # The first signal lets an answer come to its end, and no other begin; the library's own command cannot be
        # told from here that it was stopped, and would be started again.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, worker.shutdown)
        while True:
            recover_jobs(renderer=lambda: InProcessRenderer(settings.SHAREVIEW_RENDERING), now=timezone.now())
            if has_models:
                worker.run()
            if options["once"] or not worker.running:
                return
            time.sleep(_INTERVAL)

    def _has_models(self, *, is_needed: bool) -> bool:
        try:
            require_models(settings.SHAREVIEW_LLM)
        except NoModelError as error:
            if is_needed:
                raise CommandError(str(error), returncode=1) from None
            return False
        return True


def _end_with(parent: int) -> None:
    """Ends this process once ``parent`` has ended; an answer that is under way is taken up again by another worker."""
    while os.getppid() == parent:
        time.sleep(_INTERVAL)
    os._exit(0)
