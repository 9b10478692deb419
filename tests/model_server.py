"""An OpenAI-compatible server on loopback that answers as it is told to, well or badly."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = dict[str, Any]


@dataclass
class Behaviour:
    """One answer of the server. ``text`` is what the model says; ``body`` stands instead of a whole completion."""

    text: str = ""
    status: int = 200
    body: object = None
    raw: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    finish_reason: str = "stop"
    delay: float = 0.0
    drip: float = 0.0
    is_cut_off: bool = False


Answer = Behaviour | Callable[[Body], Behaviour]


@dataclass
class ModelServer:
    """What it was asked, and what it answers next: each of ``answers`` once, the last one ever after."""

    url: str
    answers: Sequence[Answer]
    asked: list[Body] = field(default_factory=list)
    authorizations: list[str] = field(default_factory=list)
    close_with: list[Callable[[], None]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def next_answer(self, body: Body) -> Behaviour:
        """What is answered to ``body``."""
        with self._lock:
            self.asked.append(body)
            answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        return answer(body) if callable(answer) else answer


def given(body: Body) -> Body:
    """The object that a request's first user message holds."""
    found: Body = json.loads(next(m["content"] for m in body["messages"] if m["role"] == "user"))
    return found


def annotating(body: Body) -> Behaviour:
    """A good annotator: each claim cites the first block that it shares a long word, or three ideographs, with."""
    asked = given(body)
    annotations = []
    for span in asked["spans"]:
        blocks = [block["block_id"] for block in asked["evidence_blocks"] if _share(span["text"], block["text"])]
        if blocks:
            annotations.append({"span_id": span["span_id"], "block_ids": blocks[:2]})
    return Behaviour(json.dumps({"annotations": annotations}))


def _share(claim: str, evidence: str) -> bool:
    return any(
        claim[at : at + 3] in evidence for at in range(len(claim) - 2) if not claim[at : at + 3].isascii()
    ) or any(word in evidence for word in re.findall(r"\w{5,}", claim))


def judging(body: Body) -> Behaviour:
    """A good checker that finds everything supported, and shows the words."""
    text = given(body)["evidence"][0]["text"]
    quote = " ".join(text.split()[:4]) if text.isascii() else text[:20].strip()
    return Behaviour(json.dumps({"verdict": "supported", "quote": quote, "reason": "It says so."}))


def both(body: Body) -> Behaviour:
    """Annotator and checker in one, told apart by what they are given."""
    return annotating(body) if "spans" in given(body) else judging(body)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "_Server"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.model.authorizations.append(self.headers.get("Authorization", ""))
        answer = self.server.model.next_answer(body)
        time.sleep(answer.delay)
        data = answer.raw if answer.raw is not None else json.dumps(_completion(answer)).encode()
        with suppress(OSError):  # The client may give up on us.
            self._send(answer, data)

    def _send(self, answer: Behaviour, data: bytes) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if answer.is_cut_off:
            self.wfile.write(data[: len(data) // 2])
            self.close_connection = True
        elif answer.drip:
            for byte in data:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(answer.drip)
        else:
            self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


def _completion(answer: Behaviour) -> object:
    if answer.body is not None:
        return answer.body
    return {
        "id": "c1", "object": "chat.completion", "created": 1, "model": "tested",
        "choices": [
            {"index": 0, "finish_reason": answer.finish_reason,
             "message": {"role": "assistant", "content": answer.text}},
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }  # fmt: skip


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: ModelServer


@contextmanager
def serve_model(*answers: Answer) -> Iterator[ModelServer]:
    """A server with ``answers``, for as long as it is needed."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.model = ModelServer(f"http://127.0.0.1:{server.server_address[1]}/v1", answers)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server.model
    finally:
        for close in server.model.close_with:
            close()
        server.shutdown()
        server.server_close()
        thread.join()
