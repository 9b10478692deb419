"""The API of the running site: long and broken uploads, the same request twice at once, all that is described."""

import base64
import http.client
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from browser_site import PROJECT, Site, running_demo
from sessions import jsonl, turn

MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_demo(tmp_path_factory.mktemp("api"), SHAREVIEW_UPLOAD_MB="250") as site:
        yield site


@pytest.fixture(scope="module")
def key(site: Site) -> str:
    return site.manage("make_api_key", "admin").strip()


def ask(
    site: Site, key: str, path: str, body: bytes | Iterator[bytes], length: int = -1, **headers: str
) -> tuple[int, Any]:
    """Status and JSON of a POST."""
    sent = {
        "Authorization": f"Bearer {key}",
        "Content-Length": str(length if length >= 0 else len(body)),  # type: ignore[arg-type] # bytes, where no length is given
        "Content-Type": "application/jsonl",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    with connected(site) as connection:
        connection.request("POST", f"/api{path}", body, sent)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


@contextmanager
def connected(site: Site) -> Iterator[http.client.HTTPConnection]:
    """A connection to the site."""
    host = urlsplit(site.url)
    connection = http.client.HTTPConnection(host.hostname or "", host.port, timeout=280)
    try:
        yield connection
    finally:
        connection.close()


def snapshots(site: Site) -> int:
    """How many frozen sessions there are."""
    with closing(sqlite3.connect(site.data_dir / "shareview.sqlite3")) as database:
        return int(database.execute("SELECT count(*) FROM snapshots_snapshot").fetchone()[0])


def long_export() -> tuple[list[bytes], int]:
    """An export of 200 MB: messages with much text, and pictures."""
    picture = base64.b64encode(b"\x89PNG\r\n\x1a\n" + os.urandom(5_850_000)).decode()
    lines = []
    for first in range(1, 97, 4):
        records = turn("An answer[^1^].", first=first)
        attached = {"name": f"{first}.png", "media_type": "image/png", "data": f"data:image/png;base64,{picture}"}
        records[0]["metadata"] = {"attachments": [attached]}
        records[2]["content"] = json.dumps(
            {"results": [{"title": "T", "url": "https://a.example/", "content": "word " * 90_000}]}
        )
        lines.append(jsonl(records))
    total = sum(map(len, lines))
    assert 195 * MEGABYTE < total < 205 * MEGABYTE
    return lines, total


def test_an_upload_of_200_megabytes_is_frozen(site: Site, key: str) -> None:
    lines, total = long_export()
    status, frozen = ask(site, key, "/snapshots", iter(lines), total)
    assert status == 201, frozen
    assert frozen["messages"] == 96


def test_an_upload_beyond_the_bound_is_refused_at_once(site: Site, key: str) -> None:
    host = urlsplit(site.url)
    with socket.create_connection((host.hostname, host.port or 0), timeout=20) as connection:
        connection.sendall(
            f"POST /api/snapshots HTTP/1.1\r\nHost: {host.netloc}\r\nAuthorization: Bearer {key}\r\n"
            f"Content-Length: {300 * MEGABYTE}\r\nConnection: close\r\n\r\n".encode()
        )
        assert b" 413 " in connection.recv(1000)


@pytest.mark.parametrize("sent", [0, 1, 500_000])
def test_an_upload_that_is_cut_off_in_the_middle_leaves_nothing(site: Site, key: str, sent: int) -> None:
    before = snapshots(site)
    body = jsonl(turn(f"Cut off after {sent}. " + "word " * 200_000))
    host = urlsplit(site.url)
    with socket.create_connection((host.hostname, host.port or 0), timeout=20) as connection:
        connection.sendall(
            f"POST /api/snapshots HTTP/1.1\r\nHost: {host.netloc}\r\nAuthorization: Bearer {key}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body[:sent]
        )
    assert ask(site, key, "/snapshots", b"{")[0] == 422
    assert snapshots(site) == before
    # The site goes on, and the whole of it can be sent then.
    assert ask(site, key, "/snapshots", body)[0] == 201


def test_a_body_without_a_length_is_refused(site: Site, key: str) -> None:
    with connected(site) as connection:
        connection.request("POST", "/api/snapshots", iter([jsonl(turn("A."))]), {"Authorization": f"Bearer {key}"})
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Content-Type"]) == (411, "application/problem+json")


def test_the_same_idempotency_key_twice_at_once_publishes_once(site: Site, key: str) -> None:
    frozen = ask(site, key, "/snapshots", jsonl(turn("Twice at once.")))[1]
    terms = json.dumps({"frozen": frozen["frozen"], "title": "Twice at once"}).encode()

    def publish(_: int) -> tuple[int, Any]:
        return ask(site, key, "/shares", terms, Idempotency_Key="once", Content_Type="application/json")

    with ThreadPoolExecutor(8) as many:
        answers = list(many.map(publish, range(16)))
    assert {status for status, _ in answers} <= {200, 201, 409}
    assert [status for status, _ in answers].count(201) == 1
    ids = {told["shares"][0]["id"] for status, told in answers if status != 409}
    assert len(ids) == 1
    assert site.manage("shares").count("Twice at once") == 1
    assert publish(0) == (200, next(told for status, told in answers if status == 201))


def test_the_same_upload_twice_at_once_is_frozen_once(site: Site, key: str) -> None:
    body, before = jsonl(turn("Sent twice. " + "word " * 20_000)), snapshots(site)
    with ThreadPoolExecutor(2) as two:
        answers = list(two.map(lambda _: ask(site, key, "/snapshots", body, Idempotency_Key="upload"), range(2)))
    assert sorted(status for status, _ in answers) in ([201, 409], [200, 201])
    assert snapshots(site) == before + 1
    again, frozen = ask(site, key, "/snapshots", body, Idempotency_Key="upload")
    assert (again, frozen["digest"]) == (200, next(told["digest"] for status, told in answers if status == 201))


def test_everything_that_is_described_is_answered_as_described(site: Site, tmp_path: Path) -> None:
    """No 500, no answer that the description lacks, whatever is asked."""
    key = site.manage("make_api_key", "admin", "--name", "schemathesis").strip()
    done = subprocess.run(
        [
            str(Path(sys.executable).with_name("schemathesis")), "run", f"{site.url}/api/openapi.json",
            "--header", f"Authorization: Bearer {key}", "--checks", "all", "--max-examples", "25", "--seed", "8",
            "--phases", "examples,coverage,fuzzing", "--request-timeout", "60",
            "--exclude-checks", "positive_data_acceptance",
        ],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=280,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6_000:]


def test_the_example_of_the_readme_publishes_and_revokes(site: Site, key: str, tmp_path: Path) -> None:
    readme = (PROJECT / "README.md").read_text()
    (example,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert len(example.strip().splitlines()) <= 22
    (tmp_path / "session.jsonl").write_bytes(jsonl(turn("Token: ghp_" + "aB3dE6gH9" * 4)))
    (tmp_path / "example.py").write_text(example)
    variables = {**os.environ, "SHAREVIEW": site.url, "SHAREVIEW_KEY": key}
    done = subprocess.run(
        [sys.executable, "example.py"], cwd=tmp_path, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "github-token" in done.stdout
    (link,) = re.findall(rf"{site.url}/s/\S+", done.stdout)
    with connected(site) as connection:
        connection.request("GET", urlsplit(link).path)
        assert connection.getresponse().status == 410
