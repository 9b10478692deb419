"""Sites of a test's own: commands run as processes, on a database of their own."""

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from browser_site import PROJECT, free_port

HOST = "share.example.org"
"""What a machine that serves is called."""


@dataclass(frozen=True)
class Answer:
    """What a server said; header names are in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Server:
    """A running server process of a site; ``host`` is the name that it is asked by."""

    port: int
    host: str
    log: Path

    def ask(
        self, path: str, method: str = "GET", body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request(method, path, body, {"Host": self.host, "User-Agent": "Mozilla/5.0", **(headers or {})})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, body)


class Machine:
    """A site of its own, with commands to run and workers to start."""

    def __init__(self, variables: dict[str, str], folder: Path) -> None:
        self.variables = variables
        self._folder = folder

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "manage.py", *arguments], cwd=PROJECT, env=self.variables, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def manage(self, *arguments: str) -> str:
        with self.start(*arguments) as running:
            out, err = running.communicate(timeout=60)
        assert running.returncode == 0, err
        return out

    def publish(self, data: bytes, *options: str) -> str:
        path = self._folder / "session.jsonl"
        path.write_bytes(data)
        return self.manage("publish", str(path), *options).strip()

    def ask(self, code: str) -> Any:
        """What ``code`` prints as JSON."""
        return json.loads(self.manage("shell", "--no-imports", "-c", code))

    @contextmanager
    def serving(self, workers: int = 1, **variables: str) -> Iterator[Server]:
        """A server of this site as it is run for real, with ``workers`` processes."""
        port = free_port()
        log = self._folder / f"server-{port}.log"
        command = [
            sys.executable, "-m", "granian", "shareview.wsgi:application", "--interface", "wsgi", "--no-ws",
            "--host", "127.0.0.1", "--port", str(port), "--workers", str(workers), "--log-level", "warning",
        ]  # fmt: skip
        with log.open("w") as output:
            running = subprocess.Popen(
                command, cwd=PROJECT, env=self.variables | variables, stdout=output, stderr=subprocess.STDOUT
            )
        server = Server(port, urlsplit(self.variables["SHAREVIEW_BASE_URL"]).netloc, log)
        try:
            _wait_for(server, running)
            yield server
        finally:
            running.terminate()
            running.wait(timeout=30)


def _wait_for(server: Server, running: "subprocess.Popen[bytes]") -> None:
    for _ in range(240):
        if running.poll() is not None:
            break
        try:
            if server.ask("/healthz").status == 200:
                return
        except OSError:
            pass
        time.sleep(0.1)
    pytest.fail(f"the server did not come up:\n{server.log.read_text()}")
