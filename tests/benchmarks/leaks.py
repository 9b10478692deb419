"""What a search for secrets and personal data costs: ``python -m tests.benchmarks.leaks`` prints MB of CPU a second."""

import sys
import time
from pathlib import Path

from shareview.leaks.personal import find_personal
from shareview.leaks.secrets import find_secrets

_ROOT = Path(__file__).parents[2]
_SIZE = 8_000_000
_HOSTILE = ("a", "1 ", "sk-", "-eyJ", "pwd='", "a@a.aa@", "+14155552671 ", "DE89 ", "pwd=aA1!aA1! ")


def measure(name: str, text: str) -> None:
    """Prints what both searches took on ``text``, and how much they found."""
    begun = time.process_time()
    secrets = len(find_secrets(text))
    between = time.process_time()
    personal = len(find_personal(text))
    done = time.process_time()
    sys.stdout.write(
        f"{name:>16}: {len(text) / 1e6 / (done - begun):6.2f} MB/s"
        f"  secrets {between - begun:6.2f} s ({secrets:,})  personal {done - between:6.2f} s ({personal:,})\n"
    )


def main() -> None:
    """Prints a line for the sources of this project and one for each hostile text of 8 MB."""
    files = [_ROOT / "README.md", *_ROOT.glob("shareview/**/*.py"), *_ROOT.glob("shareview/**/*.jsonl")]
    measure("sources", "\n".join(path.read_text(encoding="utf-8") for path in files))
    for unit in _HOSTILE:
        measure(repr(unit), unit * (_SIZE // len(unit)))


if __name__ == "__main__":
    main()
