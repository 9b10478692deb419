"""A real browser against the real server, started as a newcomer starts it: with the demo command."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser_site import PROJECT, Site, environment
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what needs a browser; without one it is skipped, unless a browser is required."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None and not os.environ.get("SHAREVIEW_REQUIRE_BROWSER"):
                item.add_marker(pytest.mark.skip(reason="no chromium on PATH"))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The demo, on a port and in a directory of its own."""
    data_dir, port = tmp_path_factory.mktemp("demo"), _free_port()
    url = f"http://127.0.0.1:{port}"
    log = data_dir / "log"
    with log.open("w") as output:
        server = subprocess.Popen(
            [sys.executable, "manage.py", "demo", "--port", str(port)], cwd=PROJECT, stdout=output,
            stderr=subprocess.STDOUT, env=environment(data_dir, url),
        )  # fmt: skip
    try:
        _wait_for(f"{url}/healthz", server, log)
        links = re.findall(r"http://\S+/s/\S+", log.read_text())
        names = sorted(path.name.split(".")[0] for path in (PROJECT / "shareview/shares/samples").glob("*.jsonl"))
        yield Site(url, dict(zip(names, links, strict=True)), data_dir)
    finally:
        server.terminate()
        server.wait(timeout=20)


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


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window."""
    assert CHROMIUM is not None, "a browser is required and there is no chromium on PATH"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield running
        running.close()
