"""The running site, as the browser tests see it."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


@dataclass
class Site:
    """A running demo: ``links`` by the name of their sample."""

    url: str
    links: dict[str, str]
    data_dir: Path

    def manage(self, *arguments: str, **variables: str) -> str:
        """What one of the site's commands printed on standard output, with more ``variables`` in its environment."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=PROJECT,
            env=environment(self.data_dir, self.url) | variables, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout

    def publish_locked(self, sample: str, password: str, *options: str) -> str:
        """The link of a sample that asks for ``password``."""
        command = ["publish", f"shareview/shares/samples/{sample}", "--password-stdin", *options]
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=PROJECT, env=environment(self.data_dir, self.url), input=f"{password}\n", capture_output=True,
            text=True, check=True,
        )  # fmt: skip
        return done.stdout.strip()

    def refusal(self, *arguments: str) -> str:
        """What one of the site's commands said when it refused."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=PROJECT, env=environment(self.data_dir, self.url),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 1, done.stdout
        return done.stderr


def environment(data_dir: Path, url: str) -> dict[str, str]:
    """The environment of a command of the site whose data lie in ``data_dir``."""
    inherited = {name: value for name, value in os.environ.items() if name not in ("SECRET_KEY", "DATABASE_URL")}
    return {**inherited, "SHAREVIEW_DATA_DIR": str(data_dir), "SHAREVIEW_BASE_URL": url, "PYTHONWARNINGS": "default"}


@contextmanager
def running_demo(data_dir: Path, **variables: str) -> Iterator[Site]:
    """The demo on a free port, with its data in ``data_dir`` and more ``variables`` in its environment."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    log = data_dir / "log"
    with log.open("w") as output:
        server = subprocess.Popen(
            [sys.executable, "manage.py", "demo", "--port", str(port)], cwd=PROJECT, stdout=output,
            stderr=subprocess.STDOUT, env=environment(data_dir, url) | variables,
        )  # fmt: skip
    try:
        _wait_for(f"{url}/healthz", server, log)
        links = re.findall(r"http://\S+/s/\S+", log.read_text())
        names = sorted(path.name.split(".")[0] for path in (PROJECT / "shareview/shares/samples").glob("*.jsonl"))
        yield Site(url, dict(zip(names, links, strict=True)), data_dir)
    finally:
        server.terminate()
        server.wait(timeout=20)


def free_port() -> int:
    """A port on this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(address: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    for _ in range(240):
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address):
                return
        except OSError:
            time.sleep(0.25)
    pytest.fail(f"the demo did not come up:\n{log.read_text()}")
