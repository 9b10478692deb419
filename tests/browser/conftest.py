"""A real browser against the real server, started as a newcomer starts it: with the demo command."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from browser_site import CHROMIUM, FLAGS, Site, running_demo
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from sessions import jsonl, turn


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what needs a browser; without one it is skipped, unless a browser is required."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if CHROMIUM is None and not os.environ.get("SHAREVIEW_REQUIRE_BROWSER"):
                item.add_marker(pytest.mark.skip(reason="no chromium on PATH"))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The demo, on a port and in a directory of its own."""
    with running_demo(tmp_path_factory.mktemp("demo")) as site:
        yield site


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """
    Debian's Chromium, without a window.

    Playwright's synchronous interface keeps an event loop running in the thread of the tests, and under a loop
    Django keeps another set of database connections; so it stops where a module ends, before the next one's tests.
    """
    assert CHROMIUM is not None, "a browser is required and there is no chromium on PATH"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield running
        running.close()


@contextmanager
def _watched(context: BrowserContext, site: Site) -> Iterator[Page]:
    """A page that must neither break the policy, nor ask anybody else, nor set a cookie."""
    page = context.new_page()
    page.set_default_timeout(10_000)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda asked: complaints.append(asked.url) if not asked.url.startswith(site.url) else None)
    yield page
    assert complaints == []
    assert context.cookies() == []
    context.close()


@pytest.fixture(params=[True, False], ids=["with JavaScript", "without JavaScript"])
def page(request: pytest.FixtureRequest, browser: Browser, site: Site) -> Iterator[Page]:
    """A watched page, once with JavaScript and once without."""
    context = browser.new_context(java_script_enabled=request.param, locale="en-GB", reduced_motion="reduce")
    with _watched(context, site) as watched:
        yield watched


@pytest.fixture
def scripted(browser: Browser, site: Site) -> Iterator[Page]:
    """A watched page with JavaScript, on which things may move and texts may be copied."""
    context = browser.new_context(locale="en-GB", reduced_motion="no-preference")
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.url)
    with _watched(context, site) as watched:
        yield watched


@pytest.fixture
def plain(browser: Browser, site: Site) -> Iterator[Page]:
    """A watched page without JavaScript."""
    with _watched(browser.new_context(java_script_enabled=False, locale="en-GB"), site) as watched:
        yield watched


@pytest.fixture(scope="session")
def long_link(site: Site, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A session of 120 rounds in five parts; the answer of round N is message 4 N and cites one source."""
    path: Path = tmp_path_factory.mktemp("long") / "long.jsonl"
    records = [
        record
        for number in range(1, 121)
        for record in turn(
            f"Answer {number}[^1^]\n\n{'words ' * 120}",
            first=4 * number - 3,
            results=[{"title": f"Page {number}", "url": f"https://a.example/{number}", "content": "Some words."}],
        )
    ]
    path.write_bytes(jsonl(records))
    return site.manage("publish", str(path)).strip()
