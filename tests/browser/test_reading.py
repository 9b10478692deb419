"""Reading a share in Chromium: with and without JavaScript, on a phone, on paper, and after its end."""

import re
from pathlib import Path
from typing import Any

import pytest
from browser_site import Site
from playwright.sync_api import Browser, BrowserContext, Page, expect
from sessions import sample


def test_a_panel_folds_and_unfolds(page: Page, site: Site) -> None:
    page.goto(site.links["deadline"])
    fold = page.locator("#sources-107 .fold")
    expect(fold).to_have_attribute("aria-expanded", "true")
    fold.click()
    expect(page.locator("#sources-107")).to_have_attribute("data-open", "false")
    expect(page.locator("#src-107-1")).to_be_hidden()
    page.locator("#sources-107 .fold").click()
    expect(page.locator("#src-107-1")).to_be_visible()


def test_steps_come_when_they_are_opened(page: Page, site: Site) -> None:
    page.goto(site.links["deadline"])
    expect(page.locator("#steps-107 .tool")).to_have_count(0)
    page.locator("#steps-107 .fold").click()
    expect(page.locator("#steps-107 .tool")).to_have_count(3)
    expect(page).to_have_url(re.compile(r"open=107\.steps"))


@pytest.mark.parametrize("query", ["?open=all", "?cite=107.2", ""])
@pytest.mark.parametrize("name", ["battery", "claims", "deadline", "threads"])
def test_no_state_breaks_the_policy(page: Page, site: Site, name: str, query: str) -> None:
    page.goto(site.links[name] + query)
    for summary in page.locator("summary").all():
        if summary.is_visible():
            summary.click()


@pytest.mark.parametrize("width", [320, 360, 768, 1440])
def test_no_page_scrolls_sideways(browser: Browser, site: Site, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    for link in site.links.values():
        page.goto(link + "?open=all")
        assert page.evaluate("document.documentElement.scrollWidth") == width
    context.close()


def published_share(site: Site, tmp_path: Path) -> tuple[str, str]:
    export = tmp_path / "session.jsonl"
    export.write_bytes(sample("battery.en.jsonl"))
    link = site.manage("publish", str(export)).strip()
    return link, link.rstrip("/").rsplit("/", 1)[1]


def test_back_never_shows_a_share_that_has_ended(browser: Browser, site: Site, tmp_path: Path) -> None:
    link, token = published_share(site, tmp_path)
    context = browser.new_context()
    page = context.new_page()
    page.goto(link)
    expect(page.locator("h1")).to_contain_text("Sodium-ion")
    page.goto(f"{site.url}/healthz")
    site.manage("revoke", token)
    page.go_back()
    expect(page.locator("body")).to_contain_text("This link has ended")
    assert "Sodium" not in page.content()
    context.close()


def test_a_share_cannot_be_framed_by_another_site(browser: Browser, site: Site) -> None:
    context: BrowserContext = browser.new_context()
    page = context.new_page()
    page.route("http://other.example/*", lambda route: route.fulfill(content_type="text/html", body=_frame(site)))
    page.goto("http://other.example/")
    page.wait_for_timeout(300)
    framed: list[Any] = [frame for frame in page.frames if frame != page.main_frame]
    assert "Sodium" not in framed[0].content()
    context.close()


def _frame(site: Site) -> str:
    return f'<iframe src="{site.links["battery"]}"></iframe>'
