"""What can be measured of a running site, in Prometheus's form. No label names a share, a reader or an address."""

import os
from collections.abc import Iterator
from datetime import datetime
from functools import cache

from django.conf import settings
from django.db.models import Count, Min
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from shareview.shares.models import AuditEntry, Share, ShareState
from shareview.snapshots.models import AnnotationJob, RenderedMessage

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
_KINDS = {"s": "share", "embed": "embed", "preview": "preview", "admin": "admin", "api": "api", "static": "static"}


@cache
def _answers() -> tuple[Counter, Histogram]:
    registry = CollectorRegistry()
    answers = Counter("shareview_answers", "Answers", ["kind", "status"], registry=registry)
    seconds = Histogram(
        "shareview_answer_seconds", "Until an answer begins", ["kind"], buckets=_SECONDS, registry=registry
    )
    return answers, seconds


def count_answer(path: str, status: int, seconds: float) -> None:
    """Counts one answer of this process; all processes of a machine are added up when they are asked for."""
    kind = _KINDS.get(path.strip("/").partition("/")[0], "other")
    answers, durations = _answers()
    answers.labels(kind, str(status)).inc()
    durations.labels(kind).observe(seconds)


def gather_metrics(*, now: datetime) -> bytes:
    """All figures as text: answers of this machine's processes, and what the database holds."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry, os.fspath(settings.SHAREVIEW_METRICS_DIR))  # type: ignore[no-untyped-call] # typed but for this
    registry.register(_Stored(now))
    return generate_latest(registry)


class _Stored(Collector):
    """What the database holds: the same on every machine."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def collect(self) -> Iterator[Metric]:
        """One family a figure."""
        yield self._shares()
        yield _acts()
        yield from self._annotations()
        faults = RenderedMessage.objects.exclude(fault="").count()
        yield GaugeMetricFamily("shareview_messages_shown_as_text", "Messages that could not be rendered", faults)

    def _shares(self) -> Metric:
        family = GaugeMetricFamily("shareview_shares", "Links by state", labels=["state"])
        for state in ShareState:
            family.add_metric([str(state.value)], Share.objects.in_state(state, self._now).count())
        return family

    def _annotations(self) -> Iterator[Metric]:
        waiting = AnnotationJob.objects.filter(finished_at__isnull=True)
        found = waiting.aggregate(count=Count("pk"), oldest=Min("requested_at"))
        age = (self._now - found["oldest"]).total_seconds() if found["oldest"] else 0.0
        yield GaugeMetricFamily(
            "shareview_annotations_waiting", "Answers whose citations are to be made", found["count"]
        )
        yield GaugeMetricFamily("shareview_annotations_oldest_seconds", "How long the oldest of them waits", age)


def _acts() -> Metric:
    family = GaugeMetricFamily("shareview_acts", "What was done, by the audit trail", labels=["action"])
    for action, count in AuditEntry.objects.order_by().values_list("action").annotate(count=Count("pk")):
        family.add_metric([action], count)
    return family
