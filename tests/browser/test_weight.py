"""What a page asks for, and how much that is."""

import gzip
from pathlib import Path

import pytest
from browser_site import Site
from playwright.sync_api import Browser, Request
from sessions import jsonl, turn

FENCE = "```python\nfor item in items:\n    print(item)\n```"


@pytest.fixture(scope="module")
def link(site: Site, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A session of 20 messages, five rounds with a search each."""
    path: Path = tmp_path_factory.mktemp("short") / "short.jsonl"
    answer = f"## Heading\n\nSome **bold** text that cites[^1^].\n\n{FENCE}\n\n" + "Sentence after sentence. " * 40
    path.write_bytes(jsonl([record for number in range(5) for record in turn(answer, first=4 * number + 1)]))
    return site.manage("publish", str(path)).strip()


def test_a_page_of_20_messages_takes_three_requests_and_45_kilobytes(browser: Browser, link: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    sizes: dict[str, int] = {}

    def note(request: Request) -> None:
        sizes[request.url] = request.sizes()["responseBodySize"]

    page.on("requestfinished", note)
    page.goto(link, wait_until="networkidle")
    context.close()
    assert len(sizes) <= 3, sizes
    assert sum(sizes.values()) <= 45_000, sizes


def test_our_own_script_is_at_most_6_kilobytes_compressed(site: Site) -> None:
    whole = (site.data_dir / "made" / "pages" / "script.js").read_text()
    htmx, _, ours = whole.rpartition(";\n(()")
    assert "htmx" in htmx
    assert len(gzip.compress(ours.encode(), 6)) < 6_000
