"""Status codes, headers, caching: on every address of a share, and on those of none."""

import gzip
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from sessions import ACTOR, NOW, PublishRecords

from shareview.pages.compositions import compose_share
from shareview.shares.models import Share
from shareview.shares.publish import ShareTerms
from shareview.shares.revoke import revoke_shares
from shareview.shares.view_counts import VIEWS
from shareview.snapshots.shown_versions import note_change

ADDRESSES = [
    "",
    "?open=all",
    "?cite=4.1",
    "m/4/sources/",
    "m/4/steps/",
    "m/4/answer.md",
    "rounds/",
    "export.jsonl",
    "export.md",
    "export.txt",
    "files/" + "0" * 64,
]
CSP = {
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'",
    "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
}  # fmt: skip


@pytest.fixture
def battery(publish: PublishRecords) -> Share:
    return publish("battery.en.jsonl")


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("fragment", [{}, {"HX-Request": "true"}], ids=["page", "fragment"])
def test_a_revoked_share_is_gone_at_every_address(
    reader: Client, battery: Share, address: str, method: str, fragment: dict[str, str]
) -> None:
    place = f"/s/{battery.token()}/{address}"
    before = reader.get(place, headers=fragment)
    revoke_shares(Share.objects.all(), reason="", actor=ACTOR, now=timezone.now())
    stale = {"If-None-Match": before.headers.get("ETag", '"x"')}
    after = getattr(reader, method)(place, headers={**fragment, **stale})
    assert after.status_code == 410
    assert after["Cache-Control"] == "no-store"
    assert "Sodium" not in after.content.decode()


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_expired_share_is_gone_at_every_address(reader: Client, publish: PublishRecords, address: str) -> None:
    share = publish("battery.en.jsonl", ShareTerms(expires_at=NOW + timedelta(days=1)))
    assert reader.get(f"/s/{share.token()}/{address}").status_code == 410


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("token", ["x", "A" * 32, "A" * 5000])
def test_an_unknown_token_is_not_found(reader: Client, db: None, token: str, address: str) -> None:
    answer = reader.get(f"/s/{token}/{address}")
    assert answer.status_code == 404
    assert answer["Cache-Control"] == "no-store"


def test_what_an_ended_share_says_is_the_same_for_all(reader: Client, publish: PublishRecords) -> None:
    shares = [publish("battery.en.jsonl", ShareTerms(title=title)) for title in ("One", "Two")]
    revoke_shares(Share.objects.all(), reason="", actor=ACTOR, now=timezone.now())
    bodies = {reader.get(f"/s/{share.token()}/").content for share in shares}
    assert len(bodies) == 1


def every_answer(reader: Client, share: Share) -> list[tuple[str, Any]]:
    place = f"/s/{share.token()}/"
    etag = reader.get(place)["ETag"]
    found = [(address, reader.get(place + address)) for address in ADDRESSES]
    found.append(("304", reader.get(place, headers={"If-None-Match": etag})))
    found.append(("405", reader.post(place)))
    found.append(("unknown", reader.get("/s/unknown/")))
    found.append(("elsewhere", reader.get("/nowhere")))
    found.append(("fragment", reader.get(place + "m/4/sources/", headers={"HX-Request": "true"})))
    found.append(("robots", reader.get("/robots.txt")))
    found.append(("health", reader.get("/healthz")))
    revoke_shares(Share.objects.all(), reason="", actor=ACTOR, now=timezone.now())
    found.append(("410", reader.get(place)))
    return found


def test_every_answer_has_the_headers_of_the_site_and_sets_no_cookie(reader: Client, battery: Share) -> None:
    for name, answer in every_answer(reader, battery):
        headers = answer.headers
        assert set(headers["Content-Security-Policy"].split("; ")) == CSP, name
        assert headers["X-Robots-Tag"] == "noindex, nofollow, noarchive, nosnippet", name
        assert headers["Referrer-Policy"] == "no-referrer", name
        assert headers["X-Content-Type-Options"] == "nosniff", name
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin", name
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin", name
        assert headers["X-Frame-Options"] == "DENY", name
        assert "=()" in headers["Permissions-Policy"], name
        assert not answer.cookies, name
        assert "Set-Cookie" not in headers, name


