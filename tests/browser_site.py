"""The running site, as the browser tests see it."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip


@dataclass
class Site:
    """A running demo: ``links`` by the name of their sample."""

    url: str
    links: dict[str, str]
    data_dir: Path

    def manage(self, *arguments: str, **variables: str) -> str:
        """What one of the site's commands printed on standard output, with more ``variables`` in its environment."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=PROJECT,
            env=environment(self.data_dir, self.url) | variables, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout

    def publish_locked(self, sample: str, password: str, *options: str) -> str:
        """The link of a sample that asks for ``password``."""
        command = ["publish", f"shareview/shares/samples/{sample}", "--password-stdin", *options]
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=PROJECT, env=environment(self.data_dir, self.url), input=f"{password}\n", capture_output=True,
            text=True, check=True,
        )  # fmt: skip
        return done.stdout.strip()

    def refusal(self, *arguments: str) -> str:
        """What one of the site's commands said when it refused."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=PROJECT, env=environment(self.data_dir, self.url),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 1, done.stdout
        return done.stderr


def environment(data_dir: Path, url: str) -> dict[str, str]:
    """The environment of a command of the site whose data lie in ``data_dir``."""
    inherited = {name: value for name, value in os.environ.items() if name not in ("SECRET_KEY", "DATABASE_URL")}
    return {**inherited, "SHAREVIEW_DATA_DIR": str(data_dir), "SHAREVIEW_BASE_URL": url, "PYTHONWARNINGS": "default"}
