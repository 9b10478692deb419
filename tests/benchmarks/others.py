"""Publishing beside claude-code-transcripts and claude-code-log, on the same messages.

Run as ``python -m tests.benchmarks others``. Both are installed from PyPI into an environment of their own, in a
temporary folder.
"""

import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.benchmarks.figures import Figure, write_table
from tests.benchmarks.publishing import session

LENGTHS: Final = (200, 1_000)
TOOLS: Final = ("claude-code-transcripts", "claude-code-log")
RUNS: Final = 3
WHY: Final = "1.3 s are the start, the rest checks, freezes, looks for secrets, sanitizes twice, composes two languages"
COMPOSED: Final = """
from shareview.pages.models import ComposedPage
print(sum(len(one.gzip) for one in ComposedPage.objects.filter(language="en")))
"""


def claude_session(messages: int) -> Iterator[dict[str, object]]:
    """The messages of ``session`` as Claude Code keeps them."""
    parent = None
    for number, record in enumerate(session(messages)):
        content: object = record["content"]
        kind = "assistant" if record["role"] == "ASSISTANT" else "user"
        calls = record.get("tool_calls")
        if isinstance(calls, list):
            content = [{"type": "tool_use", "id": one["id"], "name": one["name"], "input": {}} for one in calls]
        elif record["role"] == "TOOL":
            content = [{"type": "tool_result", "tool_use_id": record["tool_call_id"], "content": content}]
        elif kind == "assistant":
            content = [{"type": "text", "text": content}]
        message: dict[str, object] = {"role": kind, "content": content}
        if kind == "assistant":
            usage = {"input_tokens": 1, "output_tokens": 1}
            message |= {
                "id": f"msg_{number}",
                "type": "message",
                "model": "claude",
                "stop_reason": None,
                "usage": usage,
            }
        here = str(uuid.UUID(int=number + 1))
        yield {
            "type": kind, "uuid": here, "parentUuid": parent, "sessionId": str(uuid.UUID(int=9)), "cwd": "/tmp",
            "timestamp": f"2026-01-05T10:{number // 60 % 60:02}:{number % 60:02}.000Z", "version": "2.0.0",
            "isSidechain": False, "userType": "external", "message": message,
        }  # fmt: skip
        parent = here


def cost(command: list[str], variables: Mapping[str, str]) -> float:
    """CPU seconds of a whole command with its children, the least of three."""
    best = float("inf")
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, env={**os.environ, **variables}, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def figures() -> Iterator[Figure]:
    """CPU of the whole commands, then the bytes of the pages."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
        subprocess.run([str(folder / "venv/bin/pip"), "install", "-q", *TOOLS], check=True)
        theirs = 0
        for messages in LENGTHS:
            costs = _theirs(folder, messages)
            theirs = theirs or len(gzip.compress((folder / "log.html").read_bytes(), 9))
            for tool, seconds in costs.items():
                yield Figure(f"{tool}, {messages:,} messages", f"{seconds:.2f} s", 1.0)
            ours = _ours(folder, messages)
            for tool, seconds in costs.items():
                yield Figure(
                    f"publish, {messages:,} messages, beside {tool}", f"{ours:.2f} s", ours / seconds, 1.0, why=WHY
                )
            if messages == LENGTHS[0]:
                pages = int(_manage(folder, messages, "shell", "-v0", "-c", COMPOSED))
                yield Figure(f"claude-code-log's page of {messages} messages, gzip", f"{theirs:,} bytes", 1.0)
                yield Figure(f"ours, {messages} messages, gzip", f"{pages:,} bytes", pages / theirs, 0.6)


def _theirs(folder: Path, messages: int) -> dict[str, float]:
    export = folder / f"claude-{messages}.jsonl"
    export.write_text("".join(json.dumps(record) + "\n" for record in claude_session(messages)), encoding="utf-8")
    programs = folder / "venv/bin"
    home = {"HOME": str(folder)}
    out, page = str(folder / "out"), str(folder / "log.html")
    return {
        TOOLS[0]: cost([str(programs / TOOLS[0]), "json", str(export), "-o", out], home),
        TOOLS[1]: cost([str(programs / TOOLS[1]), str(export), "-o", page], home),
    }


def _ours(folder: Path, messages: int) -> float:
    """The least of three, each in a database of its own: the same session again costs less."""
    export = folder / f"{messages}.jsonl"
    export.write_text("".join(json.dumps(record) + "\n" for record in session(messages)), encoding="utf-8")
    return min(_published(folder, export, messages, number) for number in range(RUNS))


def _published(folder: Path, export: Path, messages: int, number: int) -> float:
    data = folder / f"data-{messages}"
    for old in data.glob("*") if data.exists() else ():
        if old.is_file():
            old.unlink()
    _manage(folder, messages, "migrate", "-v0")
    _manage(folder, messages, "collectstatic", "--noinput", "-v0")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _manage(folder, messages, "publish", str(export))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _manage(folder: Path, messages: int, *arguments: str) -> str:
    data = folder / f"data-{messages}"
    data.mkdir(exist_ok=True)
    command = [sys.executable, "manage.py", *arguments]
    environment = {**os.environ, "SHAREVIEW_DATA_DIR": str(data)}
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    write_table("Beside other tools: CPU of the whole command", figures())