def test_a_reader_who_has_the_page_gets_304_until_it_ends(reader: Client, battery: Share) -> None:
    place = f"/s/{battery.token()}/"
    first = reader.get(place)
    assert first["Cache-Control"] == "private, no-cache"
    again = reader.get(place, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]


@pytest.mark.parametrize(
    ("query", "headers"),
    [
        ("?lang=zh", {}),
        ("", {"Accept-Language": "zh-CN"}),
        ("?theme=dark", {}),
        ("?cite=4.1", {}),
        ("", {"Accept-Encoding": "gzip"}),
    ],
)
def test_another_form_of_the_page_has_another_etag(
    reader: Client, battery: Share, query: str, headers: dict[str, str]
) -> None:
    place = f"/s/{battery.token()}/"
    first = reader.get(place)["ETag"]
    other = reader.get(place + query, headers=headers)
    assert other["ETag"] != first
    assert other["ETag"].startswith('"')
    assert reader.get(place + query, headers={**headers, "If-None-Match": first}).status_code == 200


def test_two_shares_of_one_session_have_different_etags(reader: Client, publish: PublishRecords) -> None:
    etags = {reader.get(f"/s/{publish('battery.en.jsonl').token()}/")["ETag"] for _ in range(2)}
    assert len(etags) == 2


