"""A reader searches a share in Chromium: by keyboard, with and without JavaScript."""

from browser_site import Site
from playwright.sync_api import Page, expect


def test_what_is_asked_in_the_page_leads_to_the_marked_words(page: Page, site: Site) -> None:
    page.goto(f"{site.links['threads']}?theme=dark")
    page.get_by_role("searchbox").fill("比喻")
    page.keyboard.press("Enter")
    expect(page.locator(".found-count")).to_have_text("Found in 2 messages")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.locator(".words a", has_text="没有关系").click()
    expect(page.locator("#thread [aria-current=page]")).to_contain_text("旧版本的疑问")
    expect(page.locator("#m-C2 mark.passage")).to_have_text("比喻")
    expect(page.locator("#m-C2 mark.passage")).to_be_in_viewport()
    page.go_back()
    expect(page.get_by_role("searchbox")).to_have_value("比喻")
