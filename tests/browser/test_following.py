"""Following a superscript to its source, and back to the sentence."""

import re
from typing import Literal

import pytest
from browser_site import Site
from playwright.sync_api import Browser, Locator, Page, expect

FLASH = re.compile(r"\bcite-flash\b")


def superscript(page: Page, message: str, n: int) -> Locator:
    """The first superscript of registry number ``n``."""
    return page.locator(f"#m-{message} .cite-ref[data-n='{n}'] a").first


def test_it_opens_the_panel_and_flashes_the_entry(page: Page, site: Site) -> None:
    page.goto(site.links["battery"])
    expect(page.locator("#src-4-4")).to_be_hidden()
    superscript(page, "4", 4).click()
    entry = page.locator("#src-4-4")
    expect(entry).to_be_visible()
    expect(entry).to_be_in_viewport()
    expect(entry).to_have_class(FLASH)
    expect(page.locator(".cite-flash")).to_have_count(1)
    expect(page.locator("#sources-4")).to_have_attribute("data-open", "true")
    expect(page).to_have_url(re.compile(r"\?cite=4\.4#src-4-4$"))


def test_the_entry_has_the_focus_and_loses_its_flash_after_1600_milliseconds(scripted: Page, site: Site) -> None:
    scripted.goto(site.links["battery"])
    superscript(scripted, "4", 4).click()
    expect(scripted.locator("#src-4-4")).to_be_focused()
    scripted.evaluate("""() => {
      const entry = document.getElementById("src-4-4");
      const began = entry.getAnimations()[0].startTime;
      new MutationObserver(() => { window.flashed = document.timeline.currentTime - began; })
        .observe(entry, { attributeFilter: ["class"] });
    }""")
    scripted.wait_for_function("() => window.flashed")
    assert 1500 < scripted.evaluate("window.flashed") < 2100
    expect(scripted.locator(".cite-flash")).to_have_count(0)
    assert scripted.evaluate("getComputedStyle(document.getElementById('src-4-4')).animationDuration") == "0s"


def test_an_entry_that_an_address_leads_to_flashes_and_has_the_focus_too(scripted: Page, site: Site) -> None:
    scripted.goto(site.links["battery"] + "?cite=4.4#src-4-4")
    expect(scripted.locator("#src-4-4")).to_be_focused()
    assert scripted.evaluate("getComputedStyle(document.getElementById('src-4-4')).animationDuration") == "1.6s"
    expect(scripted.locator(".cite-flash")).to_have_count(0)


def test_where_nothing_may_move_the_entry_stays_marked(page: Page, site: Site) -> None:
    page.goto(site.links["battery"] + "?cite=4.4#src-4-4")
    page.wait_for_timeout(1_900)
    expect(page.locator("#src-4-4")).to_have_class(FLASH)
    # Chromium takes "reduce" for one thousandth of a millisecond where a page says nothing; this page animates nothing.
    assert page.locator("#src-4-4").evaluate("(entry) => entry.getAnimations().length") == 0


def test_an_older_flash_goes(page: Page, site: Site) -> None:
    page.goto(site.links["battery"])
    superscript(page, "4", 2).click()
    expect(page.locator("#src-4-2")).to_have_class(FLASH)
    superscript(page, "4", 3).click()
    expect(page.locator("#src-4-3")).to_have_class(FLASH)
    expect(page.locator(".cite-flash")).to_have_count(1)
    expect(page.locator(".cite-ref a[aria-current]")).to_have_count(1)


def test_a_flash_in_another_answer_goes(page: Page, site: Site) -> None:
    page.goto(site.links["deadline"])
    superscript(page, "107", 2).click()
    expect(page.locator("#src-107-2")).to_have_class(FLASH)
    superscript(page, "111", 1).click()
    expect(page.locator("#src-111-1")).to_have_class(FLASH)
    expect(page.locator(".cite-flash")).to_have_count(1)