def test_a_compressed_page_is_the_same_page(reader: Client, battery: Share) -> None:
    place = f"/s/{battery.token()}/"
    packed = reader.get(place, headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == reader.get(place).content


def test_a_head_is_no_view_and_a_page_is_one(reader: Client, battery: Share) -> None:
    place = f"/s/{battery.token()}/"
    reader.head(place)
    reader.get(place)
    reader.get(place + "m/4/sources/", headers={"HX-Request": "true"})
    VIEWS.write()
    share = Share.objects.get()
    assert share.views + share.crawler_views == 1


def test_a_fragments_address_without_htmx_is_the_whole_page_in_that_state(reader: Client, battery: Share) -> None:
    place = f"/s/{battery.token()}/m/4/sources/?open=4.sources"
    page = reader.get(place).content.decode()
    assert page.startswith("<!doctype html>")
    assert 'data-count="6" data-open="true"' in page
    fragment = reader.get(place, headers={"HX-Request": "true"})
    assert fragment.content.decode().strip().startswith("<section")
    assert fragment["HX-Push-Url"] == f"/s/{battery.token()}/?open=4.sources#sources-4"


@pytest.mark.parametrize(
    "place",
    ["m/999/sources/", "m/1/sources/", "m/999/steps/", "m/1/answer.md", "m/999/answer.md", "export.pdf", "files/none"],
)
def test_what_the_share_does_not_hold_is_not_found(reader: Client, battery: Share, place: str) -> None:
    answer = reader.get(f"/s/{battery.token()}/{place}", headers={"HX-Request": "true"})
    assert answer.status_code == 404


@pytest.mark.parametrize(
    "query", ["?cite=4.99", "?cite=nonsense", "?part=99", "?part=-1", "?open=x.y,,", "?at=zzz", "?theme=x", "?lang=xx"]
)
def test_a_state_that_makes_no_sense_shows_the_page(reader: Client, battery: Share, query: str) -> None:
    assert reader.get(f"/s/{battery.token()}/{query}").status_code == 200


def test_crawlers_may_ask_and_are_told_not_to_index(reader: Client, db: None) -> None:
    assert "/s/" not in reader.get("/robots.txt").content.decode()


def test_the_site_says_when_it_can_serve(reader: Client, db: None) -> None:
    assert reader.get("/healthz").status_code == 200


def test_the_number_of_queries_does_not_grow_with_the_session(
    reader: Client, publish: PublishRecords, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    messages: list[dict[str, object]] = []
    for number in range(40):
        messages.append({"id": 2 * number + 1, "role": "USER", "content": "Q"})
        messages.append({"id": 2 * number + 2, "role": "ASSISTANT", "content": "A"})
    share = publish(messages)
    compose_share(share, now=NOW)
    with django_assert_max_num_queries(19):
        reader.get(f"/s/{share.token()}/")


def test_a_page_restored_by_htmx_is_no_fragment_to_a_cache(reader: Client, battery: Share) -> None:
    place = f"/s/{battery.token()}/m/4/sources/"
    fragment = reader.get(place, headers={"HX-Request": "true"})
    restored = reader.get(place, headers={"HX-Request": "true", "HX-History-Restore-Request": "true"})
    assert fragment["ETag"] != restored["ETag"]
    assert "HX-History-Restore-Request" in restored["Vary"]


@pytest.mark.parametrize("form", ["W/{}", '"other", {}', "*"])
def test_if_none_match_is_read_as_its_standard_says(reader: Client, battery: Share, form: str) -> None:
    place = f"/s/{battery.token()}/"
    etag = reader.get(place)["ETag"]
    assert reader.get(place, headers={"If-None-Match": form.format(etag)}).status_code == 304


def test_gzip_that_is_refused_is_not_sent(reader: Client, battery: Share) -> None:
    answer = reader.get(f"/s/{battery.token()}/", headers={"Accept-Encoding": "gzip;q=0, identity"})
    assert "Content-Encoding" not in answer


def test_the_address_without_its_slash_tells_no_more_than_with_it(reader: Client, battery: Share) -> None:
    place = f"/s/{battery.token()}"
    moved = reader.get(f"{place}?lang=zh")
    assert (moved.status_code, moved["Location"]) == (302, f"{place}/?lang=zh")
    assert reader.get("/s/unknown").status_code == 404
    revoke_shares(Share.objects.all(), reason="", actor=ACTOR, now=timezone.now())
    assert reader.get(place).status_code == 410


def test_nothing_can_be_posted_to_a_share(battery: Share) -> None:
    answer = Client(enforce_csrf_checks=True).post(f"/s/{battery.token()}/")
    assert (answer.status_code, answer["Cache-Control"]) == (405, "no-store")


@pytest.mark.parametrize("place", ["?thread=%00", "?at=%00", "?cite=%00.1", "m/%00/steps/", "files/%00"])
def test_a_nul_in_an_address_is_not_found(reader: Client, battery: Share, place: str) -> None:
    assert reader.get(f"/s/{battery.token()}/{place}", headers={"HX-Request": "true"}).status_code == 404


def test_too_many_parameters_hide_no_revocation(reader: Client, battery: Share) -> None:
    query = "?" + "&".join(f"a{number}" for number in range(1_100))
    assert reader.get(f"/nowhere{query}").status_code == 404
    revoke_shares(Share.objects.all(), reason="", actor=ACTOR, now=timezone.now())
    assert reader.get(f"/s/{battery.token()}/{query}").status_code == 410


@pytest.mark.parametrize("address", ["?open=all", "m/4/sources/", "export.md", "preview.png"])
def test_another_state_is_made_once(reader: Client, battery: Share, address: str) -> None:
    place = f"/s/{battery.token()}/{address}"
    first = reader.get(place)
    with CaptureQueriesContext(connection) as asked:
        second = reader.get(place)
    assert second.content == first.content
    assert second.headers == first.headers
    assert not [query for query in asked if "renderedmessage" in query["sql"]]


def test_what_was_made_is_not_kept_of_a_locked_share(reader: Client, publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl", ShareTerms(password="open sesame"))
    for _ in range(2):
        with CaptureQueriesContext(connection) as asked:
            answer = reader.post(
                f"/s/{share.token()}/?open=all",
                "password=open+sesame",
                content_type="application/x-www-form-urlencoded",
                headers={"Origin": "http://testserver"},
            )
        assert "Sodium" in answer.content.decode()
        assert [query for query in asked if "renderedmessage" in query["sql"]]


def test_a_state_that_was_kept_is_not_shown_once_its_share_has_changed(reader: Client, battery: Share) -> None:
    place = f"/s/{battery.token()}/?open=all"
    before = reader.get(place)
    note_change(battery.snapshot)
    after = reader.get(place, headers={"If-None-Match": before["ETag"]})
    assert (after.status_code, after["ETag"] != before["ETag"]) == (200, True)
