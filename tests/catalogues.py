"""Are the translations complete, and compiled as they stand? Run as ``python -m tests.catalogues``; needs gettext."""

import gettext
import subprocess
import sys
import tempfile
from pathlib import Path

LOCALE = Path(__file__).resolve().parent.parent / "shareview" / "locale"


def faults() -> list[str]:
    """What is wrong with the catalogues, one sentence each."""
    found: list[str] = []
    for source in sorted(LOCALE.glob("*/LC_MESSAGES/*.po")):
        with tempfile.NamedTemporaryFile(suffix=".mo") as compiled:
            statistics = subprocess.run(
                ["msgfmt", "--check", "--statistics", "-o", compiled.name, str(source)],
                capture_output=True, text=True, check=True,
            ).stderr  # fmt: skip
            if "untranslated" in statistics or "fuzzy" in statistics:
                found.append(f"{source}: {statistics.strip()}")
            fresh, stored = _entries(Path(compiled.name)), _entries(source.with_suffix(".mo"))
            if fresh != stored:
                found.append(f"{source.with_suffix('.mo')} is stale: run compilemessages")
    return found


def _entries(path: Path) -> dict[object, str]:
    with path.open("rb") as file:
        catalogue: dict[object, str] = dict(gettext.GNUTranslations(file)._catalog)  # type: ignore[attr-defined] # gettext gives no other way to the entries
        return catalogue


if __name__ == "__main__":
    problems = faults()
    sys.stdout.write("\n".join([*problems, "catalogues checked"]) + "\n")
    sys.exit(bool(problems))
