"""A share in a frame on another origin, with the snippet as it is shown, in Chromium."""

import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import micawber
import pytest
from browser_site import Site
from playwright.sync_api import Browser, Page, expect
from sessions import jsonl, turn

Host = Callable[[str], str]


WATCH_STORES = """
  window.used = [];
  const watch = (object, name) => Object.defineProperty(object, name, {
    configurable: true,
    get: () => { window.used.push(name); return undefined; },
    set: () => { window.used.push(name); },
  });
  for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches", "cookieStore"]) watch(window, name);
  watch(Document.prototype, "cookie");
"""
"""Notes each use of anything that a browser keeps for a page."""


class _Pages(BaseHTTPRequestHandler):
    """Another site; ``pages`` by their paths."""

    pages: dict[str, str]

    def do_GET(self) -> None:
        page = self.pages.get(self.path)
        self.send_response(200 if page else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write((page or "").encode())

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def other_site() -> Iterator[tuple[str, dict[str, str]]]:
    """The origin of another site, and its pages."""
    pages: dict[str, str] = {}
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Pages", (_Pages,), {"pages": pages}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}", pages
    server.shutdown()
    server.server_close()


@pytest.fixture
def hosted(other_site: tuple[str, dict[str, str]]) -> Host:
    """The address of a page of the other site that holds a piece of HTML."""
    origin, pages = other_site

    def put(html: str) -> str:
        path = f"/{len(pages)}"
        pages[path] = f"<!doctype html><html lang=en><title>Blog</title><h1>Blog</h1>{html}<p id=after>After</p></html>"
        return origin + path

    return put


@pytest.fixture(scope="module")
def embedded(site: Site, other_site: tuple[str, dict[str, str]], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The link of a share that pages of the other site may show."""
    path: Path = tmp_path_factory.mktemp("embed") / "embed.jsonl"
    sources = [{"title": f"Page {n}", "url": f"https://a.example/{n}", "content": f"Words {n}."} for n in (1, 2, 3)]
    path.write_bytes(jsonl(turn("First[^1^]. Second[^2^]. Third[^3^].\n\n" + "words " * 400, results=sources)))
    return site.manage("publish", str(path), "--embed", other_site[0]).strip()


def oembed(site: Site, link: str) -> dict[str, object]:
    """What a site that shows links is told, as micawber asks for it."""
    told: dict[str, object] = micawber.Provider(f"{site.url}/oembed").request(link)
    return told


@pytest.fixture
def snippet(site: Site, embedded: str) -> str:
    return str(oembed(site, embedded)["html"])


def frame_height(page: Page) -> int:
    height: int = page.evaluate("document.querySelector('iframe').getBoundingClientRect().height")
    return height


@pytest.fixture(params=[True, False], ids=["with JavaScript", "without JavaScript"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=request.param, locale="en-GB", reduced_motion="reduce")
    opened = context.new_page()
    opened.set_default_timeout(10_000)
    yield opened
    assert context.cookies() == []
    context.close()


@pytest.fixture
def scripted(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(locale="en-GB")
    opened = context.new_page()
    opened.set_default_timeout(10_000)
    yield opened
    assert context.cookies() == []
    context.close()


def test_an_allowed_site_shows_the_share_and_its_citations_work(page: Page, hosted: Host, snippet: str) -> None:
    page.goto(hosted(snippet))
    inside = page.frame_locator("iframe")
    expect(inside.locator(".message-body").last).to_contain_text("Third")
    inside.locator("#m-4 .cite-ref a").nth(1).click()
    expect(inside.locator("#src-4-2")).to_have_class(re.compile("cite-flash"))
    expect(inside.locator("#src-4-2")).to_contain_text("Page 2")


def test_an_allowed_site_can_search(page: Page, hosted: Host, snippet: str) -> None:
    page.goto(hosted(snippet))
    inside = page.frame_locator("iframe")
    inside.get_by_role("searchbox").fill("second")
    inside.get_by_role("searchbox").press("Enter")
    inside.locator(".words a", has_text="Second").click()
    expect(inside.locator("#m-4 mark.passage")).to_have_text("Second")
    expect(page.get_by_role("heading", name="Blog")).to_be_visible()


def test_an_allowed_site_can_fold(page: Page, hosted: Host, snippet: str) -> None:
    page.goto(hosted(snippet))
    inside = page.frame_locator("iframe")
    inside.locator("#sources-4 .fold").click()
    expect(inside.locator("#sources-4")).to_have_attribute("data-open", "false")
    inside.locator("#steps-4 .fold").click()
    expect(inside.locator("#steps-4")).to_have_attribute("data-open", "true")


def test_another_site_is_refused_by_the_browser(scripted: Page, site: Site, hosted: Host, snippet: str) -> None:
    complaints: list[str] = []
    scripted.on("console", lambda message: complaints.append(message.text))
    # The same page under another name of the same machine: another origin.
    scripted.goto(hosted(snippet).replace("localhost", "127.0.0.1"))
    scripted.wait_for_timeout(500)
    assert any("frame-ancestors" in complaint for complaint in complaints)
    expect(scripted.frame_locator("iframe").locator(".message-body")).to_have_count(0)


def test_the_frame_is_as_high_as_what_it_shows(scripted: Page, hosted: Host, snippet: str) -> None:
    scripted.goto(hosted(snippet))
    inside = scripted.frame_locator("iframe")
    expect(inside.locator("#m-4")).to_be_visible()
    scripted.wait_for_function("document.querySelector('iframe').style.height !== ''")
    folded = frame_height(scripted)
    assert folded == pytest.approx(inside.locator("html").evaluate("one => one.getBoundingClientRect().height"), abs=1)
    inside.locator("#steps-4 .fold").click()
    scripted.wait_for_function(f"document.querySelector('iframe').getBoundingClientRect().height > {folded + 50}")


def test_only_the_frame_itself_sets_its_height(scripted: Page, hosted: Host, snippet: str) -> None:
    scripted.goto(hosted(snippet))
    scripted.wait_for_function("document.querySelector('iframe').style.height !== ''")
    before = frame_height(scripted)
    scripted.evaluate("postMessage({type: 'shareview:height', height: 5000}, '*')")
    scripted.wait_for_timeout(200)
    assert frame_height(scripted) == before


def test_the_frame_keeps_nothing_in_the_browser(scripted: Page, hosted: Host, snippet: str) -> None:
    scripted.add_init_script(WATCH_STORES)
    scripted.goto(hosted(snippet))
    scripted.frame_locator("iframe").locator("#m-4 .cite-ref a").first.click()
    expect(scripted.frame_locator("iframe").locator("#src-4-1")).to_have_class(re.compile("cite-flash"))
    inside = scripted.frames[1]
    assert inside.evaluate("window.used") == []
    inside.evaluate("document.cookie = 'a=b'; window.caches")
    assert inside.evaluate("window.used") == ["cookie", "caches"]


def test_the_frame_leads_to_the_full_page(scripted: Page, hosted: Host, snippet: str, embedded: str) -> None:
    scripted.goto(hosted(snippet))
    with scripted.context.expect_page() as opened:
        scripted.frame_locator("iframe").get_by_role("link", name="Open the full page").click()
    expect(opened.value.locator("#m-4")).to_be_visible()
    assert opened.value.url == embedded


def test_the_frame_takes_its_theme_from_its_address(scripted: Page, hosted: Host, snippet: str) -> None:
    scripted.goto(hosted(snippet.replace('/" title', '/?theme=dark" title')))
    inside = scripted.frame_locator("iframe")
    expect(inside.locator("html")).to_have_attribute("data-theme", "dark")
    assert inside.locator("html").evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(20, 23, 26)"


def test_a_page_that_forbids_foreign_scripts_shows_the_frame_at_its_own_height(
    scripted: Page, hosted: Host, snippet: str
) -> None:
    scripted.goto(hosted(snippet.partition("\n")[0]))
    expect(scripted.frame_locator("iframe").locator("#m-4")).to_be_visible()
    assert frame_height(scripted) == 600


def test_the_trial_page_of_the_admin_shows_one_frame_and_not_the_other(
    scripted: Page, site: Site, embedded: str
) -> None:
    found = re.search(r"sign in as (\S+) with (\S+)", (site.data_dir / "log").read_text())
    assert found is not None
    scripted.goto(f"{site.url}/admin/")
    scripted.get_by_label("Username").fill(found[1])
    scripted.get_by_label("Password").fill(found[2])
    scripted.get_by_role("button", name="Log in").click()
    scripted.goto(f"{site.url}/admin/shares/share/?q={embedded}")
    scripted.locator("#result_list tbody th a").click()
    with scripted.context.expect_page() as opened:
        scripted.get_by_role("link", name="Try it out").click()
    trial = opened.value
    expect(trial.frame_locator("iframe >> nth=0").locator("#m-4")).to_be_visible()
    trial.locator("iframe >> nth=1").scroll_into_view_if_needed()
    trial.wait_for_timeout(500)
    expect(trial.frame_locator("iframe >> nth=1").locator("#m-4")).to_have_count(0)
    trial.frame_locator("iframe >> nth=0").locator("#m-4 .cite-ref a").first.click()
    expect(trial.frame_locator("iframe >> nth=0").locator("#src-4-1")).to_have_class(re.compile("cite-flash"))
    scripted.context.clear_cookies()


def test_a_consumer_of_oembed_is_told_of_a_frame(site: Site, embedded: str) -> None:
    told = oembed(site, embedded)
    assert (told["type"], told["version"], told["provider_name"]) == ("rich", "1.0", "shareview")
    assert told["title"] == "Question 1?"


def test_a_consumer_of_oembed_puts_the_frame_in_place_of_a_link(site: Site, embedded: str) -> None:
    known = micawber.ProviderRegistry()
    known.register(re.escape(site.url) + r"/s/\S+", micawber.Provider(f"{site.url}/oembed"))
    assert f'<iframe src="{site.url}/embed/' in micawber.parse_text(embedded, known)


def test_a_consumer_of_oembed_is_told_nothing_of_a_closed_share(site: Site) -> None:
    locked = site.publish_locked("battery.en.jsonl", "open sesame")
    ended = site.manage("publish", "shareview/shares/samples/battery.en.jsonl").strip()
    site.manage("revoke", ended, "--reason", "test")
    for link in (locked, ended, f"{site.url}/s/{'x' * 32}/"):
        with pytest.raises(micawber.exceptions.ProviderException):
            oembed(site, link)
