"""An admin signs in with what the demo printed, and ends a link."""

import re

import pytest
from browser_site import Site
from playwright.sync_api import Browser, Page, expect


@pytest.fixture
def admin(browser: Browser, site: Site) -> Page:
    page = browser.new_context(locale="en-GB").new_page()
    page.set_default_timeout(10_000)
    found = re.search(r"sign in as (\S+) with (\S+)", (site.data_dir / "log").read_text())
    assert found is not None
    page.goto(f"{site.url}/admin/")
    page.get_by_label("Username").fill(found[1])
    page.get_by_label("Password").fill(found[2])
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("link", name="Shares").first).to_be_visible()
    return page


def test_an_admin_ends_a_link(admin: Page, site: Site) -> None:
    link = site.manage("publish", "shareview/shares/samples/battery.en.jsonl", "--recipient", "To be ended").strip()
    admin.goto(f"{site.url}/admin/shares/share/?q=To+be+ended")
    admin.locator("#action-toggle").check()
    admin.locator("select[name=action]").select_option("revoke")
    admin.get_by_role("button", name="Run").or_(admin.get_by_role("button", name="Go")).click()
    expect(admin.locator(".messagelist")).to_have_text("1 link ended.")
    answer = admin.goto(link)
    assert answer is not None
    assert answer.status == 410


def test_the_admin_tells_nobody_else_where_one_is(admin: Page, site: Site) -> None:
    answer = admin.goto(f"{site.url}/admin/shares/share/")
    assert answer is not None
    assert answer.headers["referrer-policy"] == "same-origin"
    answer = admin.goto(next(iter(site.links.values())))
    assert answer is not None
    assert answer.headers["referrer-policy"] == "no-referrer"
