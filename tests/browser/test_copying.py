"""Copying code, an answer with its sources, and the link of a message."""

import re
from pathlib import Path

import pytest
from browser_site import Site
from playwright.sync_api import Page, expect

CODE = 'cells = {"na": 47, "lfp": 52}  # USD/kWh [^2^]\nprint(cells["na"], arr[0], arr[12])\n'


def copied(page: Page) -> str:
    """What the clipboard holds."""
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text


def test_code_is_copied_as_it_stands(scripted: Page, site: Site) -> None:
    scripted.goto(site.links["battery"])
    scripted.get_by_role("button", name="Copy code").click()
    expect(scripted.get_by_role("status")).to_have_text("Copied")
    assert copied(scripted) == CODE
    expect(scripted.get_by_role("status")).to_have_count(0)


def test_the_button_adds_nothing_to_the_text_of_the_message(scripted: Page, plain: Page, site: Site) -> None:
    texts = []
    for page in (scripted, plain):
        page.goto(site.links["battery"])
        texts.append(page.locator("#m-4 .message-body").text_content())
    assert texts[0] == texts[1]


def test_an_answer_is_copied_as_markdown_with_its_sources(scripted: Page, site: Site) -> None:
    scripted.goto(site.links["battery"])
    scripted.locator("#m-4 .tools a").click()
    expect(scripted.locator("#m-4 .tools").get_by_role("status")).to_have_text("Copied")
    text = copied(scripted)
    assert text.startswith("## Short answer\n")
    assert "1. **Price**: 47 vs 52 USD/kWh[2]\n" in text
    assert "4. [Grid storage tender results](<https://tenders.example/2026/grid-17>)\n" in text
    assert scripted.url == site.links["battery"]


def test_the_link_of_a_message_is_copied_and_leads_to_it(scripted: Page, long_link: str) -> None:
    scripted.goto(long_link)
    scripted.locator("#m-60").get_by_role("link", name="Link to this message").click()
    expect(scripted.locator("#m-60").get_by_role("status")).to_have_text("Copied")
    link = copied(scripted)
    assert link == f"{long_link}?at=60#m-60"
    scripted.goto("about:blank")
    scripted.goto(link)
    expect(scripted.locator("#m-60")).to_be_in_viewport()


def test_without_javascript_the_same_links_lead_to_the_same(plain: Page, site: Site, tmp_path: Path) -> None:
    plain.goto(site.links["battery"])
    expect(plain.locator(".message").get_by_role("button")).to_have_count(0)
    with plain.expect_download() as downloading:
        plain.locator("#m-4 .tools a").click()
    downloading.value.save_as(tmp_path / "answer.md")
    assert (tmp_path / "answer.md").read_text().startswith("## Short answer\n")
    assert re.fullmatch(r"s-[0-9A-Z]{7}\.md", downloading.value.suggested_filename)
    plain.locator("#m-4 .permalink").click()
    expect(plain).to_have_url(f"{site.links['battery']}?at=4#m-4")


@pytest.mark.parametrize("refused", ["write", "writeText"])
def test_where_nothing_may_be_copied_the_reader_is_not_left_with_nothing(
    scripted: Page, site: Site, refused: str
) -> None:
    scripted.goto(site.links["battery"])
    scripted.evaluate(f"() => {{ navigator.clipboard.{refused} = () => Promise.reject(new Error()); }}")
    if refused == "writeText":
        scripted.get_by_role("button", name="Copy code").click()
        scripted.wait_for_function("() => String(getSelection()).startsWith('cells =')")
    else:
        scripted.locator("#m-4 .permalink").click()
        expect(scripted).to_have_url(re.compile(r"at=4#m-4$"))
