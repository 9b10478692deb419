"""Chinese and English: as the reader's browser prefers, or as the address says."""

import pytest
from browser_site import Site
from playwright.sync_api import Browser, expect


@pytest.mark.parametrize(
    ("locale", "query", "lang", "words"),
    [
        ("zh-CN", "", "zh-Hans", "来源 6"),
        ("zh-TW", "", "zh-Hans", "来源 6"),
        ("en-GB", "", "en", "Sources 6"),
        ("fr-FR", "", "en", "Sources 6"),
        ("en-GB", "?lang=zh", "zh-Hans", "来源 6"),
        ("zh-CN", "?lang=en", "en", "Sources 6"),
    ],
)
def test_the_page_speaks_the_readers_language(
    browser: Browser, site: Site, locale: str, query: str, lang: str, words: str
) -> None:
    context = browser.new_context(locale=locale)
    page = context.new_page()
    page.goto(site.links["battery"] + query)
    expect(page.locator("html")).to_have_attribute("lang", lang)
    expect(page.locator("#sources-4 .fold")).to_have_text(words)
    context.close()


@pytest.mark.parametrize(("lang", "asked"), [("en", "2 Nov 2026, 09:58 UTC"), ("zh", "2026年11月2日 09:58 UTC")])
def test_dates_have_the_readers_form(browser: Browser, site: Site, lang: str, asked: str) -> None:
    page = browser.new_page()
    page.goto(f"{site.links['battery']}?lang={lang}")
    expect(page.locator(".facts time").first).to_have_text(asked)
    page.close()


def test_a_chosen_language_is_carried_on(browser: Browser, site: Site) -> None:
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(site.links["battery"])
    page.get_by_role("link", name="中文").click()
    page.locator("#sources-4 .fold").click()
    expect(page.locator("#sources-4")).to_have_attribute("data-open", "true")
    assert "lang=zh" in page.url
    expect(page.locator("#sources-4 .fold")).to_have_text("来源 6")
    context.close()
