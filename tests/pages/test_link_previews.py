"""What messengers and pages that list links are shown: what the share lets them, and of a closed one nothing."""

import io
import json
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from page_reading import page_of
from PIL import Image
from sessions import PublishRecords, turn

from shareview.pages.preview_image import PreviewCard, draw_preview
from shareview.shares.models import PreviewDetail, Share
from shareview.shares.publish import ShareTerms
from shareview.shares.unlocking import Unlocking
from shareview.snapshots.hiding import Hiding
from shareview.snapshots.withholding import Withholding

BASE = "https://share.example.org"
SESSION = {"kind": "session", "title": "Batteries"}


@pytest.fixture(autouse=True)
def _base(settings: LazySettings) -> None:
    settings.SHAREVIEW_BASE_URL = BASE


def metas(reader: Client, share: Share, query: str = "") -> dict[str, str]:
    """Open Graph and Twitter data of a page."""
    found = {}
    for meta in page_of(reader, share, query).iter("meta"):
        name = meta.get("property") or meta.get("name") or ""
        if name.startswith(("og:", "twitter:")):
            found[name] = meta.get("content") or ""
    return found


def oembed(reader: Client, share: Share, **query: str) -> dict[str, object]:
    response = reader.get("/oembed", {"url": f"{BASE}/s/{share.token()}/", **query})
    assert response.status_code == 200
    told: dict[str, object] = json.loads(response.content)
    return told


def test_a_page_says_title_date_and_picture(publish: PublishRecords, reader: Client) -> None:
    share = publish([SESSION, *turn("An answer.")])
    link = f"{BASE}/s/{share.token()}/"
    assert metas(reader, share) == {
        "og:type": "article",
        "og:site_name": "shareview",
        "og:title": "Batteries",
        "og:description": "Read-only share of a conversation, frozen 2026-01-05.",
        "og:url": link,
        "og:image": f"{link}preview.png",
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": "Batteries",
        "twitter:card": "summary_large_image",
        "twitter:title": "Batteries",
        "twitter:description": "Read-only share of a conversation, frozen 2026-01-05.",
        "twitter:image": f"{link}preview.png",
    }


def test_a_page_leads_to_its_oembed_answer(publish: PublishRecords, reader: Client) -> None:
    share = publish(turn("An answer."))
    links = [one for one in page_of(reader, share).iter("link") if one.get("type") == "application/json+oembed"]
    (address,) = [one.get("href") or "" for one in links]
    assert address.startswith(f"{BASE}/oembed?")
    assert reader.get(address.removeprefix(BASE)).status_code == 200


def test_content_is_told_only_where_the_share_says_so(publish: PublishRecords, reader: Client) -> None:
    records = turn("**High voltage** ages cells[^1^].\n\n- so stop at 80 %")
    assert "voltage" not in str(metas(reader, publish(records)))
    telling = publish(records, ShareTerms(preview=PreviewDetail.CONTENT))
    assert metas(reader, telling)["og:description"] == "High voltage ages cells. so stop at 80 %"


def test_an_answer_that_was_left_out_is_not_told(publish: PublishRecords, reader: Client) -> None:
    share = publish(
        turn("Secret."),
        ShareTerms(preview=PreviewDetail.CONTENT),
        withholding=Withholding(Hiding(messages=frozenset({"4"}))),
    )
    assert metas(reader, share)["og:description"].startswith("Read-only share")


def test_a_share_without_a_preview_has_none(publish: PublishRecords, reader: Client) -> None:
    share = publish(turn("An answer."), ShareTerms(preview=PreviewDetail.NONE))
    assert metas(reader, share) == {}
    assert reader.get(f"/s/{share.token()}/preview.png").status_code == 404
    assert reader.get("/oembed", {"url": f"{BASE}/s/{share.token()}/"}).status_code == 404


