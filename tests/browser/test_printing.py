"""What is printed: everything, with its addresses and the watermark, and nothing cut."""

import io
from pathlib import Path
from unicodedata import normalize

import pypdfium2
import pytest
from browser_site import Site
from PIL import Image, ImageChops
from playwright.sync_api import Page
from pypdf import PdfReader
from sessions import jsonl, turn

FIRST_WORDS = ("Sodium", "LFP", "Cold", "Grid", "Safety", "Avery")
LONG_LINE = "value = " + " + ".join(f"part_{number}" for number in range(60)) + " + the_end_of_the_line"


def printed(page: Page) -> bytes:
    """The page as a PDF."""
    return page.pdf(format="A4", print_background=False)


def texts(pdf: bytes) -> list[str]:
    """The text of each sheet, without white space and ligatures."""
    return ["".join(normalize("NFKC", sheet.extract_text()).split()) for sheet in PdfReader(io.BytesIO(pdf)).pages]


def sheets(pdf: bytes) -> list[Image.Image]:
    """Each sheet as a grey picture, 72 dots an inch."""
    return [sheet.render(scale=1).to_pil().convert("L") for sheet in pypdfium2.PdfDocument(pdf)]


def test_the_link_for_printing_opens_everything(page: Page, site: Site) -> None:
    page.goto(site.links["battery"])
    page.get_by_role("link", name="Open everything, to print").first.click()
    page.wait_for_url("**/?open=all")
    text = "".join(texts(printed(page)))
    assert "Ishouldlookforprice,coldbehaviouranddensity." in text
    assert "thesodium-ionpackkept88%ofitscapacity" in text
    assert "[4]Gridstoragetenderresults" in text


def test_sources_are_printed_as_a_numbered_list_with_their_addresses(page: Page, site: Site) -> None:
    page.goto(site.links["battery"] + "?open=all")
    text = "".join(texts(printed(page)))
    places = [text.index(f"[{k}]{word}") for k, word in enumerate(FIRST_WORDS, 1)]
    assert places == sorted(places)
    assert "https://prices.example/lfp?month=2026-10" in text[places[1] : places[2]]


def test_a_page_that_was_not_opened_is_printed_with_its_sources_all_the_same(page: Page, site: Site) -> None:
    page.goto(site.links["battery"])
    text = "".join(texts(printed(page)))
    assert "https://tenders.example/2026/grid-17" in text
    assert "Threeoffivelotswenttosodium-ionbids." in text


def test_the_whole_digest_is_printed(page: Page, site: Site) -> None:
    page.goto(site.links["battery"])
    digest = page.locator(".freeze").get_attribute("data-digest")
    assert digest is not None
    assert digest in texts(printed(page))[0]


def test_controls_are_not_printed(scripted: Page, site: Site) -> None:
    scripted.goto(site.links["battery"] + "?open=all")
    text = "".join(texts(printed(scripted)))
    for words in ("Copycode", "Linktothismessage", "Backtothetext", "Verify", "System", "export.md"):
        assert words not in text


def test_the_watermark_is_on_every_sheet(scripted: Page, site: Site) -> None:
    scripted.goto(site.links["battery"] + "?open=all")
    marked = sheets(printed(scripted))
    scripted.evaluate("document.querySelector('svg.watermark').remove()")
    bare = sheets(printed(scripted))
    assert len(marked) == len(bare) >= 3
    for one, other in zip(marked, bare, strict=True):
        left, top, right, bottom = ImageChops.difference(one, other).getbbox() or (0, 0, 0, 0)
        assert right - left > 0.7 * one.width
        assert bottom - top > 0.7 * one.height


@pytest.fixture(scope="module")
def wide(site: Site, tmp_path_factory: pytest.TempPathFactory) -> str:
    """An answer with a long line of code and a table over several sheets."""
    path: Path = tmp_path_factory.mktemp("wide") / "wide.jsonl"
    columns = "|" + "".join(f"col{column}|" for column in range(24))
    rows = "".join(f"| Row {row} | {'words that wrap ' * 12} | end{row} |\n" for row in range(40))
    path.write_bytes(
        jsonl(
            turn(
                f"```python\n{LONG_LINE}\n```\n\n| a | b | c |\n|-|-|-|\n{rows}\n\n{columns}\n|{'-|' * 24}\n{columns}\n"
            )
        )
    )
    return site.manage("publish", str(path)).strip()


def test_no_line_of_code_is_cut(page: Page, wide: str) -> None:
    page.goto(wide)
    assert "part_59+the_end_of_the_line" in "".join(texts(printed(page)))


def test_no_column_is_cut(page: Page, wide: str) -> None:
    page.goto(wide)
    text = "".join(texts(printed(page)))
    assert all(text.count(f"col{column}") >= 2 for column in range(24))


def test_no_title_is_cut(page: Page, site: Site, tmp_path: Path) -> None:
    export = tmp_path / "session.jsonl"
    export.write_bytes(jsonl(turn("Answer")))
    title = "A title of many words " * 8 + "and its end"
    page.goto(site.manage("publish", str(export), "--title", title[:190] + " its end").strip())
    assert "itsend" in "".join(texts(printed(page)))


def test_no_table_row_is_torn_apart(page: Page, wide: str) -> None:
    page.goto(wide)
    pages = texts(printed(page))
    assert len(pages) > 2
    for row in range(40):
        (sheet,) = [text for text in pages if f"Row{row}words" in text]
        assert f"end{row}" in sheet
        assert sheet.count("wordsthatwrap" * 2) >= 1
