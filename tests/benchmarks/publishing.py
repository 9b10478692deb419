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
from pathlib import Path

LENGTHS = (100, 1_000, 10_000)
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


def main() -> None:
    """Prints the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "-v0"], env={**os.environ, "SHAREVIEW_DATA_DIR": name}, check=True
        )
        for messages in LENGTHS:
            seconds, cpu, peak = measure(messages, folder)
            sys.stdout.write(
                f"{messages:>6} messages: {seconds:6.1f} s, {cpu:5.2f} ms CPU a message, {peak:5.0f} MB peak\n"
            )


if __name__ == "__main__":
    main()
