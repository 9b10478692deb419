"""Queueing the making of citations, and taking up again what a worker left undone."""

import atexit
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache
from threading import Event, Thread
from typing import Final

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django_tasks import TaskResultStatus, task
from django_tasks_db.models import DBTaskResult

from shareview.rendering.pool import Renderer, RenderPool
from shareview.shares.language_models import require_models
from shareview.snapshots.annotating import Annotators, annotate_answer, give_up
from shareview.snapshots.annotation_jobs import (
    MOST_ATTEMPTS,
    abandoned_jobs,
    free_job,
    hold_job,
    keep_holding,
    request_annotation,
)
from shareview.snapshots.models import AnnotationJob, Snapshot

QUEUE: Final = "annotations"
LEASE: Final = timedelta(seconds=90)
"""How long a worker may be silent before its job is taken for abandoned."""
_BEAT_SECONDS: Final = 20.0
_LOST_AFTER: Final = timedelta(hours=6)
"""How long a task may count as running in the queue; it is told nothing of a worker that was killed."""

Clock = Callable[[], datetime]


def queue_annotations(
    snapshot: Snapshot, messages: Iterable[str], *, wants_verdicts: bool, starts_anew: bool = False, now: datetime
) -> int:
    """Queues the making of the citations of ``messages``; gives how many were not queued already."""
    with transaction.atomic():
        asked = (
            request_annotation(snapshot, id, wants_verdicts=wants_verdicts, starts_anew=starts_anew, now=now)
            for id in messages
        )
        jobs = [job for job in asked if job is not None]
        for job in jobs:
            make_citations.enqueue(job.pk)
    return len(jobs)


@cache
def _models() -> Annotators:
    # Kept by a worker: what a model's endpoint refused once is not asked of it again.
    return require_models(settings.SHAREVIEW_LLM)


@cache
def _renderer() -> RenderPool:
    # Kept as well: to start a process for each answer takes longer than to render it.
    pool = RenderPool(settings.SHAREVIEW_RENDERING, workers=1)
    atexit.register(pool.close)
    return pool


@task(queue_name=QUEUE)
def make_citations(job_id: int) -> str:
    """Makes the citations of one answer. Safe to repeat: a job that ended, or that another worker holds, is left."""
    models = _models()
    with _held(job_id, timedelta(seconds=models.budget.seconds + models.judge_budget.seconds) + LEASE):
        return run_job(job_id, models, renderer=_renderer(), clock=timezone.now)


def run_job(job_id: int, models: Annotators, *, renderer: Renderer, clock: Clock) -> str:
    """What came of the job: its artifact's status or code, or why nothing was done."""
    job = hold_job(job_id, now=clock(), lease=LEASE)
    if job is None:
        return "not free"
    return annotate_answer(job, models, renderer=renderer, clock=clock)


@contextmanager
def _held(job_id: int, longest: timedelta) -> Iterator[None]:
    """Says all the while that the job's worker is alive, but for no longer than ``longest``."""
    done = Event()

    def beat() -> None:
        begun = timezone.now()
        while not done.wait(_BEAT_SECONDS) and timezone.now() - begun < longest:
            keep_holding(job_id, now=timezone.now(), lease=LEASE)
            connection.close()

    thread = Thread(target=beat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def recover_jobs(*, renderer: Callable[[], Renderer], now: datetime) -> int:
    """Queues abandoned jobs anew; one that was tried ``MOST_ATTEMPTS`` times ends as not made in time.

    Gives how many there were. Two recoveries at once do not queue a job twice.
    """
    _bury_tasks(now)
    jobs = abandoned_jobs(now)
    for job in jobs:
        if job.attempts >= MOST_ATTEMPTS:
            give_up(job, renderer=renderer(), now=now)
        else:
            _queue_again(job)
    return len(jobs)


def _queue_again(job: AnnotationJob) -> None:
    with transaction.atomic():
        if free_job(job):
            make_citations.enqueue(job.pk)


def _bury_tasks(now: datetime) -> None:
    """Ends tasks whose worker was killed: the queue would show them as running for ever."""
    lost = DBTaskResult.objects.running().filter(queue_name=QUEUE, started_at__lt=now - _LOST_AFTER)
    lost.update(status=TaskResultStatus.FAILED, finished_at=now, traceback="its worker ended without a word")
