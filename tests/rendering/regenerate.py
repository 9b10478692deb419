"""Write what the reference renderer makes of the test texts.

    python tests/rendering/regenerate.py MAINCHAT_DIR

MAINCHAT_DIR is a directory with the files of `tests/rendering/mainchat` and their node modules installed (`npm
install`). Every file is made by `oracle.mjs --share`:

- `cases/<kind>/<name>.html` beside each `cases/<kind>/<name>.md`, with the citation map `CITEMAP`;
- `mainchat/answers.expected.jsonl`, `{id, html, canon}`, from `mainchat/answers.jsonl`;
- `mainchat/commonmark.jsonl`, `{id, text}`, and `mainchat/commonmark.expected.jsonl`, `{id, html}`, from the npm
  package `commonmark-spec`, with an empty citation map.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
MAINCHAT = HERE / "mainchat"
CITEMAP = {"1": 1, "2": 2, "3": 3, "4": 5}
EXAMPLE = re.compile(r"^`{32} example\n(.*?)^\.\n.*?^`{32}$", re.MULTILINE | re.DOTALL)

Row = dict[str, Any]  # Any: a row of a JSON lines file holds texts and maps


def main() -> None:
    """Rewrite every expected file."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tool = Path(sys.argv[1])
    write_cases(tool)
    write_answers(tool)
    write_commonmark(tool)


def write_cases(tool: Path) -> None:
    """The `.html` beside each `.md`."""
    paths = sorted((HERE / "cases").glob("*/*.md"))
    texts = [path.read_bytes().decode() for path in paths]
    rows = [{"id": str(i), "text": text, "citemap": CITEMAP} for i, text in enumerate(texts)]
    for path, row in zip(paths, oracle(tool, rows), strict=True):
        path.with_suffix(".html").write_bytes(row["html"].encode())


def write_answers(tool: Path) -> None:
    """What the reference makes of the answers that came with it."""
    write_rows(MAINCHAT / "answers.expected.jsonl", oracle(tool, read_rows(MAINCHAT / "answers.jsonl")))


def write_commonmark(tool: Path) -> None:
    """The examples of the CommonMark specification and what the reference makes of them."""
    spec = (tool / "node_modules/commonmark-spec/spec.txt").read_bytes().decode().replace("\r\n", "\n")
    spec = spec.partition("\n<!-- END TESTS -->")[0]
    texts = [found[1].replace("→", "\t") for found in EXAMPLE.finditer(spec)]
    rows: list[Row] = [{"id": f"cm{i}", "text": text} for i, text in enumerate(texts, 1)]
    write_rows(MAINCHAT / "commonmark.jsonl", rows)
    made = oracle(tool, [{**row, "citemap": {}} for row in rows])
    write_rows(MAINCHAT / "commonmark.expected.jsonl", [{"id": row["id"], "html": row["html"]} for row in made])


def oracle(tool: Path, rows: list[Row]) -> list[Row]:
    """Render rows `{id, text, citemap}` with the reference."""
    # ASCII, since Node's line reader also ends a line at U+2028 and U+2029.
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    command = ["node", "oracle.mjs", "--share"]
    done = subprocess.run(command, cwd=tool, input=lines.encode(), stdout=subprocess.PIPE, check=True)
    return parse_rows(done.stdout)


def read_rows(path: Path) -> list[Row]:
    """The rows of a JSON lines file."""
    return parse_rows(path.read_bytes())


def parse_rows(data: bytes) -> list[Row]:
    """The rows in the bytes of a JSON lines file; only a newline ends a row."""
    return [json.loads(line) for line in data.decode().split("\n") if line]


def write_rows(path: Path, rows: list[Row]) -> None:
    """Write a JSON lines file."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_bytes(text.encode())


if __name__ == "__main__":
    main()
