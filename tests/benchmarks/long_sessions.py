"""What a long session costs a reader's browser: 10,000 messages beside 100, in Chromium.

Run as ``python -m tests.benchmarks.long_sessions``; prints a table. Loading is the median of seven visits.
"""

import json
import shutil
import statistics
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks.publishing import session
from tests.benchmarks.serving import run, server

VISITS: Final = 7
SCREENS: Final = 120
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


def main() -> None:
    """Prints the table."""
    write = sys.stdout.write
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
            times = loading(browser, links)
            for what, number in (("first paint", 0), ("loaded", 1)):
                small, large = times[100][number], times[10_000][number]
                write(f"{what:30} {small:7.0f} ms {large:7.0f} ms  {large / small:5.2f} ×  (at most 1.5)\n")
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            frame, count = scrolling(page, links[10_000])
            write(f"{'longest frame, scrolling':30} {'':10} {frame:7.0f} ms  (at most 100; {count} messages seen)\n")
            jumps = range(77, 10_000, 397)
            longest, right = jumping(page, links[10_000], jumps)
            write(f"{'jump to a message':30} {'':10} {longest:7.0f} ms  {right} of {len(jumps)} right\n")
            browser.close()


if __name__ == "__main__":
    main()
