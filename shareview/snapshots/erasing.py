"""Erasing a snapshot for good: the one way past the triggers, open only while it is gone."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from shareview.snapshots.full_text import forget_words
from shareview.snapshots.models import ErasureGuard, Snapshot

_RELATED = (
    "records",
    "artifacts",
    "files",
    "dropped_citations",
    "traces",
    "annotation_jobs",
    "rendered",
    "threads",
    "quotes",
    "searched",
)


def erase_rows(snapshot: Snapshot, *, reason: str) -> None:
    """Removes all of ``snapshot`` from the database; whatever leads to it must be gone. Call it in a transaction."""
    with _unguarded(reason):
        for related in _RELATED:
            getattr(snapshot, related).all().delete()
        forget_words()
        Snapshot.objects.filter(pk=snapshot.pk).delete()


@contextmanager
def _unguarded(reason: str) -> Iterator[None]:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('shareview.erasing', 'on', true)")
        try:
            yield
        finally:
            # A transaction that failed takes no more statements, and its end switches this off as well.
            if not connection.needs_rollback:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT set_config('shareview.erasing', 'off', true)")
        return
    with transaction.atomic():
        guard = ErasureGuard.objects.create(reason=reason)
        yield
        guard.delete()


@contextmanager
def overwriting() -> Iterator[None]:
    """Has SQLite overwrite what is removed, in its write-ahead log too. PostgreSQL leaves that to VACUUM."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA secure_delete=ON")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA secure_delete=OFF")
            if not connection.in_atomic_block:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
