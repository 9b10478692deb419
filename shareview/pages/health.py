"""Whether the site can serve, for whatever looks at it now and then."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from shareview.shares.limits import is_shared_storage_there
from shareview.shares.models import Share


@dataclass(frozen=True)
class Health:
    """What is wrong: ``faults`` keep the site from serving, ``warnings`` do not. No addresses."""

    faults: Sequence[str] = ()
    warnings: Sequence[str] = ()


def check_health() -> Health:
    """Looks at the database, its tables, and the cache that processes share."""
    warnings = (
        () if is_shared_storage_there() else ("the shared cache does not answer: each process counts tries alone",)
    )
    try:
        Share.objects.exists()
        _require_migrated()
    except DatabaseError:
        return Health(("the database does not answer, or lacks its tables",), warnings)
    except _BehindError as behind:
        return Health((str(behind),), warnings)
    return Health(warnings=warnings)


class _BehindError(Exception):
    """The database is older than the program."""


@cache
def _require_migrated() -> None:
    # Looked at until it is so: tables do not go back while a process runs.
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if waiting:
        raise _BehindError(f"{len(waiting)} migrations are not applied: run manage.py migrate")
