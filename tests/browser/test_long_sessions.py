"""A long session comes in as one reads on, and does not jump when one reads back."""

import json
from pathlib import Path

import pytest
from browser_site import Site
from playwright.sync_api import Browser, expect

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
