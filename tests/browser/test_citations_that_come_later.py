"""Text first, citations after: one reads, and the superscripts come by themselves, all at once."""

from pathlib import Path

import pytest
from browser_site import Site
from model_server import both, serve_model
from playwright.sync_api import Page, expect
from sessions import jsonl, turn

RESULTS = [
    {"title": "Rules", "url": "https://rules.example/", "content": "Every rule applies before noon."},
    {"title": "Prices", "url": "https://prices.example/", "content": "A permit costs 40 euros in all."},
]
ANSWER = "The rule applies before noon. **It costs 40 euros.**\n\n| a | b |\n|---|---|\n| permit | costs 40 euros |\n"
COUNTS = """() => {
  window.counts = [];
  new MutationObserver(() => window.counts.push(document.querySelectorAll("#m-4 .cite-ref").length))
    .observe(document.body, { childList: true, subtree: true });
}"""


@pytest.fixture
def export_file(tmp_path: Path) -> str:
    path = tmp_path / "session.jsonl"
    path.write_bytes(jsonl(turn(ANSWER, results=RESULTS)))
    return str(path)


def test_the_superscripts_come_in_one_swap_while_one_reads(scripted: Page, site: Site, export_file: str) -> None:
    asked: list[str] = []
    scripted.on("request", lambda request: asked.append(request.url) if "/article/" in request.url else None)
    with serve_model(both) as server:
        model = {"SHAREVIEW_LLM_BASE_URL": server.url, "SHAREVIEW_LLM_MODEL": "tested"}
        link = site.manage("publish", export_file, "--annotate", "--judge", **model).strip()
        scripted.goto(link)
        answer = scripted.locator("#m-4")
        expect(answer.get_by_role("status")).to_contain_text("Checking citations.")
        expect(answer.locator(".message-body")).to_contain_text("The rule applies before noon.")
        expect(answer.locator(".cite-ref")).to_have_count(0)
        scripted.evaluate(COUNTS)
        site.manage("worker", "--once", **model)
    expect(answer).to_have_attribute("data-citations", "complete", timeout=15_000)
    expect(answer.locator(".cite-ref")).to_have_text(["[1]", "[2]", "[2]"])
    assert set(scripted.evaluate("() => window.counts")) <= {0, 3}
    expect(answer.locator(".cite-source").first).to_have_attribute("data-trust", "checked")
    # What came in is a page like any other: a card opens, and nobody asks any more.
    answer.locator(".cite-ref a").first.click()
    expect(scripted.locator("#evidence-card")).to_contain_text("Checked support: by tested")
    before = len(asked)
    scripted.wait_for_timeout(3_000)
    assert len(asked) == before


def test_without_javascript_one_looks_again(plain: Page, site: Site, export_file: str) -> None:
    with serve_model(both) as server:
        model = {"SHAREVIEW_LLM_BASE_URL": server.url, "SHAREVIEW_LLM_MODEL": "tested"}
        path = Path(export_file)
        path.write_bytes(jsonl(turn(f"{ANSWER}\nThe end.", results=RESULTS)))
        plain.goto(site.manage("publish", export_file, "--annotate", **model).strip())
        expect(plain.locator("#m-4")).to_have_attribute("data-citations", "running")
        site.manage("worker", "--once", **model)
    plain.get_by_role("link", name="Look again").click()
    expect(plain.locator("#m-4 .cite-ref")).to_have_count(3)
