"""Fixtures of tests that run commands as processes."""

import os
import secrets
from collections.abc import Iterator
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest


@pytest.fixture
def database() -> Iterator[str]:
    """The address of an empty PostgreSQL database where this run is on one, else nothing."""
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        yield ""
        return
    name = f"machine_{secrets.token_hex(4)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
