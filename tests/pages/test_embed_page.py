"""A share in a frame of another site: its own layout and headers, and the way to the whole page."""

import pytest
from django.test import Client
from page_reading import by_class, page_of, text
from sessions import PublishRecords, turn

from shareview.shares.models import Share
from shareview.shares.publish import ShareTerms


@pytest.fixture
def share(publish: PublishRecords) -> Share:
    return publish(turn("One[^1^]."), ShareTerms(embeds=["https://blog.example.org", "http://localhost:3000"]))


def test_the_frame_leads_to_the_full_page_in_the_same_state(share: Share, reader: Client) -> None:
    response = reader.get(f"/embed/{share.token()}/?cite=4.1&theme=dark")
    assert f'href="/s/{share.token()}/?cite=4.1" target="_blank"' in response.content.decode()


def test_the_frame_has_no_choices_and_the_page_has(share: Share, reader: Client) -> None:
    framed = reader.get(f"/embed/{share.token()}/").content.decode()
    assert 'class="choices"' not in framed
    assert "data-embed" in framed
    assert text(by_class(page_of(reader, share), "choices")[0])
    assert "data-embed" not in reader.get(f"/s/{share.token()}/").content.decode()


def test_the_frame_takes_its_theme_from_its_address(share: Share, reader: Client) -> None:
    assert 'data-theme="dark"' in reader.get(f"/embed/{share.token()}/?theme=dark").content.decode()


def test_every_link_of_the_frame_stays_in_it(share: Share, reader: Client) -> None:
    framed = reader.get(f"/embed/{share.token()}/").content.decode()
    assert framed.count(f'href="/s/{share.token()}/') == 1
    assert f'hx-get="/embed/{share.token()}/m/4/sources/' in framed


def test_the_frame_may_stand_in_pages_of_its_origins_alone(share: Share, reader: Client) -> None:
    headers = reader.get(f"/embed/{share.token()}/").headers
    policy = headers["Content-Security-Policy"]
    assert "frame-ancestors https://blog.example.org http://localhost:3000;" in f"{policy};"
    assert "X-Frame-Options" not in headers
    assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "Set-Cookie" not in headers


def test_the_frame_has_no_link_preview(share: Share, reader: Client) -> None:
    assert 'property="og:' not in reader.get(f"/embed/{share.token()}/").content.decode()


def test_the_script_for_the_page_around_it_can_be_loaded_by_any_site(reader: Client) -> None:
    response = reader.get("/embed.js")
    assert response["Content-Type"] == "text/javascript; charset=utf-8"
    assert response["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert response["Cache-Control"] == "public, max-age=3600"
    assert b"shareview:height" in response.content
