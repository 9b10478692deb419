"""The address says what is shown, whatever was done before: sent on, reloaded, or come back to."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from browser_site import Site
from playwright.sync_api import Browser, Locator, Page, Route, expect
from sessions import jsonl, turn

SOURCES = [{"title": f"Page {n}", "url": f"https://a.example/{n}", "content": f"Words {n}."} for n in range(1, 8)]


@pytest.fixture(scope="module")
def link(site: Site, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Five rounds whose answers (4, 8 … 20) cite seven sources each."""
    path: Path = tmp_path_factory.mktemp("state") / "state.jsonl"
    answer = " ".join(f"Sentence[^{n}^]." for n in range(1, 8)) + "\n\n" + "words " * 300
    path.write_bytes(jsonl([record for n in range(5) for record in turn(answer, first=4 * n + 1, results=SOURCES)]))
    return site.manage("publish", str(path)).strip()


def query(page: Page) -> dict[str, list[str]]:
    """What the address asks for."""
    return parse_qs(urlsplit(page.url).query)


def superscript(page: Page, message: int, n: int) -> Locator:
    """The superscript of registry number ``n``."""
    return page.locator(f"#m-{message} .cite-ref[data-n='{n}'] a").first


def test_panels_opened_one_after_another_are_all_in_the_address(page: Page, link: str) -> None:
    page.goto(link)
    for message in (4, 8, 12):
        page.locator(f"#steps-{message} .fold").click()
        expect(page.locator(f"#steps-{message}")).to_have_attribute("data-open", "true")
    superscript(page, 4, 4).click()
    expect(page.locator("#src-4-4")).to_be_in_viewport()
    assert query(page)["open"] == ["12.steps,4.steps,8.steps"]
    page.reload()
    for message in (4, 8, 12):
        expect(page.locator(f"#steps-{message}")).to_have_attribute("data-open", "true")
    page.go_back()
    expect(page.locator("#sources-4")).to_have_attribute("data-open", "false")
    expect(page.locator("#steps-8")).to_have_attribute("data-open", "true")


def test_what_was_folded_stays_folded_while_something_else_is_opened(page: Page, link: str) -> None:
    page.goto(link)
    superscript(page, 4, 4).click()
    expect(page.locator("#sources-4")).to_have_attribute("data-open", "true")
    page.locator("#sources-4 .fold").click()
    expect(page.locator("#sources-4")).to_have_attribute("data-open", "false")
    page.locator("#steps-8 .fold").click()
    expect(page.locator("#steps-8")).to_have_attribute("data-open", "true")
    page.reload()
    expect(page.locator("#sources-4")).to_have_attribute("data-open", "false")


def test_another_theme_shows_the_same_state(page: Page, link: str) -> None:
    page.goto(f"{link}?lang=en")
    superscript(page, 8, 4).click()
    expect(page.locator("#src-8-4")).to_be_in_viewport()
    page.evaluate("scrollTo(0, 0)")
    page.get_by_role("link", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("#src-8-4")).to_be_in_viewport()
    assert query(page) == {"lang": ["en"], "cite": ["8.4"], "theme": ["dark"]}


@pytest.mark.parametrize(("state", "place"), [("?cite=20.4", "#src-20-4"), ("?at=20", "#m-20")])
def test_an_address_without_a_fragment_leads_to_its_place(scripted: Page, link: str, state: str, place: str) -> None:
    scripted.goto(link + state)
    expect(scripted.locator(place)).to_be_in_viewport()


def test_a_panel_folded_where_everything_is_open_leaves_the_rest_open(page: Page, link: str) -> None:
    page.goto(f"{link}?open=all")
    page.locator("#sources-4 .fold").click()
    expect(page.locator("#sources-4")).to_have_attribute("data-open", "false")
    page.reload()
    expect(page.locator("#sources-4")).to_have_attribute("data-open", "false")
    expect(page.locator("#sources-8")).to_have_attribute("data-open", "true")
    expect(page.locator("#steps-20")).to_have_attribute("data-open", "true")


def test_back_and_forward_find_the_place_in_rounds_that_came_in_later(scripted: Page, long_link: str) -> None:
    scripted.goto(long_link)
    # The last message of each part: its link leaves the sight while the rounds before it come in.
    for message in (200, 300):
        scripted.locator("a[rel=next]").scroll_into_view_if_needed()
        expect(scripted.locator(f"#m-{message}")).to_have_count(1)
    superscript(scripted, 240, 1).scroll_into_view_if_needed()
    before = superscript(scripted, 240, 1).bounding_box()
    superscript(scripted, 240, 1).click()
    expect(scripted.locator("#src-240-1")).to_be_focused()
    scripted.go_back()
    expect(scripted.locator("#src-240-1")).not_to_be_focused()
    expect(superscript(scripted, 240, 1)).to_be_in_viewport()
    after = superscript(scripted, 240, 1).bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) < 3
    scripted.go_forward()
    expect(scripted.locator("#src-240-1")).to_be_in_viewport()


