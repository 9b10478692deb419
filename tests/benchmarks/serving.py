"""What an answer costs: CPU of the server per request over HTTP, beside an empty Django view, in one run.

Run as ``python -m tests.benchmarks.serving``; prints a table. Each figure is the least of five rounds.
"""

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.benchmarks.figures import Figure, write_table
from tests.benchmarks.publishing import session

PROJECT: Final = Path(__file__).resolve().parents[2]
ROUNDS: Final = 5
REQUESTS: Final = 2_000
FEW: Final = 20
READER: Final = {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", "Accept-Language": "en"}


@contextmanager
def server(application: str, variables: Mapping[str, str], folder: Path) -> Iterator[tuple[int, int]]:
    """The port and the pid of a server of ``application``: one worker with one thread."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "granian", application, "--interface", "wsgi", "--no-ws", "--host", "127.0.0.1",
        "--port", str(port), "--workers", "1", "--blocking-threads", "1", "--log-level", "warning",
    ]  # fmt: skip
    environment = {**os.environ, "SHAREVIEW_BASE_URL": f"http://127.0.0.1:{port}", **variables}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.2)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(timeout=20)


def cpu_seconds(pid: int) -> float:
    """Time that the threads of a process and of its children were on a processor so far (Linux, nanoseconds)."""
    total = 0
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if pid in (int(folder.name), parent):
                total += sum(int((task / "schedstat").read_text().split()[0]) for task in (folder / "task").iterdir())
        except OSError:
            continue
    return total / 1e9


def cost(
    port: int, pid: int, path: str, headers: Mapping[str, str], status: int, requests: int = REQUESTS,
    rounds: int = ROUNDS,
) -> float:  # fmt: skip
    """CPU milliseconds of the server per request; ``#`` in ``path`` is another number each time."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    best = float("inf")
    for turn in range(rounds):
        begun = cpu_seconds(pid)
        for number in range(requests):
            connection.request("GET", path.replace("#", f"{turn * requests + number}"), headers=dict(headers))
            answer = connection.getresponse()
            answer.read()
            if answer.status != status:
                raise SystemExit(f"{path} answered {answer.status}, expected {status}")
        best = min(best, (cpu_seconds(pid) - begun) / requests * 1_000)
    connection.close()
    return best


def run(folder: Path, *arguments: str, **variables: str) -> str:
    """What a command of the site printed."""
    environment = {**os.environ, "SHAREVIEW_DATA_DIR": str(folder), **variables}
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=PROJECT, env=environment, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    return done.stdout


def etag(port: int, path: str, headers: Mapping[str, str]) -> str:
    """The tag that the page has; asked twice, for the first answer may come from behind the gate."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for _ in range(2):
        connection.request("GET", path, headers=dict(headers))
        answer = connection.getresponse()
        answer.read()
    connection.close()
    return answer.headers["ETag"]


def figures() -> Iterator[Figure]:
    """Each kind of answer beside an empty Django view, all in one run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with server("tests.benchmarks.empty_site:application", {}, folder) as (port, pid):
            empty = cost(port, pid, "/", READER, 200)
        with server("tests.benchmarks.empty_site:nothing", {}, folder) as (port, pid):
            nothing = cost(port, pid, "/", READER, 200)
        yield Figure("an empty Django view, two middlewares", f"{empty:.3f} ms", 1.0)
        yield Figure("the server itself: an application of one line", f"{nothing:.3f} ms", nothing / empty)
        run(folder, "migrate", "-v0")
        run(folder, "collectstatic", "--noinput", "-v0")
        export = folder / "session.jsonl"
        export.write_text("".join(json.dumps(record) + "\n" for record in session(100)), encoding="utf-8")
        variables = {"SHAREVIEW_DATA_DIR": str(folder), "SHAREVIEW_DEMO": "1"}
        with server("shareview.wsgi:application", variables, folder) as (port, pid):
            yield from _of_share(folder, export, port, pid, empty, nothing)


def _of_share(folder: Path, export: Path, port: int, pid: int, empty: float, nothing: float) -> Iterator[Figure]:
    base = {"SHAREVIEW_BASE_URL": f"http://127.0.0.1:{port}"}
    live, ended = (run(folder, "publish", str(export), **base).strip() for _ in range(2))
    run(folder, "revoke", ended)
    path, gone = (f"/s/{link.split('/s/')[1]}" for link in (live, ended))
    packed = {**READER, "Accept-Encoding": "br, gzip"}
    known = {**packed, "If-None-Match": etag(port, path, packed)}
    plain = {**READER, "Accept-Encoding": "identity"}
    why = f"the server itself takes {nothing / empty:.2f} ×"
    gate = 0.0
    for title, where, headers, status, most in (
        ("page, as composed", path, packed, 200, 0.4),
        ("304", path, known, 304, 0.35),
        ("410", gone, packed, 410, 0.35),
    ):
        # What answers first may come from behind the gate.
        cost(port, pid, where, headers, status, 3)
        found = cost(port, pid, where, headers, status)
        gate = gate or found
        yield Figure(title, f"{found:.3f} ms", found / empty, most, why=why)
    cost(port, pid, f"{path}?open=4.steps", packed, 200, 3)
    kept = cost(port, pid, f"{path}?open=4.steps", packed, 200, FEW)
    yield Figure("page in another state, from the cache", f"{kept:.3f} ms", kept / empty)
    filled = cost(port, pid, f"{path}?other=#", plain, 200, FEW)
    yield Figure(
        "page, its template filled per request, beside the composed one", f"{filled:.1f} ms", filled / gate, least=30
    )


if __name__ == "__main__":
    write_table("Serving: CPU of the server a request", figures())
