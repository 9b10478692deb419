"""What is measured in the picture: contrast of the watermark, length of lines, what stays inside."""

import io
from collections import Counter
from pathlib import Path

import pytest
from browser_site import Site
from PIL import Image
from playwright.sync_api import Browser, Page, expect
from sessions import jsonl, turn

Colour = tuple[int, ...]


def picture(page: Page, **clip: float) -> Image.Image:
    """A part of what is on the screen."""
    return Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")  # type: ignore[arg-type] # x, y, width, height


def luminance(colour: Colour) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [value / 255 for value in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    """Contrast ratio (WCAG 2.2)."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def paper_and_farthest(image: Image.Image) -> tuple[Colour, Colour]:
    """The commonest colour, and the one that differs most from it."""
    counted = Counter(zip(*(band.tobytes() for band in image.split()), strict=True))
    ((paper, _),) = counted.most_common(1)
    return paper, max(counted, key=lambda colour: contrast(colour, paper))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_watermark_is_legible_and_the_text_over_it_too(browser: Browser, site: Site, theme: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{site.links['battery']}?theme={theme}&lang=en")
    # The margin under the table of rounds holds nothing but the mark.
    paper, mark = paper_and_farthest(picture(page, x=0, y=500, width=420, height=390))
    box = page.locator("#m-4 .message-body > p").first.bounding_box()
    assert box is not None
    _, ink = paper_and_farthest(picture(page, x=box["x"], y=box["y"], width=box["width"], height=box["height"]))
    assert contrast(mark, paper) >= 1.12
    assert contrast(ink, mark) >= 7
    page.close()


def test_the_watermark_is_never_in_the_way(page: Page, site: Site) -> None:
    page.goto(site.links["battery"])
    mark = page.locator("svg.watermark")
    expect(mark).to_have_css("pointer-events", "none")
    expect(mark).to_have_css("user-select", "none")
    expect(mark).to_have_attribute("aria-hidden", "true")


@pytest.mark.parametrize(
    ("words", "least", "most"),
    [("the quick brown fox jumps over a dog " * 12, 62, 78), ("可信的引用要能核对" * 30, 36, 42)],
)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_line_holds_as_many_letters_as_are_read_with_ease(
    browser: Browser, site: Site, tmp_path: Path, words: str, least: int, most: int, lang: str
) -> None:
    export = tmp_path / "session.jsonl"
    export.write_bytes(jsonl(turn(words.strip())))
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(site.manage("publish", str(export)).strip() + f"?lang={lang}")
    first_line = page.locator(".message[data-role=assistant] .message-body p").evaluate(
        """(p) => { const range = document.createRange(), text = p.firstChild;
        const top = (at) => {
          range.setStart(text, at);
          range.setEnd(text, at + 1);
          return range.getBoundingClientRect().top;
        };
        let at = 0;
        while (top(at) - top(0) < 5) at++;
        return at; }"""
    )
    page.close()
    assert least <= first_line <= most


@pytest.fixture(scope="module")
def unruly(site: Site, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Long words, a wide table, wide code, a long formula of a URL, and a title of 5,000 letters."""
    path: Path = tmp_path_factory.mktemp("unruly") / "unruly.jsonl"
    word, row = "w" * 400, "|" + "cell|" * 40
    answer = (
        f"{word}[^1^]\n\n{row}\n|{'-|' * 40}\n{row}\n\n```\n{'code ' * 100}\n```\n\n- {word}\n\n> {word}\n\n"
        f"`{word}` https://a.example/{word} ![{word}](https://{'h' * 60}.example/x.png)\n\n# {word}"
    )
    results = [{"title": word, "url": f"https://{'d' * 60}.example/{word}", "content": word}]
    path.write_bytes(
        jsonl([{"kind": "session", "id": "u", "title": "T" * 5_000}, *turn(answer, results=results, model=word)])
    )
    return site.manage("publish", str(path), "--recipient", "R" * 150).strip()


@pytest.mark.parametrize("width", [320, 360, 768, 1440])
def test_nothing_makes_the_page_scroll_sideways(browser: Browser, site: Site, unruly: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800})
    page = context.new_page()
    for link in (*site.links.values(), unruly):
        for query in ("?open=all", "?open=all&lang=zh"):
            page.goto(link + query)
            assert page.evaluate("document.documentElement.scrollWidth") == width
    context.close()


