"""Servers beside the site that tests run on: databases of their own, Redis."""

import os
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from browser_site import environment, free_port
from machines import HOST, Machine

REDIS = shutil.which("redis-server")


@pytest.fixture
def database() -> Iterator[str]:
    """The address of an empty PostgreSQL database where this run is on one, else nothing."""
    with empty_database() as address:
        yield address


@pytest.fixture
def other_database() -> Iterator[str]:
    """The address of another one."""
    with empty_database() as address:
        yield address


@contextmanager
def empty_database() -> Iterator[str]:
    """A database of its own for a while."""
    server = os.environ.get("DATABASE_URL", "")
    if not server.startswith("postgres"):
        yield ""
        return
    name = f"machine_{secrets.token_hex(4)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(scope="session")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The static files as they are served for real."""
    folder = tmp_path_factory.mktemp("collected")
    machine = Machine(environment(folder, f"http://{HOST}"), folder)
    machine.manage("collectstatic", "--noinput", "--verbosity", "0")
    return folder / "static"


@pytest.fixture
def serving_machine(tmp_path: Path, database: str, collected: Path) -> Machine:
    """A site that can be served for real, on the database of this run."""
    machine = Machine(serving_variables(tmp_path, database), tmp_path)
    shutil.copytree(collected, tmp_path / "static")
    machine.manage("migrate", "--verbosity", "0")
    return machine


def serving_variables(folder: Path, database: str) -> dict[str, str]:
    """The environment of a site that is served for real."""
    variables = environment(folder, f"http://{HOST}") | {"SECRET_KEY": "k" * 60, "ALLOWED_HOSTS": HOST}
    return variables | ({"DATABASE_URL": database} if database else {})


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[str]:
    """The address of a Redis server of the test's own."""
    if REDIS is None:
        if os.environ.get("SHAREVIEW_REQUIRE_SERVERS"):
            pytest.fail("redis-server is missing")
        pytest.skip("redis-server is missing (apt-get install redis-server)")
    port = free_port()
    command = [REDIS, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        running.terminate()
        running.wait(timeout=20)
