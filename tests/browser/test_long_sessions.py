"""A long session comes in as one reads on, and does not jump when one reads back."""

import json
from pathlib import Path

import pytest
from browser_site import Site
from playwright.sync_api import Browser, Page, expect

WORDS = "words " * 120


@pytest.fixture(scope="module")
def link(site: Site, tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("long") / "long.jsonl"
    with path.open("w") as export:
        for number in range(1, 121):
            question = {"id": 2 * number - 1, "role": "USER", "content": f"Question {number}"}
            answer = {"id": 2 * number, "role": "ASSISTANT", "content": f"Answer {number}\n\n{WORDS}"}
            export.write(json.dumps(question) + "\n" + json.dumps(answer) + "\n")
    return site.manage("publish", str(path)).strip()


def test_later_rounds_come_in_as_one_reads_down(browser: Browser, link: str) -> None:
    page = browser.new_page()
    page.goto(link)
    expect(page.locator("article")).to_have_count(100)
    for count in (200, 240):
        page.evaluate("scrollTo({top: document.body.scrollHeight, behavior: 'instant'})")
        expect(page.locator("article")).to_have_count(count)
    expect(page.locator("a[rel=next]")).to_have_count(0)
    page.close()


def test_earlier_rounds_come_in_on_a_click_without_a_jump(browser: Browser, link: str) -> None:
    page = browser.new_page()
    page.goto(f"{link}?at=239#m-239")
    expect(page.locator("#m-239")).to_be_in_viewport()
    expect(page.locator("#m-1")).to_have_count(0)
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    place = "document.getElementById('m-201').getBoundingClientRect().top"
    before = page.evaluate(place)
    page.locator("a[rel=prev]").click()
    expect(page.locator("article")).to_have_count(140)
    page.wait_for_function(f"() => Math.abs({place} - {before}) < 2")
    expect(page.locator(".round", has=page.locator("#m-201")).locator("a").first).to_be_focused()
    page.close()


def test_a_keyboard_goes_on_with_the_first_of_the_later_rounds(browser: Browser, link: str) -> None:
    page = browser.new_page(viewport={"width": 1000, "height": 300})
    page.goto(link)
    page.locator("a[rel=next]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#m-101")).to_have_count(1)
    expect(page.locator(".round", has=page.locator("#m-101")).locator("a").first).to_be_focused()
    page.close()


def test_a_part_that_is_asked_for_twice_comes_in_once(browser: Browser, link: str) -> None:
    page = browser.new_page()
    page.goto(link)
    page.evaluate("""() => {
        const more = document.querySelector("a[rel=next]");
        for (const _ of [1, 2]) htmx.ajax("GET", more.getAttribute("hx-get"), { target: more.closest(".more") });
    }""")
    expect(page.locator("article")).to_have_count(200)
    page.wait_for_timeout(1_000)
    assert page.locator("article").count() == 200
    page.close()


def test_rounds_that_came_in_can_be_folded_and_copied_as_the_first(browser: Browser, long_link: str) -> None:
    page = browser.new_page()
    page.goto(long_link)
    page.evaluate("scrollTo({top: document.body.scrollHeight, behavior: 'instant'})")
    page.locator("#steps-200 .fold").click()
    expect(page.locator("#steps-200")).to_have_attribute("data-open", "true")
    page.locator("#m-200 .cite-ref a").first.click()
    expect(page.locator("#src-200-1")).to_be_in_viewport()
    page.close()


def test_a_step_is_led_to_in_the_steps_that_are_opened_for_it(page: Page, long_link: str) -> None:
    page.goto(f"{long_link}?at=242#m-242")
    expect(page.locator("#steps-244")).to_have_attribute("data-open", "true")
    expect(page.locator("#m-242")).to_be_in_viewport()
    page.locator("#steps-244 .fold").click()
    expect(page.locator("#steps-244")).to_have_attribute("data-open", "false")


def test_no_frame_is_late_while_parts_come_in(browser: Browser, link: str) -> None:
    """The whole kind: what comes in is put in by pieces, each within a task of its own."""
    page = browser.new_page()
    page.goto(link)
    page.evaluate("""() => {
        window.sizes = [];
        const added = (changes) => changes.flatMap((one) => [...one.addedNodes]);
        const count = (changes) => added(changes).filter((node) => node.matches?.(".round"));
        const watch = new MutationObserver((changes) => window.sizes.push(count(changes).length));
        watch.observe(document.getElementById("rounds"), { childList: true });
    }""")
    page.evaluate("scrollTo({top: document.body.scrollHeight, behavior: 'instant'})")
    expect(page.locator("article")).to_have_count(200)
    assert max(page.evaluate("window.sizes")) == 2
    page.close()


def test_without_javascript_the_parts_are_pages_that_lead_to_each_other(browser: Browser, link: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(link)
    page.locator("a[rel=next]").click()
    expect(page.locator("article").first).to_have_id("m-101")
    page.locator("a[rel=prev]").click()
    expect(page.locator("article").first).to_have_id("m-1")
    context.close()
