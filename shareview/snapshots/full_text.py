"""Full-text search in the database itself: FTS5 on SQLite, a GIN index on PostgreSQL."""

from typing import TYPE_CHECKING, Any, Final

from django.db import connection, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models.sql.compiler import SQLCompiler

_OUT: Final = "INSERT INTO searched_words(searched_words, rowid, words) VALUES ('delete', old.id, old.words);"
_IN: Final = "INSERT INTO searched_words(rowid, words) VALUES (new.id, new.words);"
_FORWARDS: Final = {
    # A table of its own, which triggers keep like that of the pieces.
    "sqlite": (
        """CREATE VIRTUAL TABLE searched_words
        USING fts5(words, content='snapshots_searchedpiece', content_rowid='id', tokenize='ascii')""",
        f"CREATE TRIGGER searched_words_insert AFTER INSERT ON snapshots_searchedpiece BEGIN {_IN} END",
        f"CREATE TRIGGER searched_words_delete AFTER DELETE ON snapshots_searchedpiece BEGIN {_OUT} END",
        f"CREATE TRIGGER searched_words_update AFTER UPDATE ON snapshots_searchedpiece BEGIN {_OUT} {_IN} END",
    ),
    # A column of its own: the index knows no places, so each row is looked at for a phrase.
    "postgresql": (
        """ALTER TABLE snapshots_searchedpiece ADD COLUMN searched_words tsvector
        GENERATED ALWAYS AS (to_tsvector('simple', words)) STORED""",
        "CREATE INDEX searched_words ON snapshots_searchedpiece USING gin (searched_words)",
    ),
}
_BACKWARDS: Final = {
    "sqlite": (
        "DROP TRIGGER searched_words_insert",
        "DROP TRIGGER searched_words_delete",
        "DROP TRIGGER searched_words_update",
        "DROP TABLE searched_words",
    ),
    "postgresql": ("ALTER TABLE snapshots_searchedpiece DROP COLUMN searched_words",),
}
_MATCHES: Final = "{row} IN (SELECT rowid FROM searched_words WHERE searched_words MATCH {asked})"

if TYPE_CHECKING:
    _Text = models.TextField[str, str]
    _Lookup = models.Lookup[str]
else:
    _Text, _Lookup = models.TextField, models.Lookup


class WordsField(_Text):
    """Words as ``searching.index_terms`` spells them; ``matches`` takes a question in the database's own form."""


@WordsField.register_lookup
class Matches(_Lookup):
    """Whether the words are what a question asks for."""

    lookup_name = "matches"

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        """By the table of FTS5."""
        column, _none = self.process_lhs(compiler, connection)
        asked, parameters = self.process_rhs(compiler, connection)
        row = column.replace('"words"', '"id"')
        return _MATCHES.format(row=row, asked=asked), parameters

    def as_postgresql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, Any]:
        """By the column that holds the words as PostgreSQL has them."""
        column, _none = self.process_lhs(compiler, connection)
        asked, parameters = self.process_rhs(compiler, connection)
        found = column.replace('"words"', '"searched_words"')
        return f"{found} @@ to_tsquery('simple', {asked})", parameters


class IndexWords(Operation):
    """Makes the full-text index; repeat it after a migration that alters the table of searched pieces."""

    reversible = True

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """The index is no part of the models."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for statement in _FORWARDS[schema_editor.connection.vendor]:
            schema_editor.execute(statement, params=None)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for statement in _BACKWARDS[schema_editor.connection.vendor]:
            schema_editor.execute(statement, params=None)

    def describe(self) -> str:
        return "Index the words that are searched"


def forget_words() -> None:
    """Has SQLite write its index anew without the words of rows that are gone, which it keeps until then."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO searched_words(searched_words) VALUES ('optimize')")