def test_back_restores_the_page_as_it_was_and_forward_the_entry(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 1200, "height": 600})
    page.goto(site.links["battery"])
    page.mouse.wheel(0, 500)
    page.wait_for_function("() => scrollY === 500") if page.evaluate("!!window.htmx") else page.wait_for_timeout(500)
    superscript(page, "4", 4).click()
    expect(page.locator("#src-4-4")).to_be_in_viewport()
    page.go_back()
    expect(page.locator("#src-4-4")).to_be_hidden()
    expect(page.locator("#sources-4")).to_have_attribute("data-open", "false")
    expect(page).to_have_url(site.links["battery"])
    expect(superscript(page, "4", 4)).to_be_in_viewport()
    assert abs(page.evaluate("scrollY") - 500) < 2
    page.go_forward()
    expect(page.locator("#src-4-4")).to_be_in_viewport()
    expect(page.locator("#src-4-4")).to_have_class(FLASH)


def test_the_address_shows_the_same_in_a_fresh_tab_without_javascript(scripted: Page, plain: Page, site: Site) -> None:
    scripted.goto(site.links["battery"])
    superscript(scripted, "4", 4).click()
    expect(scripted.locator("#src-4-4")).to_be_visible()
    plain.goto(scripted.url)
    expect(plain.locator("#src-4-4")).to_be_in_viewport()
    expect(plain.locator("#src-4-4")).to_have_class(FLASH)
    expect(plain.locator("#sources-4")).to_have_attribute("data-open", "true")


@pytest.mark.parametrize("modifier", ["Control", "Shift"])
def test_a_modified_click_opens_the_same_state_elsewhere(
    browser: Browser, site: Site, modifier: Literal["Control", "Shift"]
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(site.links["battery"])
    with context.expect_page() as opened:
        superscript(page, "4", 4).click(modifiers=[modifier])
    expect(opened.value.locator("#src-4-4")).to_be_visible()
    expect(page.locator("#src-4-4")).to_be_hidden()
    context.close()


def test_it_works_in_rounds_that_came_in_later(scripted: Page, long_link: str) -> None:
    scripted.goto(long_link)
    expect(scripted.locator("#m-104")).to_have_count(0)
    scripted.locator("a[rel=next]").scroll_into_view_if_needed()
    expect(scripted.locator("#m-104")).to_have_count(1)
    superscript(scripted, "104", 1).click()
    expect(scripted.locator("#src-104-1")).to_be_focused()
    expect(scripted).to_have_url(re.compile(r"cite=104\.1#src-104-1$"))


def test_an_entry_leads_back_to_each_sentence_that_cites_it(page: Page, site: Site) -> None:
    page.goto(site.links["deadline"])
    backs = page.locator("#src-107-1 .back")
    expect(backs).to_have_count(3)
    for number in (1, 2, 3):
        backs.nth(number - 1).click()
        expect(page).to_have_url(re.compile(f"#ref-107-1-{number}$"))
        sentence = page.locator(f"#ref-107-1-{number}")
        expect(sentence).to_be_in_viewport()
        assert sentence.evaluate("(place) => place.matches(':target')")


def test_find_in_page_reaches_a_folded_panel(scripted: Page, site: Site) -> None:
    # A text fragment is looked for as find in page does it.
    scripted.goto(site.links["battery"] + "#:~:text=Safety%20of%20sodium")
    expect(scripted.locator("#src-4-5")).to_be_in_viewport()
    expect(scripted.locator("#sources-4")).to_have_attribute("data-open", "true")
    expect(scripted.locator("#sources-4 .fold")).to_have_attribute("aria-expanded", "true")


def test_the_passage_is_labelled_and_unfolds_in_its_entry(page: Page, site: Site) -> None:
    page.goto(site.links["battery"] + "?cite=4.4#src-4-4")
    box = page.locator("#src-4-4 .passage-box")
    expect(box.locator(".source-words")).to_be_hidden()
    box.locator("summary").click()
    expect(box.locator(".source-words")).to_have_text("Three of five lots went to sodium-ion bids.")
    expect(box.locator("mark")).to_have_text(["Three", "five", "lots"])
    expect(box).to_contain_text("It proves nothing by itself.")
