"""What a search costs: ``python -m tests.benchmarks.searching``, on the database that ``DATABASE_URL`` names."""

import json
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote

from tests.benchmarks.figures import Figure, write_table
from tests.benchmarks.publishing import session
from tests.benchmarks.serving import run, server

QUERIES: Final = ("what about 5001", "“notes then run”", "page", "nowhere", "缓", "前缀")
SAID: Final = {25: "前缀缓存很快。", 4_997: "缓解。"}
DATABASE: Final = """
import time
from shareview.searching.queries import read_query
from shareview.snapshots.models import Snapshot
from shareview.snapshots.search_rows import find_messages
snapshot = Snapshot.objects.order_by("-message_count").first()
for query in {queries!r}:
    best = 9.0
    for _ in range(20):
        begun = time.perf_counter()
        found = len(find_messages(snapshot, read_query(query)))
        best = min(best, time.perf_counter() - begun)
    print(best * 1000, found)
"""


def figures() -> Iterator[Figure]:
    """Each question by the database alone, and as a page over HTTP, the best of several."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(folder, "migrate", "-v0")
        run(folder, "collectstatic", "--noinput", "-v0")
        export = folder / "session.jsonl"
        records = session(10_000)
        for record in records:
            record["content"] = SAID.get(int(str(record["id"])), record["content"])
        export.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
        variables = {"SHAREVIEW_DATA_DIR": str(folder), "SHAREVIEW_DEMO": "1"}
        with server("shareview.wsgi:application", variables, folder) as (port, _pid):
            base = {"SHAREVIEW_BASE_URL": f"http://127.0.0.1:{port}"}
            link = run(folder, "publish", str(export), **base).strip()
            alone = run(folder, "shell", "-v0", "-c", DATABASE.format(queries=QUERIES), **base).split()
            for query, milliseconds, found in zip(QUERIES, alone[::2], alone[1::2], strict=True):
                seconds = min(_asked(f"{link}search/?q={quote(query)}&try={time_}") for time_ in range(5))
                yield Figure(
                    f"{query}: {found} found; as a page {seconds * 1000:.0f} ms", f"{float(milliseconds):.2f} ms"
                )


def _asked(address: str) -> float:
    begun = time.perf_counter()
    with urllib.request.urlopen(address) as answer:
        answer.read()
    return time.perf_counter() - begun


if __name__ == "__main__":
    write_table("Search in 10,000 messages", figures())