def test_a_title_of_5000_letters_leaves_room_for_the_conversation(browser: Browser, unruly: str) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 780})
    page.goto(unruly)
    box = page.locator("#title").bounding_box()
    assert box is not None
    assert box["height"] < 780
    page.close()


CONTROLS = (
    ".choices a, .fold, .rail a, .rail summary, summary, .extras a, .site-foot a, .round-no a, .more a, .tools a, "
    ".permalink, button, .freeze a"
)


def test_a_finger_hits_every_control(browser: Browser, site: Site, long_link: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 780}, has_touch=True, is_mobile=True)
    page = context.new_page()
    for address in (
        *(f"{link}?open=all" for link in site.links.values()),
        site.links["battery"],
        f"{long_link}?part=2",
    ):
        page.goto(address)
        small = page.locator(CONTROLS).evaluate_all(
            """(found) => found.map((control) => [control, control.getBoundingClientRect()])
              .filter(([control, box]) => box.height && (box.height < 44 || box.width < 44))
              .map(([control, box]) => `${control.className} ${control.textContent} ${box.width} × ${box.height}`)"""
        )
        assert small == []
    context.close()


def test_a_superscript_can_be_hit_with_a_finger(browser: Browser, site: Site) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 780}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(site.links["deadline"])
    boxes = page.locator(".cite-ref a").evaluate_all(
        "(found) => found.map((link) => getComputedStyle(link, '::after')).map((box) => [box.width, box.height])"
    )
    assert all(float(height.removesuffix("px")) >= 44 for _, height in boxes)
    # Two that touch: each is hit at its own middle.
    first, second = page.locator("#m-107 li .cite-ref a").all()[1:3]
    for link in (first, second):
        link.scroll_into_view_if_needed()
        assert link.evaluate(
            """(link) => { const box = link.getBoundingClientRect();
            return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === link; }"""
        )
    context.close()


def test_a_text_from_right_to_left_stands_so(page: Page, site: Site, tmp_path: Path) -> None:
    export = tmp_path / "session.jsonl"
    export.write_bytes(jsonl(turn("שלום עולם[^1^]\n\n- פריט\n\nEnglish again.")))
    page.goto(site.manage("publish", str(export)).strip())
    body = page.locator(".message[data-role=assistant] .message-body")
    expect(body).to_have_css("direction", "rtl")
    box, line = body.bounding_box(), body.locator("li").bounding_box()
    assert box is not None
    assert line is not None
    assert box["x"] + box["width"] - (line["x"] + line["width"]) > 15


def test_code_reads_from_left_to_right_in_any_text(page: Page, site: Site, tmp_path: Path) -> None:
    export = tmp_path / "session.jsonl"
    export.write_bytes(jsonl(turn("שלום `foo(a, b);`\n\n```js\n// done.\n```\n\n    plain(a - 1);")))
    page.goto(site.manage("publish", str(export)).strip())
    for code in page.locator(".message[data-role=assistant] code").all():
        expect(code).to_have_css("direction", "ltr")
        first, last = code.evaluate(
            """(code) => { const text = document.createTreeWalker(code, NodeFilter.SHOW_TEXT).nextNode();
            return [0, 1].map((at) => { const range = document.createRange(); range.setStart(text, at);
              range.setEnd(text, at + 1); return range.getBoundingClientRect().left; }); }"""
        )
        assert first < last


def test_the_theme_is_the_systems_until_one_is_chosen(browser: Browser, site: Site) -> None:
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(site.links["battery"] + "?lang=en")
    expect(page.locator("html")).to_have_css("background-color", "rgb(20, 23, 26)")
    page.get_by_role("link", name="Light").click()
    expect(page.locator("html")).to_have_css("background-color", "rgb(252, 252, 250)")
    page.locator("#m-4 .cite-ref a").first.click()
    expect(page.locator(".cite-flash")).to_have_count(1)
    assert "theme=light" in page.url
    context.close()
