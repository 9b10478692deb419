"""Whoever watches the site is told whether it can serve, and in a word why not."""

from collections.abc import Iterator
from typing import NoReturn

import pytest
from django.db import OperationalError
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from limits.storage import MemoryStorage

from shareview.pages import health
from shareview.shares.models import Share


@pytest.fixture(autouse=True)
def _looked_at_anew() -> Iterator[None]:
    health._require_migrated.cache_clear()
    yield
    health._require_migrated.cache_clear()


def test_a_site_that_can_serve_says_so(reader: Client, db: None) -> None:
    answer = reader.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert answer["Cache-Control"] == "no-store"


def test_a_database_that_does_not_answer_is_told(reader: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*args: object) -> NoReturn:
        raise OperationalError("connection to 10.1.2.3 refused for user shareview")

    monkeypatch.setattr(Share.objects, "exists", gone, raising=False)
    answer = reader.get("/healthz")
    assert (answer.status_code, answer.content) == (503, b"the database does not answer, or lacks its tables\n")


def test_a_database_older_than_the_program_is_told(reader: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *args: [("one", False), ("two", False)])
    answer = reader.get("/healthz")
    assert answer.status_code == 503
    assert answer.content == b"2 migrations are not applied: run manage.py migrate\n"
    monkeypatch.undo()
    assert reader.get("/healthz").status_code == 200, "it was looked at again"


def test_without_the_shared_cache_the_site_serves_and_says_what_is_missing(
    reader: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MemoryStorage, "check", lambda self: False)
    answer = reader.get("/healthz")
    assert answer.status_code == 200
    assert answer.content.decode().splitlines() == [
        "ok", "the shared cache does not answer: each process counts tries alone",
    ]  # fmt: skip
