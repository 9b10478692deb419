"""Are the triggers there that keep frozen rows as they are?"""

from django.db import connection

from shareview.snapshots.models import FACT_TABLES
from shareview.snapshots.triggers import trigger_names


def missing_triggers() -> list[str]:
    """The names of protecting triggers that the database does not have."""
    wanted = {name for table in FACT_TABLES for name in trigger_names(table, connection.vendor)}
    query = (
        "SELECT tgname FROM pg_trigger WHERE tgenabled <> 'D'"
        if connection.vendor == "postgresql"
        else "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        found = {row[0] for row in cursor.fetchall()}
    return sorted(wanted - found)
