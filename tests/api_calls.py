"""Asking the API as a chat back end does."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from sessions import Records, jsonl


@dataclass
class Caller:
    """A program with a key."""

    key: str
    owner: User

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        """Status and JSON of an answer; ``body`` is sent as JSON, bytes as they are."""
        sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        kind = "application/jsonl" if isinstance(body, bytes) else "application/json"
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = Client(raise_request_exception=False).generic(
            method, f"/api{path}", sent, kind, headers={"Authorization": f"Bearer {self.key}", **named}
        )
        expected = "application/problem+json" if answer.status_code >= 400 else "application/json"
        assert answer["Content-Type"].startswith(expected), (answer.status_code, answer.content[:300])
        return answer.status_code, json.loads(answer.content)

    def post(self, path: str, body: object = None, **headers: str) -> tuple[int, Any]:
        return self.ask("POST", path, body, **headers)

    def get(self, path: str) -> tuple[int, Any]:
        return self.ask("GET", path)

    def freeze(self, records: Records, query: str = "") -> dict[str, Any]:
        """A frozen session."""
        status, frozen = self.post(f"/snapshots{query}", jsonl(records))
        assert status == 201, frozen
        return dict(frozen)

    def publish(self, records: Records, **terms: object) -> dict[str, Any]:
        """A link to ``records`` under ``terms``."""
        status, published = self.post("/shares", {"frozen": self.freeze(records)["frozen"], **terms})
        assert status == 201, published
        return dict(published["shares"][0])


MakeCaller = Callable[..., Caller]
