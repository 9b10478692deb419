"""Fixtures that all tests share."""

import pytest
from django.conf import LazySettings
from django.core.cache import caches
from django.test import Client
from sessions import ACTOR, NOW, TOKEN_KEY, FreezeRecords, PublishRecords, Records, freeze_bytes, jsonl, sample

from shareview.shares.limits import forget_tries
from shareview.shares.models import Share
from shareview.shares.publish import ShareTerms, publish_snapshot
from shareview.shares.view_counts import VIEWS
from shareview.snapshots.freezing import Freeze

pytest_plugins = ["servers"]


@pytest.fixture(autouse=True)
def _plain_static_files(settings: LazySettings, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Templates name static files without a manifest: tests do not collect them."""
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.STATIC_ROOT = tmp_path_factory.getbasetemp()
    settings.SHAREVIEW_TOKEN_KEY = TOKEN_KEY
    settings.ALLOWED_HOSTS = ["testserver", "127.0.0.1"]
    # A tenth of a second a password is for attackers.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    forget_tries()
    caches["pages"].clear()
    VIEWS.forget()


@pytest.fixture
def freeze(db: None) -> FreezeRecords:
    """Freezes records, or a sample by its name."""

    def freeze_them(source: Records | str, **options: object) -> Freeze:
        return freeze_bytes(sample(source) if isinstance(source, str) else jsonl(source), **options)

    return freeze_them


@pytest.fixture
def publish(freeze: FreezeRecords) -> PublishRecords:
    """Publishes records, or a sample by its name, under ``terms``."""

    def publish_them(source: Records | str, terms: ShareTerms | None = None, **options: object) -> Share:
        snapshot = freeze(source, **options).snapshot
        return publish_snapshot(snapshot, terms or ShareTerms(), actor=ACTOR, now=NOW, token_key=TOKEN_KEY)[0]

    return publish_them


@pytest.fixture
def reader() -> Client:
    """A reader's browser without JavaScript."""
    return Client(headers={"accept-language": "en"})
