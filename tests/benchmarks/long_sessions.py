"""What a long session costs a reader's browser: 10,000 messages beside 100, in Chromium.

Run as ``python -m tests.benchmarks.long_sessions``; prints a table. Loading is the median of seven visits.
"""

import json
import shutil
import statistics
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.figures import Figure, write_table
from tests.benchmarks.publishing import session
from tests.benchmarks.serving import run, server

VISITS: Final = 7
SCREENS: Final = 300
FLAGS: Final = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
FRAMES: Final = """() => {
  window.frames_ = [];
  let last = performance.now();
  const next = (now) => { window.frames_.push(now - last); last = now; requestAnimationFrame(next); };
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(next); });
}"""
TIMES: Final = """() => {
  const [visit] = performance.getEntriesByType("navigation");
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  return [paint.startTime, visit.loadEventEnd];
}"""


def visit(browser: Browser, link: str) -> tuple[float, float]:
    """Milliseconds to the first paint and to the end of loading, with nothing kept from before."""
    page = browser.new_context().new_page()
    page.goto(link, wait_until="load")
    page.wait_for_timeout(300)
    painted, loaded = page.evaluate(TIMES)
    page.context.close()
    return painted, loaded


def loading(browser: Browser, links: Mapping[int, str]) -> dict[int, tuple[float, float]]:
    """The medians for each session, visited by turns."""
    seen: dict[int, list[tuple[float, float]]] = {size: [] for size in links}
    for _ in range(VISITS):
        for size, link in links.items():
            seen[size].append(visit(browser, link))
    return {
        size: (statistics.median(one[0] for one in times), statistics.median(one[1] for one in times))
        for size, times in seen.items()
    }


def scrolling(page: Page, link: str, screens: int = SCREENS) -> tuple[float, int]:
    """The longest frame in milliseconds while reading down ``screens`` screens, and how many messages came in."""
    page.goto(link)
    page.wait_for_timeout(500)
    page.evaluate(FRAMES)
    for _ in range(screens):
        page.mouse.wheel(0, 700)
        page.wait_for_timeout(60)
    frames = page.evaluate("window.frames_")
    return max(frames), page.locator("article").count()


def jumping(page: Page, link: str, messages: range) -> tuple[float, int]:
    """Milliseconds to open the page at a message, at most, and how many messages stood where they should."""
    right, longest = 0, 0.0
    for message in messages:
        page.goto(f"{link}?at={message}#m-{message}", wait_until="load")
        page.wait_for_timeout(300)
        top = page.evaluate("(id) => document.getElementById(id)?.getBoundingClientRect().top ?? -1", f"m-{message}")
        height = page.evaluate("innerHeight")
        right += 0 <= top < height
        longest = max(longest, page.evaluate(TIMES)[1])
    return longest, right


def figures() -> Iterator[Figure]:
    """Loading, scrolling and jumping."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        run(folder, "migrate", "-v0")
        run(folder, "collectstatic", "--noinput", "-v0")
        variables = {"SHAREVIEW_DATA_DIR": str(folder), "SHAREVIEW_DEMO": "1"}
        with server("shareview.wsgi:application", variables, folder) as (port, _pid):
            base = f"http://127.0.0.1:{port}"
            links = {}
            for size in (100, 10_000):
                export = folder / f"{size}.jsonl"
                export.write_text("".join(json.dumps(record) + "\n" for record in session(size)), encoding="utf-8")
                links[size] = run(folder, "publish", str(export), SHAREVIEW_BASE_URL=base).strip()
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(FLAGS))
            yield from _in_browser(browser, links)
            browser.close()


def _in_browser(browser: Browser, links: Mapping[int, str]) -> Iterator[Figure]:
    times = loading(browser, links)
    for what, number in (("first paint", 0), ("loaded", 1)):
        small, large = times[100][number], times[10_000][number]
        yield Figure(what, f"{small:.0f} and {large:.0f} ms", large / small, 1.5)
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    frame, count = scrolling(page, links[10_000])
    yield Figure(f"longest frame, scrolling past {count} messages", f"{frame:.0f} ms", frame, 100, unit="ms")
    jumps = range(77, 10_000, 397)
    longest, right = jumping(page, links[10_000], jumps)
    missed = len(jumps) - right
    yield Figure(f"jumps to {len(jumps)} messages that went wrong", f"{longest:.0f} ms at most", missed, 0, unit="")


if __name__ == "__main__":
    write_table("10,000 messages in Chromium, beside 100", figures())