@pytest.mark.parametrize("path", ["/s/{}/", "/s/{}/preview.png", f"/oembed?url={BASE}/s/{{}}/"])
def test_of_a_share_with_a_password_nothing_is_told(publish: PublishRecords, reader: Client, path: str) -> None:
    share = publish([SESSION, *turn("An answer.")], ShareTerms(password="open sesame", preview=PreviewDetail.CONTENT))
    response = reader.get(path.format(share.token()))
    assert response.status_code == 401
    assert b'property="og:' not in response.content
    assert b"Batteries" not in response.content


def test_not_even_with_its_key_has_a_share_with_a_password_a_preview(publish: PublishRecords, reader: Client) -> None:
    share = publish([SESSION, *turn("An answer.")], ShareTerms(password="open sesame"))
    now = timezone.now()
    headers = {"X-Share-Key": Unlocking(share, now).key(now=now)}
    page = reader.get(f"/s/{share.token()}/", headers=headers)
    assert page.status_code == 200
    assert b'property="og:' not in page.content
    assert reader.get(f"/s/{share.token()}/preview.png", headers=headers).status_code == 404
    assert reader.get("/oembed", {"url": f"{BASE}/s/{share.token()}/"}, headers=headers).status_code == 404


def test_of_an_ended_and_an_unknown_share_nothing_is_told(publish: PublishRecords, reader: Client) -> None:
    share = publish([SESSION, *turn("An answer.")])
    Share.objects.update(expires_at=timezone.now() - timedelta(days=1))
    for token, status in ((share.token(), 410), ("x" * 32, 404)):
        for path in (f"/s/{token}/", f"/s/{token}/preview.png", f"/oembed?url={BASE}/s/{token}/"):
            response = reader.get(path)
            assert response.status_code == status
            assert b"Batteries" not in response.content
            assert b'property="og:' not in response.content


def test_oembed_is_a_link_where_no_page_may_show_the_share(publish: PublishRecords, reader: Client) -> None:
    told = oembed(reader, publish([SESSION, *turn("An answer.")]))
    assert (told["version"], told["type"], told["title"]) == ("1.0", "link", "Batteries")
    assert "html" not in told
    assert (told["thumbnail_width"], told["thumbnail_height"]) == (1200, 630)


def test_oembed_is_a_frame_where_a_page_may(publish: PublishRecords, reader: Client) -> None:
    share = publish([SESSION, *turn("An answer.")], ShareTerms(embeds=["https://blog.example.org"]))
    told = oembed(reader, share)
    assert (told["type"], told["width"], told["height"]) == ("rich", 720, 600)
    assert f'<iframe src="{BASE}/embed/{share.token()}/" title="Batteries" width="720"' in str(told["html"])


def test_oembed_keeps_to_the_size_that_is_asked_for(publish: PublishRecords, reader: Client) -> None:
    share = publish(turn("An answer."), ShareTerms(embeds=["https://blog.example.org"]))
    told = oembed(reader, share, maxwidth="500", maxheight="300")
    assert (told["width"], told["height"]) == (500, 300)
    assert "thumbnail_url" not in told
    assert oembed(reader, share, maxwidth="-5", maxheight="wide")["width"] == 720


@pytest.mark.parametrize(
    "address",
    ["", "https://elsewhere.example/s/{}/", "javascript:alert(1)", "{}", "https://share.example.org.evil/s/{}/"],
)
def test_oembed_knows_no_address_of_another_site(publish: PublishRecords, reader: Client, address: str) -> None:
    share = publish(turn("An answer."))
    assert reader.get("/oembed", {"url": address.format(share.token())}).status_code == 404


def test_oembed_has_no_other_format_than_json(publish: PublishRecords, reader: Client) -> None:
    share = publish(turn("An answer."))
    assert reader.get("/oembed", {"url": f"{BASE}/s/{share.token()}/", "format": "xml"}).status_code == 501


HOSTILE = '=HYPERLINK("http://evil")\r\nSet-Cookie: a=b <script>alert(1)</script>"\' onload=x \u202egpj.exe'


