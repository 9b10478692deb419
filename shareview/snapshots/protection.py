"""Are the triggers there that keep frozen rows as they are?"""

from collections.abc import Iterable

from django.db import connection

from shareview.snapshots.triggers import trigger_names


def missing_triggers(tables: Iterable[str]) -> list[str]:
    """The names of triggers protecting ``tables`` that the database does not have."""
    wanted = {name for table in tables for name in trigger_names(table, connection.vendor)}
    query = (
        "SELECT tgname FROM pg_trigger WHERE tgenabled <> 'D'"
        if connection.vendor == "postgresql"
        else "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        found = {row[0] for row in cursor.fetchall()}
    return sorted(wanted - found)
