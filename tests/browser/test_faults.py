"""What a reader sees where the server says no, or nothing."""

from pathlib import Path

import pytest
from browser_site import Site
from playwright.sync_api import Browser, Page, expect
from sessions import sample


@pytest.mark.parametrize(
    "place", ["#m-4 .cite-ref[data-n='4'] a", "#sources-4 .fold", "#steps-4 .fold", "#m-4 .tools a"]
)
def test_a_click_on_a_share_that_has_ended_shows_that_it_has(
    browser: Browser, site: Site, tmp_path: Path, place: str
) -> None:
    export = tmp_path / "session.jsonl"
    export.write_bytes(sample("battery.en.jsonl"))
    link = site.manage("publish", str(export)).strip()
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(link)
    site.manage("revoke", link)
    page.locator(place).click()
    expect(page.locator("body")).to_contain_text("This link has ended")
    assert "Sodium" not in page.content()
    context.close()


@pytest.mark.parametrize(
    "place", ["#m-4 .cite-ref[data-n='4'] a", "#sources-4 .fold", "#steps-4 .fold", "#m-4 .tools a"]
)
def test_a_click_without_a_connection_says_so_and_leaves_the_page(browser: Browser, site: Site, place: str) -> None:
    context = browser.new_context(locale="en-GB", permissions=["clipboard-read", "clipboard-write"])
    page: Page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(site.links["battery"])
    context.set_offline(True)
    page.locator(place).click()
    expect(page.get_by_role("status")).to_have_text("Cannot be reached now")
    expect(page.locator("#m-4")).to_be_visible()
    assert page.url == site.links["battery"]
    assert faults == []
    context.close()


def test_a_clipboard_that_refuses_at_once_leaves_no_fault(browser: Browser, site: Site) -> None:
    context = browser.new_context(locale="en-GB", permissions=["clipboard-read", "clipboard-write"])
    page: Page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(site.links["battery"])
    page.evaluate(
        "() => { navigator.clipboard.write = () => Promise.reject(new DOMException('no', 'NotAllowedError')); }"
    )
    context.set_offline(True)
    page.locator("#m-4 .tools a").click()
    expect(page.get_by_role("status")).to_have_text("Cannot be reached now")
    assert page.url == site.links["battery"]
    page.wait_for_timeout(300)
    assert faults == []
    context.close()