def test_back_in_the_middle_of_a_scroll_and_forward_again_show_the_entry(scripted: Page, link: str) -> None:
    scripted.goto(link)
    superscript(scripted, 12, 7).click()
    expect(scripted).to_have_url(re.compile(r"cite=12\.7"))
    scripted.wait_for_timeout(60)
    scripted.go_back()
    expect(scripted.locator("#sources-12")).to_have_attribute("data-open", "false")
    scripted.go_forward()
    expect(scripted.locator("#src-12-7")).to_be_in_viewport()


def test_the_same_superscript_again_is_no_new_entry_of_the_history(scripted: Page, link: str) -> None:
    scripted.goto(link)
    for _ in range(3):
        superscript(scripted, 4, 4).click()
        expect(scripted.locator("#src-4-4")).to_be_focused()
    scripted.go_back()
    expect(scripted).to_have_url(link)


def test_of_two_clicks_the_later_one_counts(browser: Browser, link: str) -> None:
    # Not the watched page: htmx tells the console of each request that it ends.
    context = browser.new_context()
    page = context.new_page()
    page.goto(link)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile(r"cite=4\.1"), hold)
    with page.expect_request(re.compile(r"cite=4\.1")):
        superscript(page, 4, 1).click()
    superscript(page, 4, 4).click()
    expect(page.locator("#src-4-4")).to_be_focused()
    for late in held:
        late.continue_()
    page.wait_for_timeout(500)
    expect(page).to_have_url(re.compile(r"cite=4\.4"))
    expect(superscript(page, 4, 4)).to_have_attribute("aria-current", "true")
    context.close()


@pytest.mark.parametrize("place", ["#sources-4 .fold", "#steps-4 .fold"])
@pytest.mark.parametrize("modifier", ["Control", "Shift"])
def test_a_modified_click_on_a_fold_opens_elsewhere(browser: Browser, link: str, place: str, modifier: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(link)
    with context.expect_page() as opened:
        page.locator(place).click(modifiers=["Control" if modifier == "Control" else "Shift"])
    expect(opened.value.locator(place)).to_have_attribute("aria-expanded", "true")
    expect(page.locator(place)).to_have_attribute("aria-expanded", "false")
    context.close()


@pytest.mark.parametrize("id", [".", "..", "a/../b", "a b", "50%", "中", "~x", "a,b", 'q"<', "?x=1&y#z", "a.b.c"])
def test_a_message_may_be_called_anything(scripted: Page, site: Site, tmp_path: Path, id: str) -> None:
    records = turn("Sentence[^4^].", results=SOURCES)
    records[-1]["id"] = id
    records[-1].pop("x", None)
    for number, record in enumerate(records[:-1]):
        record["id"] = f"m{number}"
    export = tmp_path / "session.jsonl"
    export.write_bytes(jsonl(records))
    scripted.goto(site.manage("publish", str(export)).strip())
    scripted.locator(".cite-ref a").click()
    entry = scripted.locator(".cite-source")
    expect(entry).to_be_focused()
    scripted.locator(".steps .fold").click()
    expect(scripted.locator(".step .tool")).to_have_count(1)
    scripted.reload()
    expect(scripted.locator(".step .tool")).to_have_count(1)
    answer = scripted.request.get(scripted.locator(".tools a").evaluate("(link) => link.href"))
    assert answer.text().startswith("Sentence[1].\n")


def test_a_number_of_a_round_is_its_address(scripted: Page, plain: Page, long_link: str) -> None:
    scripted.goto(long_link)
    scripted.locator("a[rel=next]").scroll_into_view_if_needed()
    expect(scripted.locator("#round-30")).to_have_count(1)
    scripted.locator("#round-30 a").press("Enter")
    expect(scripted.locator("#round-1")).to_have_count(1)
    plain.goto(scripted.url)
    expect(plain.locator("#round-30")).to_be_in_viewport()


def test_folding_keeps_the_focus(scripted: Page, link: str) -> None:
    scripted.goto(link)
    for place in ("#sources-4 .fold", "#steps-4 .fold"):
        scripted.locator(place).focus()
        scripted.keyboard.press("Enter")
        expect(scripted.locator(place)).to_have_attribute("aria-expanded", "true")
        expect(scripted.locator(place)).to_be_focused()


def test_earlier_rounds_keep_the_focus(scripted: Page, long_link: str) -> None:
    scripted.goto(f"{long_link}?part=2")
    scripted.locator("a[rel=prev]").focus()
    scripted.keyboard.press("Enter")
    expect(scripted.locator("#m-4")).to_have_count(1)
    assert scripted.evaluate("document.activeElement.closest('#rounds') !== null")
