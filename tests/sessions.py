"""Sessions to test with, and publishing them as a publisher would, without worker processes."""

import io
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.resources import files
from typing import TypedDict

from shareview.exports.native import read_native
from shareview.rendering.messages import RenderingOptions
from shareview.rendering.pool import InProcessRenderer
from shareview.shares.actors import Actor
from shareview.shares.models import Share
from shareview.snapshots.freezing import Freeze, freeze_session

NOW = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
ACTOR = Actor("tester", "192.0.2.1")
TOKEN_KEY = "a key of the tests' own"


class How(TypedDict):
    """What every change to shares is told."""

    reason: str
    actor: Actor
    now: datetime


Records = Sequence[dict[str, object]]
FreezeRecords = Callable[..., Freeze]
PublishRecords = Callable[..., Share]


def sample(name: str) -> bytes:
    """One of the sessions that the demo shows."""
    return (files("shareview.shares") / "samples" / name).read_bytes()


def jsonl(records: Records) -> bytes:
    """An export file of ``records``."""
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def freeze_bytes(data: bytes, **options: object) -> Freeze:
    """Freezes an export file."""
    rendering = options.pop("rendering", RenderingOptions())
    assert isinstance(rendering, RenderingOptions)
    with read_native(io.BytesIO(data)) as export:
        return freeze_session(export, now=NOW, renderer=InProcessRenderer(rendering), **options)  # type: ignore[arg-type] # options of one type each, given by name


def turn(answer: str, *, first: int = 1, results: object = None, **fields: object) -> list[dict[str, object]]:
    """A question, one search with ``results``, and ``answer``; ids from ``first`` on."""
    found = (
        results if results is not None else [{"title": "One", "url": "https://one.example/", "content": "First page."}]
    )
    return [
        {"id": first, "role": "USER", "content": f"Question {first}?"},
        {
            "id": first + 1,
            "role": "ASSISTANT",
            "content": "",
            "tool_calls": [{"id": f"c{first}", "name": "web_search", "arguments": "{}"}],
        },
        {
            "id": first + 2,
            "role": "TOOL",
            "tool_call_id": f"c{first}",
            "content": json.dumps({"query": "q", "results": found}),
        },
        {"id": first + 3, "role": "ASSISTANT", "content": answer, **fields},
    ]


def sample_records(name: str) -> list[dict[str, object]]:
    """The records of one of the sessions that the demo shows."""
    return [json.loads(line) for line in sample(name).splitlines()]
