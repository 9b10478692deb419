"""A share with a password in Chromium: on its own and in a frame of another site, without any cookie."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from browser_site import CHROMIUM, FLAGS, Site
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, expect

PASSWORD = "open sesame"
SANDBOX = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"


@pytest.fixture(scope="module")
def host() -> Iterator[ThreadingHTTPServer]:
    """Another site, whose one page shows whatever address it is asked for in a frame."""

    class Host(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            frame = self.path.partition("?")[2]
            page = (
                "<!doctype html><title>Other site</title>"
                f'<iframe src="{frame}" width="700" height="700" sandbox="{SANDBOX}"></iframe>'
            )
            self.wfile.write(page.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Host)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def locked(site: Site, host: ThreadingHTTPServer) -> str:
    return site.publish_locked("battery.en.jsonl", PASSWORD, "--embed", f"http://localhost:{host.server_port}")


@pytest.fixture(scope="module")
def strict_browser(browser: Browser) -> Iterator[Browser]:
    """Chromium as it is without third-party cookies."""
    flags = [*FLAGS, "--test-third-party-cookie-phaseout"]
    running = browser.browser_type.launch(executable_path=CHROMIUM, args=flags)
    yield running
    running.close()


@pytest.fixture(params=[True, False], ids=["with JavaScript", "without JavaScript"])
def context(request: pytest.FixtureRequest, strict_browser: Browser) -> Iterator[BrowserContext]:
    context = strict_browser.new_context(
        java_script_enabled=request.param, locale="en-GB", reduced_motion="reduce", accept_downloads=True
    )
    yield context
    assert context.cookies() == []
    context.close()


def enter(place: Page | FrameLocator) -> None:
    place.get_by_label("Password").fill(PASSWORD)
    place.get_by_role("button", name="Open").click()
    expect(place.locator("h1")).to_contain_text("Sodium-ion")


def use(place: Page | FrameLocator) -> None:
    """Folds and follows a citation."""
    place.locator("#steps-4 .fold").click()
    expect(place.locator("#steps-4 .tool").first).to_be_visible()
    place.locator("#m-4 .cite-ref[data-n='4']").first.locator("a, button").click()
    expect(place.locator("#src-4-4")).to_be_in_viewport()
    expect(place.locator("#steps-4")).to_have_attribute("data-open", "true")
    place.locator("#sources-4 .fold").click()
    expect(place.locator("#sources-4")).to_have_attribute("data-open", "false")


def change_theme(page: Page) -> None:
    """What was opened stays open in another theme."""
    page.get_by_text("Dark", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("#steps-4")).to_have_attribute("data-open", "true")


def open_everything(frame: FrameLocator) -> None:
    """Another page of the share, within the frame."""
    frame.get_by_text("Open everything, to print").first.click()
    expect(frame.locator("body")).to_have_attribute("data-everything", "")
    expect(frame.locator("#sources-4")).to_have_attribute("data-open", "true")


def framed(page: Page, host: ThreadingHTTPServer, link: str) -> FrameLocator:
    page.goto(f"http://localhost:{host.server_port}/?{link.replace('/s/', '/embed/')}")
    return page.frame_locator("iframe")


def test_it_is_searched_with_its_key_in_a_foreign_frame(
    context: BrowserContext, host: ThreadingHTTPServer, locked: str
) -> None:
    frame = framed(context.new_page(), host, locked)
    enter(frame)
    frame.get_by_role("searchbox").fill("undercuts")
    frame.get_by_role("searchbox").press("Enter")
    frame.locator(".words").locator("a, button").first.click()
    expect(frame.locator("#m-4 mark.passage")).to_have_text("undercuts")


def test_the_password_opens_it_in_a_foreign_frame(
    context: BrowserContext, host: ThreadingHTTPServer, locked: str
) -> None:
    frame = framed(context.new_page(), host, locked)
    expect(frame.locator("body")).not_to_contain_text("Sodium")
    frame.get_by_label("Password").fill("guess")
    frame.get_by_role("button", name="Open").click()
    expect(frame.get_by_role("alert")).to_have_text("That is not the password.")
    enter(frame)
    use(frame)
    open_everything(frame)


def test_the_frame_leads_to_the_full_page_without_asking_again(
    context: BrowserContext, host: ThreadingHTTPServer, locked: str
) -> None:
    frame = framed(context.new_page(), host, locked)
    enter(frame)
    with context.expect_page() as opened:
        frame.get_by_text("Open the full page").click()
    expect(opened.value.locator("h1")).to_contain_text("Sodium-ion")
    assert opened.value.url == locked


def test_the_password_opens_the_page_itself(context: BrowserContext, locked: str) -> None:
    page = context.new_page()
    page.goto(locked)
    enter(page)
    use(page)
    change_theme(page)


def test_what_is_downloaded_comes_with_the_key(context: BrowserContext, locked: str) -> None:
    page = context.new_page()
    page.goto(locked)
    enter(page)
    with page.expect_download() as download:
        page.get_by_text("export.md", exact=True).click()
    path: Path = download.value.path()
    assert "Sodium-ion or LFP" in path.read_text()


@pytest.fixture
def page(strict_browser: Browser) -> Iterator[Page]:
    context = strict_browser.new_context(locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(10_000)
    yield page
    context.close()


def test_a_frame_on_a_site_that_was_not_named_shows_nothing(page: Page, host: ThreadingHTTPServer, locked: str) -> None:
    page.goto(f"http://127.0.0.1:{host.server_port}/?{locked.replace('/s/', '/embed/')}")
    page.wait_for_timeout(500)
    assert "Password" not in page.frames[1].content()


def test_back_and_forward_go_through_what_was_opened(page: Page, locked: str) -> None:
    page.goto(locked)
    enter(page)
    page.locator("#steps-4 .fold").click()
    expect(page.locator("#steps-4")).to_have_attribute("data-open", "true")
    page.locator("#m-4 .cite-ref[data-n='4'] a").first.click()
    expect(page.locator("#src-4-4")).to_be_focused()
    page.go_back()
    expect(page.locator("#sources-4")).to_have_attribute("data-open", "false")
    expect(page.locator("#steps-4")).to_have_attribute("data-open", "true")
    page.go_forward()
    expect(page.locator("#src-4-4")).to_be_in_viewport()
    page.locator("#steps-4 .fold").click()
    expect(page.locator("#steps-4")).to_have_attribute("data-open", "false")


def test_loading_it_again_asks_for_the_password(page: Page, locked: str) -> None:
    page.goto(locked)
    enter(page)
    page.wait_for_load_state()  # The script that makes it an address of its own runs before that.
    page.reload()
    expect(page.locator("h1")).to_have_text("A password is needed")


def test_back_from_elsewhere_shows_no_more_than_the_form(page: Page, site: Site, locked: str) -> None:
    page.goto(locked)
    enter(page)
    page.goto(f"{site.url}/healthz")
    page.go_back()
    expect(page.locator("h1")).to_have_text("A password is needed")
    assert "Sodium" not in page.content()


def share_of(site: Site) -> tuple[str, str]:
    link = site.manage("publish", "shareview/shares/samples/battery.en.jsonl").strip()
    return link, link.rstrip("/").rsplit("/", 1)[1]


CLOSE = {
    "revoked": ("revoke_shares(share, reason='', actor=actor, now=now)", "This link has ended"),
    "paused": ("pause_shares(share, reason='', actor=actor, now=now)", "This link is not open now"),
    "replaced": (
        "rotate_shares(share, reason='', actor=actor, now=now, token_key=KEY, random=secrets.token_bytes)",
        "This link has ended",
    ),
    "locked": ("change_password(share, 'x', reason='', actor=actor, now=now)", "A password is needed"),
    "expired": ("share.update(expires_at=now)", "This link has ended"),
    "put off": ("share.update(starts_at=now + timedelta(days=1))", "This link is not open now"),
}


@pytest.mark.parametrize("how", CLOSE)
def test_back_never_shows_a_share_that_was_closed_meanwhile(page: Page, site: Site, how: str) -> None:
    link, token = share_of(site)
    code, title = CLOSE[how]
    page.goto(link)
    expect(page.locator("h1")).to_contain_text("Sodium-ion")
    page.goto(f"{site.url}/healthz")
    site.manage(
        "shell", "--no-imports", "-c",
        "import secrets; from datetime import timedelta; from django.conf import settings; "
        "from django.utils import timezone; from shareview.shares.actors import Actor; "
        "from shareview.shares.models import Share; from shareview.shares.revoke import revoke_shares; "
        "from shareview.shares.terms import *; KEY = settings.SHAREVIEW_TOKEN_KEY; actor = Actor('a', '-'); "
        "now = timezone.now(); "
        f"share = Share.objects.with_token({token!r}); {code}",
    )  # fmt: skip
    page.go_back()
    expect(page.locator("h1")).to_have_text(title)
    assert "Sodium" not in page.content()
