"""A copy of the embedded database, while the site runs."""

import os
import sqlite3
from pathlib import Path

from django.db import connection

_PAGES_AT_ONCE = 2_000


class BackupError(Exception):
    """No copy was made, and why."""


def back_up_database(path: Path) -> None:
    """Writes a whole and consistent copy to ``path``, which only its owner may read; those who write go on.

    The copy is there once it is whole, never before. Raises BackupError where the database is a server's, or where
    ``path`` is there already or cannot be written.
    """
    if connection.vendor != "sqlite":
        raise BackupError("this database is a server's: back it up with pg_dump (README, “Backup and restore”)")
    if path.exists():
        raise BackupError(f"{path} is there already")
    connection.ensure_connection()
    growing = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        growing.touch(mode=0o600)
        with sqlite3.connect(growing) as copy:
            connection.connection.backup(copy, pages=_PAGES_AT_ONCE)
        copy.close()
        growing.replace(path)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"{path} could not be written: {error}") from None
    finally:
        growing.unlink(missing_ok=True)