def test_a_hostile_title_stays_text_wherever_it_is_told(publish: PublishRecords, reader: Client) -> None:
    share = publish(turn("A."), ShareTerms(title=HOSTILE, recipients=[HOSTILE], embeds=["https://blog.example.org"]))
    page = reader.get(f"/s/{share.token()}/")
    assert b"<script>alert" not in page.content
    assert "Set-Cookie" not in page.headers
    assert metas(reader, share)["og:title"] == (
        '=HYPERLINK("http://evil") Set-Cookie: a=b <script>alert(1)</script>"\' onload=x gpj.exe'
    )
    html = str(oembed(reader, share)["html"])
    assert "<script>alert" not in html
    assert html.count("<script") == 1
    assert "\n" not in html.split("></iframe>", maxsplit=1)[0]
    assert reader.get(f"/s/{share.token()}/preview.png").status_code == 200


def card(**fields: str) -> PreviewCard:
    plain = {
        "title": "Batteries",
        "excerpt": "",
        "site": "share.example.org",
        "frozen": "2026-01-05",
        "watermark": "Acme",
    }
    return PreviewCard(**{**plain, **fields})


def ink(picture: Image.Image, box: tuple[int, int, int, int]) -> int:
    """How many dark pixels there are in ``box``."""
    return sum(value < 110 for value in picture.convert("L").crop(box).tobytes())


def test_the_picture_is_of_the_size_that_it_is_said_to_be(publish: PublishRecords, reader: Client) -> None:
    response = reader.get(f"/s/{publish(turn('A.')).token()}/preview.png")
    picture = Image.open(io.BytesIO(response.content))
    assert (picture.format, picture.size, response["Content-Type"]) == ("PNG", (1200, 630), "image/png")
    assert response["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert len(response.content) < 200_000


def test_the_picture_is_not_sent_again_to_whoever_has_it(publish: PublishRecords, reader: Client) -> None:
    address = f"/s/{publish(turn('A.')).token()}/preview.png"
    tag = reader.get(address)["ETag"]
    assert reader.get(address, headers={"If-None-Match": tag}).status_code == 304


def test_a_frame_of_another_site_has_no_picture_of_its_own(publish: PublishRecords, reader: Client) -> None:
    share = publish(turn("A."), ShareTerms(embeds=["https://blog.example.org"]))
    assert reader.get(f"/embed/{share.token()}/preview.png").status_code == 404


def test_ideographs_are_drawn_each_as_it_is() -> None:
    title = (80, 140, 1120, 260)
    pictures = [draw_preview(card(title=title_)) for title_ in ("電", "池", "龘")]
    drawn = [ink(Image.open(io.BytesIO(picture)), title) for picture in pictures]
    assert min(drawn) > 300
    assert len(set(pictures)) == 3
    # What the font lacks is a box; 龘 is far denser than 池.
    assert drawn[2] > 1.4 * drawn[1]


def test_the_mark_is_drawn_over_all_of_it() -> None:
    bare, marked = (draw_preview(card(watermark=mark)) for mark in ("", "For Acme only"))
    boxes = [(0, 20, 400, 200), (800, 20, 1200, 200), (0, 330, 400, 500), (800, 330, 1200, 500)]
    for box in boxes:
        plain, other = (Image.open(io.BytesIO(one)).convert("L").crop(box).tobytes() for one in (bare, marked))
        assert sum(abs(a - b) > 8 for a, b in zip(plain, other, strict=True)) > 100


@pytest.mark.parametrize(
    "title",
    [
        "",
        "x" * 10_000,
        "字" * 10_000,
        "a " * 5_000,
        "😀😀😀",
        "\u202e\u0000\ud7ff",
        "W" * 41,
        "（）" * 50,
        "שלום عليكم",
    ],
)
def test_any_title_can_be_drawn(title: str) -> None:
    picture = Image.open(io.BytesIO(draw_preview(card(title=title, excerpt=title, watermark=title[:500]))))
    assert picture.size == (1200, 630)
    # Nothing runs over the edge: the margin on the right has no ink but the mark's, which is light.
    assert ink(picture, (1130, 20, 1200, 630)) == 0
