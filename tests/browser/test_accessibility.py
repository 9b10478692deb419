"""Reading with a keyboard, with a screen reader, at any width."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser_site import Site
from playwright.sync_api import Browser, Page, expect
from sessions import jsonl, turn

STATES = [
    ("battery", ""),
    ("battery", "?open=all"),
    ("battery", "?cite=4.4#src-4-4"),
    ("deadline", "?open=all"),
    ("deadline", "?cite=107.1#src-107-1"),
    ("threads", "?open=all"),
    ("threads", "search/?q=%E6%AF%94%E5%96%BB"),
    ("threads", "?thread=B"),
    ("threads", "?thread=A&quote=C1.1#m-A2a"),
    ("threads", "?thread=A&at=A2b&exact=no+such+words#m-A2b"),
    ("claims", "?open=all"),
    ("claims", "?claim=a1.span_0002#card-a1"),
    ("claims", "m/a1/claims/"),
    ("claims", "documents/doc_mcp/"),
    ("long", "?part=2"),
    ("odd", ""),
    ("checking", ""),
    ("none", ""),
    ("locked", ""),
]
FORMS = [(320, "light", "zh"), (1440, "dark", "en"), (768, "light", "en")]


@pytest.mark.parametrize(("width", "theme", "lang"), FORMS)
def test_axe_finds_nothing_in_any_state(
    browser: Browser, site: Site, long_link: str, tmp_path: Path, width: int, theme: str, lang: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    export = tmp_path / "odd.jsonl"
    export.write_bytes(jsonl(turn("- [ ] open\n- [x] done\n\n# a\n\n#### b\n\n| |\n|-|\n|x|")))
    odd = site.manage("publish", str(export), "--title", "Long " * 40).strip()
    export.write_bytes(jsonl(turn(f"An answer that waits at {width}.")))
    model = {"SHAREVIEW_LLM_BASE_URL": "http://127.0.0.1:9/v1", "SHAREVIEW_LLM_MODEL": "none"}
    checking = site.manage("publish", str(export), "--annotate", **model).strip()
    links = {**site.links, "odd": odd, "checking": checking, "long": long_link, "none": f"{site.url}/s/none/"}
    links["locked"] = site.publish_locked("battery.en.jsonl", "open sesame")
    found = []
    for name, state in STATES:
        query, _, place = state.partition("#")
        page.goto(f"{links[name]}{query}{'&' if query else '?'}lang={lang}&theme={theme}#{place}")
        for fault in Axe().run(page).response["violations"]:
            found += [(name, state, fault["id"], node["html"]) for node in fault["nodes"]]
    context.close()
    assert found == []


def test_the_first_stop_of_a_keyboard_skips_to_the_conversation(page: Page, site: Site) -> None:
    page.goto(site.links["battery"])
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the conversation")).to_be_focused()
    expect(page.locator(".skip")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#rounds")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('#rounds') !== null")


def test_all_is_reached_and_done_by_keyboard_with_the_focus_in_sight(page: Page, site: Site) -> None:
    page.goto(site.links["battery"])
    page.locator("#rounds").focus()
    seen = []
    for _ in range(30):
        page.keyboard.press("Tab")
        focused = page.locator(":focus")
        name = focused.evaluate("(element) => element.getAttribute('aria-label') ?? element.textContent.trim()")
        seen.append(name)
        expect(focused).to_be_in_viewport()
        expect(focused).not_to_have_css("outline-style", "none")
        if name == "Source 4: Grid storage tender results":
            break
    assert "1 search, reasoning" in seen
    page.keyboard.press("Enter")
    expect(page.locator("#src-4-4")).to_be_in_viewport()
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_be_in_viewport()


def test_a_superscript_is_announced_with_its_source(page: Page, site: Site) -> None:
    page.goto(site.links["battery"])
    link = page.get_by_role("link", name="Source 4: Grid storage tender results")
    expect(link).to_have_text("[4]")
    page.goto(site.links["battery"] + "?lang=zh")
    expect(page.get_by_role("link", name="来源 4：Grid storage tender results")).to_have_count(1)


def test_a_fold_announces_its_state(page: Page, site: Site) -> None:
    page.goto(site.links["battery"])
    fold = page.get_by_role("link", name="Sources 6")
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.click()
    expect(page.get_by_role("link", name="Sources 6")).to_have_attribute("aria-expanded", "true")


def test_headings_of_the_page_are_in_order(page: Page, site: Site) -> None:
    page.goto(site.links["battery"] + "?open=all")
    levels = page.locator("h1, h2, h3, h4").evaluate_all(
        "(found) => found.filter((heading) => !heading.closest('.prose')).map((heading) => heading.localName)"
    )
    assert levels == ["h1", "h2", "h3"]


def test_headings_of_an_answer_stand_below_those_of_the_page(scripted: Page, site: Site) -> None:
    scripted.goto(site.links["battery"])
    expect(scripted.get_by_role("heading", name="Short answer")).to_have_attribute("aria-level", "3")


def test_a_table_in_an_answer_keeps_its_rows_and_can_be_scrolled_by_keyboard(scripted: Page, site: Site) -> None:
    scripted.goto(site.links["battery"])
    box = scripted.get_by_role("group", name="Table")
    expect(box).to_have_attribute("tabindex", "0")
    expect(box.get_by_role("row")).to_have_count(4)
    expect(box.get_by_role("columnheader")).to_have_count(2)


def test_a_message_in_another_language_says_so(page: Page, site: Site) -> None:
    page.goto(site.links["deadline"] + "?lang=en")
    assert page.locator("#m-107 .message-body").get_attribute("lang") == "zh"
    page.goto(site.links["deadline"] + "?lang=zh")
    assert page.locator("#m-107 .message-body").get_attribute("lang") is None
    page.goto(site.links["battery"] + "?lang=zh")
    assert page.locator("#m-4 .message-body").get_attribute("lang") == ""
