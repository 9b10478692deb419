"""The card of a claim: beside the words, by mouse, keyboard and finger, and as a page without JavaScript."""

import re

import pytest
from browser_site import Site
from playwright.sync_api import Browser, Locator, Page, expect

CARD = "#evidence-card"


def superscript(page: Page, block: str) -> Locator:
    """The superscript of an evidence block."""
    return page.locator(f".cite-ref[data-block='{block}'] a")


def test_a_click_opens_it_beside_the_words_without_scrolling(scripted: Page, site: Site) -> None:
    scripted.goto(site.links["claims"] + "?lang=en")
    superscript(scripted, "b00014").scroll_into_view_if_needed()
    before = scripted.evaluate("scrollY")
    superscript(scripted, "b00014").click()
    card = scripted.locator(CARD)
    expect(card).to_be_visible()
    expect(card.locator(".title")).to_have_text(["[2] MCP 部署", "[3] MCP 部署"])
    expect(card.locator(".evidence .verdict")).to_have_text(["cannot be told", "supported"])
    expect(superscript(scripted, "b00014")).to_have_attribute("aria-expanded", "true")
    assert scripted.evaluate("scrollY") == before
    place, box = superscript(scripted, "b00014").bounding_box(), card.bounding_box()
    assert place is not None
    assert box is not None
    assert box["y"] >= place["y"] + place["height"] - 1 or box["y"] + box["height"] <= place["y"] + 1
    assert min(abs(box["y"] - place["y"] - place["height"]), abs(box["y"] + box["height"] - place["y"])) < 40


def test_the_words_of_the_claim_are_marked_while_it_is_open(scripted: Page, site: Site) -> None:
    scripted.goto(site.links["claims"])
    superscript(scripted, "b00013").click()
    expect(scripted.locator(CARD)).to_be_visible()
    extent = "() => [...CSS.highlights.get('claim') ?? []].map(String)"
    assert scripted.evaluate(extent) == ["本地 MCP server 也运行在宿主机上。"]
    scripted.keyboard.press("Escape")
    expect(scripted.locator(CARD)).to_be_hidden()
    assert scripted.evaluate(extent) == []


@pytest.mark.parametrize("way", ["Escape", "outside", "scroll"])
def test_it_closes(scripted: Page, site: Site, way: str) -> None:
    scripted.set_viewport_size({"width": 1200, "height": 500})
    scripted.goto(site.links["claims"])
    superscript(scripted, "b00012").click()
    expect(scripted.locator(CARD)).to_be_visible()
    if way == "Escape":
        scripted.keyboard.press("Escape")
    elif way == "outside":
        scripted.locator("h1").click(force=True)
    else:
        scripted.mouse.move(20, 400)
        scripted.mouse.wheel(0, 200)
    expect(scripted.locator(CARD)).to_be_hidden()
    expect(superscript(scripted, "b00012")).not_to_have_attribute("aria-expanded", "true")


def test_the_keyboard_opens_reads_and_leaves_it(scripted: Page, site: Site) -> None:
    scripted.goto(site.links["claims"] + "?lang=en")
    scripted.locator(".claims-summary a").last.focus()
    for _ in range(12):
        scripted.keyboard.press("Tab")
        if superscript(scripted, "b00012").evaluate("(link) => link === document.activeElement"):
            break
    card = scripted.locator(CARD)
    expect(card).to_be_visible()
    expect(superscript(scripted, "b00012")).to_be_focused()
    scripted.keyboard.press("Tab")
    expect(card.get_by_role("link", name="View the document")).to_be_focused()
    scripted.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(superscript(scripted, "b00012")).to_be_focused()
    scripted.wait_for_timeout(300)
    expect(card).to_be_hidden()


def test_a_finger_opens_it_as_a_sheet(browser: Browser, site: Site) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 780}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(site.links["claims"])
    superscript(page, "b00020").tap()
    card = page.locator(CARD)
    expect(card).to_be_visible()
    box = card.bounding_box()
    assert box is not None
    assert (box["x"], round(box["width"]), round(box["y"] + box["height"])) == (0, 360, 780)
    page.touchscreen.tap(180, 20)
    expect(card).to_be_hidden()
    context.close()


def test_its_document_leads_back_to_the_claim(page: Page, site: Site) -> None:
    page.goto(site.links["claims"] + "?lang=en&claim=a1.span_0002#card-a1")
    card = page.locator("#card-a1")
    expect(card).to_be_in_viewport()
    expect(page.locator("mark.claim")).to_have_text("本地 MCP server 也运行在宿主机上。")
    card.get_by_role("link", name="View the document").nth(1).click()
    expect(page).to_have_url(re.compile(r"documents/doc_mcp/\?lang=en#block-a1-b00014$"))
    expect(page.locator("#block-a1-b00014")).to_be_in_viewport()
    page.locator("#block-a1-b00014 .claim-list a").click()
    expect(page.locator("#card-a1")).to_be_in_viewport()


def test_without_javascript_the_link_leads_to_the_same(plain: Page, site: Site) -> None:
    plain.goto(site.links["claims"])
    superscript(plain, "b00020").click()
    expect(plain.locator("#card-a1")).to_be_in_viewport()
    expect(plain.locator("#card-a1 .title")).to_have_text("[4] 可用性报告")
    expect(plain.locator("mark.claim")).to_have_text(["用户负担", "无需解读 bash"])
    expect(plain.locator(CARD)).to_be_hidden()
