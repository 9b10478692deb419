"""The running site, as the browser tests see it."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]


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


def environment(data_dir: Path, url: str) -> dict[str, str]:
    """The environment of a command of the site whose data lie in ``data_dir``."""
    inherited = {name: value for name, value in os.environ.items() if name not in ("SECRET_KEY", "DATABASE_URL")}
    return {**inherited, "SHAREVIEW_DATA_DIR": str(data_dir), "SHAREVIEW_BASE_URL": url, "PYTHONWARNINGS": "default"}
