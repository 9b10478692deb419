"""Reading a share in Chromium: with and without JavaScript, on a phone, on paper, and after its end."""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_site import Site
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pypdf import PdfReader
from sessions import sample


@pytest.fixture(params=[True, False], ids=["with JavaScript", "without JavaScript"])
def page(request: pytest.FixtureRequest, browser: Browser, site: Site) -> Iterator[Page]:
    """A page that must neither break the policy, nor ask anybody else, nor set a cookie."""
    context = browser.new_context(java_script_enabled=request.param, locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(10_000)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda asked: complaints.append(asked.url) if not asked.url.startswith(site.url) else None)
    yield page
    assert complaints == []
    assert context.cookies() == []
    context.close()


def test_following_a_superscript_opens_the_panel_and_flashes_its_entry(page: Page, site: Site) -> None:
    page.goto(site.links["battery"])
    expect(page.locator("#src-4-4")).to_be_hidden()
    page.locator("#m-4 .cite-ref[data-n='4'] a").click()
    expect(page.locator("#src-4-4")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?cite=4\.4"))
    assert page.locator("#sources-4").get_attribute("data-open") == "true"
    assert page.locator("#src-4-4").bounding_box() is not None
    assert page.locator(".cite-flash").count() <= 1


def test_back_restores_the_page_as_it_was(page: Page, site: Site) -> None:
    page.goto(site.links["battery"])
    page.locator("#m-4 .cite-ref[data-n='4'] a").click()
    expect(page.locator("#src-4-4")).to_be_visible()
    page.go_back()
    expect(page.locator("#src-4-4")).to_be_hidden()
    page.go_forward()
    expect(page.locator("#src-4-4")).to_be_visible()


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


def test_an_entry_leads_back_to_each_sentence_that_cites_it(page: Page, site: Site) -> None:
    page.goto(site.links["deadline"] + "?open=107.sources")
    backs = page.locator("#src-107-1 .back")
    expect(backs).to_have_count(3)
    backs.nth(1).click()
    expect(page).to_have_url(re.compile("#ref-107-1-2$"))
    expect(page.locator("#ref-107-1-2")).to_be_in_viewport()


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


def test_printed_everything_is_there_with_its_address(browser: Browser, site: Site) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(site.links["battery"] + "?open=all")
    pages = PdfReader(io.BytesIO(page.pdf(format="A4"))).pages
    context.close()
    text = "".join(sheet.extract_text() for sheet in pages)
    flat = "".join(text.split())
    assert "https://prices.example/lfp?month=2026-10" in flat
    assert "thesodium-ionpackkept88%ofitscapacity" in flat
    assert "Ishouldlookforprice,coldbehaviouranddensity." in flat


def test_the_watermark_is_printed_on_every_sheet(browser: Browser, site: Site) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.emulate_media(media="print")
    page.goto(site.links["battery"] + "?open=all")
    mark = page.locator("svg.watermark")
    # What is fixed is repeated on each sheet (CSS Positioned Layout 3, "fixed positioning" on paged media).
    expect(mark).to_have_css("position", "fixed")
    expect(mark).to_be_visible()
    expect(mark).to_have_css("print-color-adjust", "exact")
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


def test_ctrl_click_opens_the_same_state_elsewhere(browser: Browser, site: Site) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(site.links["battery"])
    with context.expect_page() as opened:
        page.locator("#m-4 .cite-ref[data-n='4'] a").click(modifiers=["Control"])
    expect(opened.value.locator("#src-4-4")).to_be_visible()
    expect(page.locator("#src-4-4")).to_be_hidden()
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
