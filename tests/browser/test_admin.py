"""An admin signs in with what the demo printed, pastes a link, ends it, and reads the proof."""

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


def publish(site: Site, *options: str) -> list[str]:
    return site.manage("publish", "shareview/shares/samples/battery.en.jsonl", *options).split()


def open_share(admin: Page, site: Site, link: str) -> None:
    admin.goto(f"{site.url}/admin/shares/share/")
    admin.locator("#searchbar").fill(link)
    admin.locator("#searchbar").press("Enter")
    expect(admin.locator("#result_list tbody tr")).to_have_count(1)
    admin.locator("#result_list tbody th a").click()


def confirm(admin: Page, reason: str) -> None:
    admin.get_by_label("Reason").fill(reason)
    admin.locator(".submit-row input[type=submit]").click()


def test_a_pasted_link_is_ended_with_a_reason_and_proved_to_be_dead(admin: Page, site: Site) -> None:
    (link,) = publish(site)
    open_share(admin, site, link)
    admin.get_by_role("button", name="Revoke").click()
    expect(admin.locator(".warning")).to_contain_text("410 Gone")
    confirm(admin, "sent to the wrong list")
    proved = re.compile(r"All \d+ requests were answered with 410 Gone.")
    expect(admin.locator(".proof .verdict")).to_contain_text(proved)
    answer = admin.goto(link)
    assert answer is not None
    assert answer.status == 410


def test_of_three_recipients_ending_one_leaves_two(admin: Page, site: Site) -> None:
    links = publish(site, "--recipient", "Acme", "--recipient", "王芳", "--recipient", "Bob")
    marks = set()
    for link in links:
        admin.goto(link)
        marks.add(admin.locator("svg.watermark text").first.text_content())
    assert len(marks) == 3
    open_share(admin, site, links[1])
    admin.get_by_role("button", name="Revoke").click()
    confirm(admin, "left the project")
    statuses = [answer.status for link in links if (answer := admin.goto(link))]
    assert statuses == [200, 410, 200]


def test_a_stopped_session_is_published_again_only_once_it_is_released(admin: Page, site: Site) -> None:
    link = site.links["deadline"]
    open_share(admin, site, publish(site, "--recipient", "Eve")[0])
    admin.get_by_role("link", name="recipient “Eve”").click()
    admin.get_by_label("Reason").fill("a complaint")
    admin.get_by_role("button", name="Show what ends").click()
    expect(admin.locator("h2")).to_have_text("1 link ends")
    admin.get_by_role("button", name="Stop everything").click()
    expect(admin.locator(".messagelist")).to_have_text("Stopped; 1 link ended.")
    refused = site.refusal("publish", "shareview/shares/samples/battery.en.jsonl", "--recipient", "EVE")
    assert "was stopped on" in refused
    admin.locator("#action-toggle").check()
    admin.locator("select[name=action]").select_option("release")
    admin.get_by_role("button", name="Run").or_(admin.get_by_role("button", name="Go")).click()
    confirm(admin, "settled")
    expect(admin.locator(".messagelist")).to_have_text("1 stop released.")
    assert publish(site, "--recipient", "Eve")
    answer = admin.goto(link)
    assert answer is not None
    assert answer.status == 200


def test_no_page_of_the_admin_breaks_the_policy(admin: Page, site: Site) -> None:
    complaints: list[str] = []
    admin.on("console", lambda message: complaints.append(message.text))
    admin.on("pageerror", lambda error: complaints.append(str(error)))
    for page in ("shares/share/", "shares/auditentry/", "shares/stop/add/", "snapshots/snapshot/", "second-factor/"):
        admin.goto(f"{site.url}/admin/{page}")
    open_share(admin, site, site.links["battery"])
    assert [line for line in complaints if "favicon" not in line] == []


def test_the_admin_tells_nobody_else_where_one_is(admin: Page, site: Site) -> None:
    answer = admin.goto(f"{site.url}/admin/shares/share/")
    assert answer is not None
    assert answer.headers["referrer-policy"] == "same-origin"
    answer = admin.goto(next(iter(site.links.values())))
    assert answer is not None
    assert answer.headers["referrer-policy"] == "no-referrer"
