"""Answers whose citations are to be made: asked for, held by one worker at a time, ended once."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, models, transaction

from shareview.chat.turns import MessagePart
from shareview.snapshots.models import AnnotationJob, Snapshot
from shareview.snapshots.shown_versions import note_change

MOST_ATTEMPTS: Final = 3


def answers_to_annotate(snapshot: Snapshot, complete: Iterable[str]) -> list[str]:
    """The ids of the answers that ``snapshot`` shows, but for those in ``complete``, in their order."""
    answers = snapshot.rendered.filter(part=MessagePart.ANSWER).exclude(message_id__in=list(complete))
    return list(answers.values_list("message_id", flat=True))


def request_annotation(
    snapshot: Snapshot, message_id: str, *, wants_verdicts: bool, starts_anew: bool = False, now: datetime
) -> AnnotationJob | None:
    """A job for the answer ``message_id``; None where one is open already, which then judges too if nobody began it.

    ``starts_anew``: citations that are there are made again, not only judged.
    """
    try:
        with transaction.atomic():
            note_change(snapshot)
            return AnnotationJob.objects.create(
                snapshot=snapshot,
                message_id=message_id,
                wants_verdicts=wants_verdicts,
                starts_anew=starts_anew,
                requested_at=now,
            )
    except IntegrityError:
        if wants_verdicts:
            waiting = snapshot.annotation_jobs.filter(message_id=message_id, finished_at=None, held_until=None)
            waiting.update(wants_verdicts=True)
        return None


def open_jobs(snapshot: Snapshot) -> frozenset[str]:
    """The answers of ``snapshot`` whose citations are being made."""
    jobs = snapshot.annotation_jobs.filter(finished_at__isnull=True)
    return frozenset(jobs.values_list("message_id", flat=True))


def hold_job(job_id: int, *, now: datetime, lease: timedelta) -> AnnotationJob | None:
    """The job, held for ``lease`` from ``now``; None where it ended, is held by another, or is gone."""
    free = models.Q(held_until__isnull=True) | models.Q(held_until__lt=now)
    waiting = AnnotationJob.objects.filter(free, pk=job_id, finished_at__isnull=True)
    if not waiting.update(held_until=now + lease, attempts=models.F("attempts") + 1):
        return None
    return AnnotationJob.objects.select_related("snapshot").get(pk=job_id)


def end_job(job: AnnotationJob, *, now: datetime) -> bool:
    """Ends ``job``; False where another worker has ended it before, and its result counts."""
    with transaction.atomic():
        note_change(job.snapshot)
        return bool(AnnotationJob.objects.filter(pk=job.pk, finished_at__isnull=True).update(finished_at=now))


def abandoned_jobs(now: datetime) -> list[AnnotationJob]:
    """Open jobs whose worker said nothing any more in the time that it had."""
    lost = AnnotationJob.objects.filter(held_until__lt=now, finished_at__isnull=True)
    return list(lost.select_related("snapshot"))


def free_job(job: AnnotationJob) -> bool:
    """Frees an abandoned job for another attempt; False where somebody else has freed or held it meanwhile."""
    same = AnnotationJob.objects.filter(pk=job.pk, finished_at__isnull=True, held_until=job.held_until)
    return bool(job.held_until and same.update(held_until=None))


def keep_holding(job_id: int, *, now: datetime, lease: timedelta) -> None:
    """Holds a job that is held for ``lease`` more, from ``now``."""
    held = AnnotationJob.objects.filter(pk=job_id, finished_at__isnull=True, held_until__isnull=False)
    held.update(held_until=now + lease)
