"""What publishing costs: CPU a message and peak memory, by length of session.

Run as ``python -m tests.benchmarks.publishing``; prints one line a length. Uses a database of its own.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import bleach
import markdown

from tests.benchmarks.figures import Figure, write_table

LENGTHS = (100, 1_000, 10_000)
WHY = "it also checks, freezes, indexes, searches for secrets and composes two languages"
ANSWER = """## Step {n}

The page says that **version {n}** came out on day {n}[^1^], and that the old one stays for a year[^2^].

- first, read the notes[^1^]
- then run `tool --to {n}`

| what | value |
| --- | ---: |
| before | {n} |
| after | {n}[^2^] |

```python
for step in range({n}):
    print(step, "done")
```
"""


def session(messages: int) -> list[dict[str, object]]:
    """A session of ``messages`` messages, four a turn."""
    records: list[dict[str, object]] = []
    for first in range(1, messages, 4):
        pages = [
            {"title": f"Page {k}", "url": f"https://p{k}.example/{first}", "content": "Words. " * 80} for k in (1, 2)
        ]
        call = {"id": f"c{first}", "name": "web_search", "arguments": "{}"}
        records += [
            {"id": first, "role": "USER", "content": f"What about {first}?"},
            {"id": first + 1, "role": "ASSISTANT", "content": "", "tool_calls": [call]},
            {"id": first + 2, "role": "TOOL", "tool_call_id": f"c{first}", "content": json.dumps({"results": pages})},
            {"id": first + 3, "role": "ASSISTANT", "content": ANSWER.format(n=first)},
        ]
    return records


def measure(messages: int, folder: Path) -> tuple[float, float, float]:
    """Seconds, CPU milliseconds a message, and peak megabytes of the publishing process."""
    path = folder / f"{messages}.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in session(messages)), encoding="utf-8")
    environment = {**os.environ, "SHAREVIEW_DATA_DIR": str(folder)}
    started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        [sys.executable, "manage.py", "publish", str(path)], env=environment, stdout=subprocess.DEVNULL
    )
    peak = _peak_memory(process)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - started, 1000 * cpu / messages, peak


def _peak_memory(process: "subprocess.Popen[bytes]") -> float:
    peak = 0.0
    status = Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        try:
            line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        except (OSError, StopIteration):
            break
        peak = max(peak, int(line.split()[1]) / 1024)
        time.sleep(0.05)
    process.wait()
    return peak


def plain_cost(messages: int) -> float:
    """CPU milliseconds a message of Python-Markdown with Pygments, then bleach, of all that the messages say."""
    tags = [*bleach.ALLOWED_TAGS, "p", "h2", "table", "thead", "tbody", "tr", "th", "td", "pre", "div", "span", "br"]
    texts = [str(record["content"]) for record in session(messages) if record["role"] != "TOOL"]
    reader = markdown.Markdown(extensions=["extra", "codehilite", "sane_lists"])
    begun = time.process_time()
    for text in texts:
        bleach.clean(reader.reset().convert(text), tags=tags, attributes={"*": ["class"], "a": ["href"]})
    return 1000 * (time.process_time() - begun) / messages


def figures() -> Iterator[Figure]:
    """CPU a message, memory and cores, by length of session."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [sys.executable, "manage.py", "migrate", "-v0"]
        subprocess.run(command, env={**os.environ, "SHAREVIEW_DATA_DIR": name}, check=True)
        started = measure(4, folder)[1] * 4
        yield Figure("the command itself: CPU of publishing one round", f"{started:.0f} ms")
        plain = plain_cost(1_000)
        yield Figure("plain Markdown, Pygments and bleach, CPU a message", f"{plain:.2f} ms", 1.0)
        costs, peaks = {}, {}
        for messages in LENGTHS:
            seconds, cpu, peak = measure(messages, folder)
            costs[messages], peaks[messages] = cpu, peak
            own = cpu - started / messages
            yield Figure(
                f"publishing {messages:,} messages in {seconds:.1f} s, CPU a message without the command itself",
                f"{own:.2f} ms", own / plain, 0.6 if messages == LENGTHS[-1] else None, why=WHY,
            )  # fmt: skip
            yield Figure(f"cores used, {messages:,} messages", f"{cpu * messages / 1000 / seconds:.2f}")
        ratio = costs[10_000] / costs[100]
        yield Figure("CPU a message, 10,000 beside 100, the command with it", f"{costs[10_000]:.2f} ms", ratio, 1.1)
        more = peaks[10_000] - peaks[100]
        yield Figure("peak memory, 10,000 beyond 100", f"{peaks[10_000]:.0f} MB", more, 30, unit="MB")


if __name__ == "__main__":
    write_table("Publishing", figures())
