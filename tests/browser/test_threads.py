"""There and back: a quote is followed to its words, in the middle of the window, with and without JavaScript."""

import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from browser_site import Site
from playwright.sync_api import Browser, Page, expect
from sessions import jsonl, turn

from shareview.quotes.visible_text import visible_text
from shareview.rendering.messages import RenderingOptions
from shareview.rendering.pool import InProcessRenderer, RenderJob


@pytest.mark.parametrize("width", [390, 1440])
def test_a_quote_is_followed_and_the_way_leads_back(page: Page, site: Site, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{site.links['threads']}?thread=B")
    page.locator("#m-B1 .quote-card a.state").click()
    page.wait_for_url("**/?thread=A&quote=B1.1#m-A2b")
    expect(page.locator("#m-A2b .passage")).to_have_text("完全相同的前缀")
    expect(page.locator("#m-A2b .passage")).to_be_in_viewport()
    assert page.locator("#m-B1").count() == 0
    page.locator("#m-A2b .arrival a").click()
    page.wait_for_url("**/?thread=B&at=B1#m-B1")
    expect(page.locator("#m-B1")).to_be_in_viewport()


def test_only_the_thread_is_swapped(scripted: Page, site: Site) -> None:
    scripted.goto(f"{site.links['threads']}?thread=B")
    scripted.evaluate("document.querySelector('.page-head').dataset.kept = 'yes'")
    scripted.locator("#m-B1 .quote-card a.state").click()
    expect(scripted.locator("#m-A2b .passage")).to_be_in_viewport()
    assert scripted.evaluate("document.querySelector('.page-head').dataset.kept") == "yes"
    assert scripted.evaluate("document.activeElement.closest('#m-A2b') !== null")
    everything = scripted.locator(".site-foot a", has_text="Open everything").get_attribute("href")
    assert everything is not None
    assert parse_qs(urlsplit(everything).query) == {"thread": ["A"], "open": ["all"]}
    scripted.go_back()
    expect(scripted.locator("#m-B1")).to_be_visible()


def test_an_old_version_is_marked_as_history(page: Page, site: Site) -> None:
    page.goto(f"{site.links['threads']}?thread=C")
    page.locator("#m-C1 .quote-card a.state").click()
    expect(page.locator("#m-A2a .passage")).to_have_text("只能复用相同前缀")
    page.locator("#m-A2a .message-head a", has_text="The version now").click()
    page.wait_for_url("**/?thread=A&at=A2b#m-A2b")


def test_a_sign_at_the_passage_leads_to_its_branch(page: Page, site: Site) -> None:
    page.goto(f"{site.links['threads']}?thread=A")
    page.locator("#m-A2b .branch-sign").click()
    expect(page.locator("#m-B1")).to_be_visible()
    expect(page.locator("#fork")).to_be_in_viewport()


def test_a_selection_gives_an_address_that_marks_it(scripted: Page, site: Site) -> None:
    scripted.goto(f"{site.links['threads']}?thread=A")
    scripted.evaluate(
        """() => { const body = document.querySelector("#m-A2b .message-body"); const range = new Range();
        range.setStart(body.querySelector("p").firstChild, 13); range.setEnd(body.querySelector("li").firstChild, 4);
        getSelection().removeAllRanges(); getSelection().addRange(range); }"""
    )
    link = scripted.locator("#m-A2b .passage-link")
    expect(link).to_be_visible()
    address = link.get_attribute("href")
    assert address is not None
    chosen = scripted.evaluate("getSelection().toString()")
    link.click()
    expect(scripted.locator(".said-here")).to_have_text("Copied")
    assert scripted.evaluate("navigator.clipboard.readText()") == address
    scripted.goto(address)
    marked = "".join(scripted.locator(".passage").all_text_contents())
    assert "".join(marked.split()) == "".join(chosen.split())


CASES = [
    "One **two** `three` [four](https://a.example/) five",
    "- a\n- b\n\n  c\n\n> quote\n\n```\nx = 1\n  y\n```\n\n| h | i |\n|---|---|\n| 1 | 2 |",
    "Cited[^1^] here[^1^].\n\n## Heading\n\nline one\nline two  \nline three",
    "中文 **粗体** 与 English 混排，שלום 👨‍👩‍👧 é &amp; &lt; \\* end",
    "- [x] done\n- [ ] open\n\n1. first\n   1. nested\n\n---\n\nlast",
]


def test_a_browser_reads_the_same_visible_text_as_the_server(browser: Browser, site: Site, tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(jsonl([record for at, case in enumerate(CASES) for record in turn(case, first=4 * at + 1)]))
    link = site.manage("publish", str(path)).strip()
    page = browser.new_page()
    page.goto(link)
    renderer = InProcessRenderer(RenderingOptions())
    for at, case in enumerate(CASES):
        (made,) = renderer.render_all([RenderJob(case, "0" * 32, {1: 1} if "[^1^]" in case else {})])
        text = visible_text(made.html).text
        page.evaluate(
            "id => getSelection().selectAllChildren(document.getElementById(id).querySelector('.message-body'))",
            f"m-{4 * at + 4}",
        )
        page.wait_for_timeout(400)
        address = page.locator(f"#m-{4 * at + 4} .passage-link").get_attribute("href")
        assert address is not None
        assert parse_qs(urlsplit(address).query)["exact"] == [text], json.dumps(case)
    page.close()
