"""What looking a link up costs among 10, 10,000 and 100,000 links: ``python -m tests.benchmarks.growing``."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from tests.benchmarks.figures import Figure, write_table
from tests.benchmarks.publishing import session
from tests.benchmarks.serving import READER, ROUNDS, cost, etag, run, server

ROWS: Final = (10, 10_000, 100_000)
FILL: Final = """
import copy
from shareview.pages.models import ComposedPage
from shareview.shares.models import Share
share = Share.objects.order_by("pk").first()
page = share.composed_pages.first()
have = Share.objects.count()
for start in range(have, {rows}, 1000):
    made = []
    for number in range(start, min(start + 1000, {rows})):
        share.pk, share.public_id = None, f"s-{{number}}"
        share.nonce = share.token_hash = f"{{number:064x}}"
        made.append(copy.copy(share))
    made = Share.objects.bulk_create(made)
    ComposedPage.objects.bulk_create(
        ComposedPage(share=one, view=page.view, language="en", version=page.version, shown=page.shown,
                     token_hash=one.token_hash, etag=page.etag, gzip=b"x" * 200, brotli=b"x" * 200)
        for one in made)
"""


def memory(pid: int) -> float:
    """Megabytes that the workers of a server hold (resident, without what they share)."""
    total = 0.0
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
                rollup = (folder / "smaps_rollup").read_text() if parent == pid else ""
            except OSError:
                continue
            total += sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Private_")) / 1024
    return total


def figures() -> Iterator[Figure]:
    """CPU a request, and memory, by the number of links; the servers are asked by turns."""
    packed = {**READER, "Accept-Encoding": "br, gzip"}
    with tempfile.TemporaryDirectory() as name, ExitStack() as servers:
        sites = []
        for rows in ROWS:
            folder = Path(name) / str(rows)
            port, pid = servers.enter_context(_site(folder))
            base = {"SHAREVIEW_BASE_URL": f"http://127.0.0.1:{port}"}
            link = run(folder, "publish", str(folder / "session.jsonl"), **base).strip()
            run(folder, "shell", "-c", FILL.format(rows=rows), **base)
            path = f"/s/{link.split('/s/')[1]}"
            etag(port, path, packed)
            sites.append((port, pid, path))
        rounds = [[cost(*site, packed, 200, rounds=1) for site in sites] for _ in range(2 * ROUNDS)]
        costs = [min(one) for one in zip(*rounds, strict=True)]
        held = [memory(pid) for _port, pid, _path in sites]
        for rows, milliseconds, megabytes in zip(ROWS, costs, held, strict=True):
            yield Figure(f"page among {rows:,} links", f"{milliseconds:.3f} ms", milliseconds / costs[0], 1.1)
            yield Figure(f"memory of a worker, {rows:,} links", f"{megabytes:.0f} MB", megabytes / held[0], 1.1)


@contextmanager
def _site(folder: Path) -> Iterator[tuple[int, int]]:
    folder.mkdir()
    run(folder, "migrate", "-v0")
    run(folder, "collectstatic", "--noinput", "-v0")
    export = folder / "session.jsonl"
    export.write_text("".join(json.dumps(record) + "\n" for record in session(100)), encoding="utf-8")
    with server(
        "shareview.wsgi:application", {"SHAREVIEW_DATA_DIR": str(folder), "SHAREVIEW_DEMO": "1"}, folder
    ) as one:
        yield one


if __name__ == "__main__":
    write_table("Looking a link up among many: CPU of the server a request", figures())
