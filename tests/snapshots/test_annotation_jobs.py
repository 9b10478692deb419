"""A job is held by one worker at a time, and ended once."""

from datetime import timedelta

import pytest
from sessions import NOW, FreezeRecords, turn

from shareview.snapshots.annotation_jobs import (
    abandoned_jobs,
    end_job,
    free_job,
    hold_job,
    keep_holding,
    request_annotation,
)
from shareview.snapshots.models import AnnotationJob

LEASE = timedelta(seconds=90)


@pytest.fixture
def job(freeze: FreezeRecords) -> AnnotationJob:
    found = request_annotation(freeze(turn("An answer.")).snapshot, "4", wants_verdicts=False, now=NOW)
    assert found is not None
    return found


def test_a_job_that_is_held_is_not_given_to_another(job: AnnotationJob) -> None:
    held = hold_job(job.pk, now=NOW, lease=LEASE)
    assert held is not None
    assert held.attempts == 1
    assert hold_job(job.pk, now=NOW + LEASE, lease=LEASE) is None
    assert abandoned_jobs(NOW + LEASE) == []


def test_a_job_whose_lease_ran_out_is_given_again(job: AnnotationJob) -> None:
    hold_job(job.pk, now=NOW, lease=LEASE)
    later = NOW + LEASE + timedelta(seconds=1)
    assert abandoned_jobs(later) == [job]
    again = hold_job(job.pk, now=later, lease=LEASE)
    assert again is not None
    assert again.attempts == 2


def test_a_worker_that_is_heard_of_keeps_its_job(job: AnnotationJob) -> None:
    hold_job(job.pk, now=NOW, lease=LEASE)
    keep_holding(job.pk, now=NOW + timedelta(seconds=60), lease=LEASE)
    assert hold_job(job.pk, now=NOW + timedelta(seconds=149), lease=LEASE) is None


def test_a_job_ends_once_and_is_not_held_after_that(job: AnnotationJob) -> None:
    assert end_job(job, now=NOW)
    assert not end_job(job, now=NOW)
    assert hold_job(job.pk, now=NOW + 2 * LEASE, lease=LEASE) is None


def test_an_abandoned_job_is_freed_by_one_of_two_that_find_it(job: AnnotationJob) -> None:
    hold_job(job.pk, now=NOW, lease=LEASE)
    later = NOW + 2 * LEASE
    (one,), (other,) = abandoned_jobs(later), abandoned_jobs(later)
    assert free_job(one)
    assert not free_job(other)
