"""The page shows what the main chat's renderer shows: equal DOM, with the share page's deliberate differences."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from canon import canon

from shareview.rendering.messages import RenderingOptions, render_message

HERE = Path(__file__).resolve().parent
MAINCHAT = HERE / "mainchat"
CASES = sorted((HERE / "cases").glob("*/*.md"))
CITEMAP = {1: 1, 2: 2, 3: 3, 4: 5}
PLAIN = RenderingOptions(math=False, code_colour=False)

# Each differs from the main chat by this, and by nothing else.
KNOWN_DIFFERENCES = {
    "quotes/10-greater-than-in-text": "a > indented by four spaces in a lazy line is taken for the quote's own",
    "raw-html/03-think-tag-block": "one white space beside an unknown closing tag",
    "raw-html/09-unclosed-and-stray": "one white space in an element that raw HTML leaves open across blocks",
    "tables/03-escaped-pipes-and-code": "two backslashes before a pipe in code do not end a cell",
}

Row = dict[str, object]


def rows(path: Path) -> list[Row]:
    """The rows of a JSON Lines file; only a line feed ends one."""
    return [json.loads(line) for line in path.read_bytes().decode().split("\n") if line]


def ours(text: str, citemap: dict[int, int]) -> str:
    """Our HTML of ``text``."""
    return render_message(text, nonce="3f9a2c", numbers=citemap, options=PLAIN).html


def name_of(case: Path) -> str:
    return f"{case.parent.name}/{case.stem}"


def agrees(case: Path) -> bool:
    text, expected = case.read_bytes().decode(), case.with_suffix(".html").read_bytes().decode()
    return canon(ours(text, CITEMAP)) == canon(expected)


def differing(name: str) -> list[str]:
    """The ids of the texts in ``mainchat/<name>.jsonl`` that we show otherwise than expected."""
    expected = {row["id"]: row["html"] for row in rows(MAINCHAT / f"{name}.expected.jsonl")}
    found = []
    for row in rows(MAINCHAT / f"{name}.jsonl"):
        citemap = row.get("citemap") or {}
        assert isinstance(citemap, dict)
        html = ours(str(row["text"]), {int(n): k for n, k in citemap.items()})
        if canon(html) != canon(str(expected[row["id"]])):
            found.append(str(row["id"]))
    return found


def test_there_are_ten_cases_of_each_of_fifteen_kinds() -> None:
    kinds = [case.parent.name for case in CASES]
    assert len(set(kinds)) >= 15
    assert min(kinds.count(kind) for kind in set(kinds)) >= 10


@pytest.mark.parametrize("case", [case for case in CASES if name_of(case) not in KNOWN_DIFFERENCES], ids=name_of)
def test_an_answer_is_shown_as_in_the_main_chat(case: Path) -> None:
    text, expected = case.read_bytes().decode(), case.with_suffix(".html").read_bytes().decode()
    assert canon(ours(text, CITEMAP)) == canon(expected)


def test_at_most_five_answers_differ_and_each_has_its_reason() -> None:
    assert len(KNOWN_DIFFERENCES) <= 5
    assert {name_of(case) for case in CASES if not agrees(case)} == set(KNOWN_DIFFERENCES)


def test_all_of_the_main_chats_own_answers_are_shown_alike() -> None:
    assert len(rows(MAINCHAT / "answers.jsonl")) == 110
    assert differing("answers") == []


def test_the_commonmark_examples_are_shown_alike_but_for_a_few() -> None:
    assert len(rows(MAINCHAT / "commonmark.jsonl")) == 652
    # At least 98.5 % of 652 agree where at most nine differ.
    assert len(differing("commonmark")) <= 9


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The main chat's renderer with its packages, where Node is; always in CI."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        if os.environ.get("CI"):
            pytest.fail("Node and npm are needed to run the main chat's renderer")
        pytest.skip("no node and npm on PATH")
    folder = tmp_path_factory.mktemp("mainchat")
    for name in ("oracle.mjs", "canon.mjs", "purify.mjs", "package.json"):
        shutil.copy(MAINCHAT / name, folder / name)
    subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True)
    return folder


def run_node(folder: Path, script: list[str], given: list[Row]) -> list[Row]:
    """What a script of the main chat makes of ``given``."""
    # ASCII, since Node's readline also ends a line at U+2028.
    source = "".join(json.dumps(row) + "\n" for row in given)
    done = subprocess.run(["node", *script], cwd=folder, input=source.encode(), stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.decode().split("\n") if line]


def every_text() -> list[Row]:
    citemap = {str(n): k for n, k in CITEMAP.items()}
    cases: list[Row] = [{"id": name_of(case), "text": case.read_bytes().decode(), "citemap": citemap} for case in CASES]
    return cases + rows(MAINCHAT / "answers.jsonl") + rows(MAINCHAT / "commonmark.jsonl")


def test_the_stored_expectations_are_what_the_main_chat_makes_today(oracle: Path) -> None:
    made = {row["id"]: row["html"] for row in run_node(oracle, ["oracle.mjs", "--share"], every_text())}
    stored = {name_of(case): case.with_suffix(".html").read_bytes().decode() for case in CASES}
    for name in ("answers", "commonmark"):
        stored |= {str(row["id"]): str(row["html"]) for row in rows(MAINCHAT / f"{name}.expected.jsonl")}
    assert {id for id, html in made.items() if stored[str(id)] != html} == set()


def test_the_canonical_form_is_the_main_chats_own(oracle: Path) -> None:
    given: list[Row] = []
    for row in every_text():
        citemap = row.get("citemap") or {}
        assert isinstance(citemap, dict)
        given.append({"id": row["id"], "html": ours(str(row["text"]), {int(n): k for n, k in citemap.items()})})
    theirs = {row["id"]: row["canon"] for row in run_node(oracle, ["canon.mjs"], given)}
    assert {row["id"] for row in given if canon(str(row["html"])) != theirs[row["id"]]} == set()
