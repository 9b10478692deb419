"""Sites of a test's own: commands run as processes, on a database of their own."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from browser_site import PROJECT


class Machine:
    """A site of its own, with commands to run and workers to start."""

    def __init__(self, variables: dict[str, str], folder: Path) -> None:
        self.variables = variables
        self._folder = folder

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "manage.py", *arguments], cwd=PROJECT, env=self.variables, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def manage(self, *arguments: str) -> str:
        with self.start(*arguments) as running:
            out, err = running.communicate(timeout=60)
        assert running.returncode == 0, err
        return out

    def publish(self, data: bytes, *options: str) -> str:
        path = self._folder / "session.jsonl"
        path.write_bytes(data)
        return self.manage("publish", str(path), *options).strip()

    def ask(self, code: str) -> Any:
        """What ``code`` prints as JSON."""
        return json.loads(self.manage("shell", "--no-imports", "-c", code))
