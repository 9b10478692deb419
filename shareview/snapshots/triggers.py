"""The database itself refuses to change frozen rows.

UPDATE never passes. DELETE passes only while somebody erases on purpose: on PostgreSQL under
``shareview.erasing``, on SQLite with a row in the guard table. Two holes are closed elsewhere: SQLite's
``INSERT OR REPLACE`` by ``recursive_triggers`` in the connection's settings, and PostgreSQL's TRUNCATE here.
A later migration that alters one of these tables must repeat ``RefuseChanges``: SQLite rebuilds the table and
drops its triggers.
"""

from typing import Any, Final

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

REFUSAL: Final = "frozen records do not change"

_ERASING: Final = "IF TG_OP = 'DELETE' AND current_setting('shareview.erasing', true) = 'on' THEN RETURN OLD; END IF;"


def _postgresql_function(name: str, exception: str) -> str:
    return f"""
CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    {exception}
    IF TG_OP = 'TRUNCATE' AND current_setting('shareview.truncating', true) = 'on' THEN RETURN NULL; END IF;
    RAISE EXCEPTION '{REFUSAL}';
END $$"""


def trigger_names(table: str, vendor: str) -> set[str]:
    """The triggers that protect ``table`` on a database of ``vendor``."""
    kinds = {"update", "delete"} | ({"truncate"} if vendor == "postgresql" else set())
    return {f"refuse_{kind}_{table}" for kind in kinds}


def _sqlite(table: str, is_erasable: bool) -> list[str]:
    refuse = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
    unguarded = "WHEN NOT EXISTS (SELECT 1 FROM snapshots_erasureguard)" if is_erasable else ""
    return [
        f"CREATE TRIGGER IF NOT EXISTS refuse_update_{table} BEFORE UPDATE ON {table} {refuse}",
        f"CREATE TRIGGER IF NOT EXISTS refuse_delete_{table} BEFORE DELETE ON {table} {unguarded} {refuse}",
    ]


def _postgresql(table: str, is_erasable: bool) -> list[str]:
    name, exception = ("shareview_refuse", _ERASING) if is_erasable else ("shareview_refuse_always", "")
    statements = [_postgresql_function(name, exception)]
    for kind, level in (("update", "ROW"), ("delete", "ROW"), ("truncate", "STATEMENT")):
        statements += [
            f"DROP TRIGGER IF EXISTS refuse_{kind}_{table} ON {table}",
            (
                f"CREATE TRIGGER refuse_{kind}_{table} BEFORE {kind.upper()} ON {table} "
                f"FOR EACH {level} EXECUTE FUNCTION {name}()"
            ),
        ]
    return statements


class RefuseChanges(Operation):
    """Puts the triggers on ``tables``; repeat it after each migration that alters one of them.

    Rows of tables that are not ``is_erasable`` never go, whoever asks.
    """

    reversible = True

    def __init__(self, tables: tuple[str, ...], *, is_erasable: bool = True) -> None:
        self.tables = tables
        self.is_erasable = is_erasable

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return (type(self).__name__, [], {"tables": self.tables, "is_erasable": self.is_erasable})

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Triggers are no part of the models."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        make = {"sqlite": _sqlite, "postgresql": _postgresql}[schema_editor.connection.vendor]
        for table in self.tables:
            for statement in make(table, self.is_erasable):
                schema_editor.execute(statement, params=None)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        vendor = schema_editor.connection.vendor
        for table in self.tables:
            for name in trigger_names(table, vendor):
                on = f" ON {table}" if vendor == "postgresql" else ""
                schema_editor.execute(f"DROP TRIGGER IF EXISTS {name}{on}", params=None)

    def describe(self) -> str:
        return f"Refuse changes to {', '.join(self.tables)}"
