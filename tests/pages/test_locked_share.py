"""A share with a password: says nothing without it, everything with it, and needs no cookie."""

import re
from typing import Any
from urllib.parse import urlencode
from xml.etree.ElementTree import Element

import html5lib
import pytest
from django.test import Client
from django.utils import timezone
from page_reading import by_id
from sessions import ACTOR, PublishRecords, turn

from shareview.pages.keyed_links import links_as_buttons
from shareview.shares.models import Share
from shareview.shares.publish import ShareTerms
from shareview.shares.revoke import revoke_shares

OURS = {"origin": "http://testserver"}
PASSWORD = "open sesame"


@pytest.fixture
def locked(publish: PublishRecords) -> Share:
    return publish("battery.en.jsonl", ShareTerms(password=PASSWORD, embeds=["https://blog.example.org"]))


@pytest.fixture(params=["s", "embed"])
def place(request: pytest.FixtureRequest, locked: Share) -> str:
    return f"/{request.param}/{locked.token()}/"


def send(reader: Client, place: str, fields: dict[str, str], origin: dict[str, str] = OURS) -> Any:
    """What a browser's form gets."""
    form = "application/x-www-form-urlencoded"
    return reader.post(place, urlencode(fields), content_type=form, headers=origin)


def key_of(reader: Client, place: str) -> str:
    key: str = send(reader, place, {"password": PASSWORD})["X-Share-Key"]
    return key


def tree(html: str) -> Element:
    parsed: Element = html5lib.parse(html, namespaceHTMLElements=False)
    return parsed


def test_the_form_is_all_that_is_shown(reader: Client, place: str) -> None:
    answer = reader.get(place)
    html = answer.content.decode()
    assert answer.status_code == 401
    assert 'name="password"' in html
    assert not any(word in html for word in ("Sodium", "battery", "watermark", "SHA-256"))
    assert answer["WWW-Authenticate"]


def test_a_browser_says_where_the_form_comes_from(reader: Client, place: str) -> None:
    answer = reader.get(place)
    assert answer["Referrer-Policy"] == "same-origin"
    assert 'name="referrer" content="same-origin"' in answer.content.decode()


def test_the_password_shows_the_page_that_was_asked_for(reader: Client, place: str) -> None:
    answer = send(reader, f"{place}?cite=4.4&lang=zh", {"password": PASSWORD})
    assert answer.status_code == 200
    page = tree(answer.content.decode())
    assert "cite-flash" in (by_id(page, "src-4-4").get("class") or "")
    assert answer["Content-Language"] == "zh-Hans"
    assert answer["Cache-Control"] == "no-store"
    assert answer["Referrer-Policy"] == "same-origin"
    assert "ETag" not in answer
    assert not answer.cookies


def test_a_wrong_password_says_so_and_nothing_else(reader: Client, place: str) -> None:
    answer = send(reader, place, {"password": "guess"})
    assert answer.status_code == 401
    assert "That is not the password." in answer.content.decode()
    assert "Sodium" not in answer.content.decode()


@pytest.mark.parametrize("origin", [{}, {"origin": "null"}, {"origin": "https://evil.example"}])
def test_a_form_from_elsewhere_is_refused(reader: Client, place: str, origin: dict[str, str]) -> None:
    answer = send(reader, place, {"password": PASSWORD}, origin)
    assert answer.status_code == 403
    assert "Sodium" not in answer.content.decode()


def test_a_form_that_is_none_of_ours_is_not_even_read(reader: Client, place: str) -> None:
    long = send(reader, place, {"password": PASSWORD, "x": "x" * 20_000})
    other = reader.post(place, data={"password": PASSWORD}, headers=OURS)
    assert (long.status_code, other.status_code) == (403, 403)


@pytest.mark.parametrize(
    "address",
    ["m/4/sources/", "m/4/steps/", "m/4/answer.md", "export.jsonl", "export.md", "model-input.json", "rounds/"],
)
def test_the_key_opens_every_part(reader: Client, place: str, address: str) -> None:
    key = key_of(reader, place)
    asked = {"HX-Request": "true"}
    assert reader.get(place + address, headers=asked).status_code == 401
    answer = reader.get(place + address, headers={**asked, "X-Share-Key": key})
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    assert reader.get(place + address, headers={**asked, "X-Share-Key": answer["X-Share-Key"]}).status_code == 200
    by_form = send(reader, place + address, {"key": key})
    assert by_form.status_code == 200


def test_a_known_etag_of_before_the_password_is_answered_with_nothing(publish: PublishRecords, reader: Client) -> None:
    share = publish("battery.en.jsonl")
    tag = reader.get(f"/s/{share.token()}/")["ETag"]
    Share.objects.update(password="md5$x$y")
    assert reader.get(f"/s/{share.token()}/", headers={"If-None-Match": tag}).status_code == 401


def test_a_burst_of_wrong_passwords_is_stopped(reader: Client, place: str) -> None:
    statuses = [send(reader, place, {"password": "guess"}).status_code for _try in range(12)]
    assert statuses == [401] * 10 + [429] * 2
    stopped = send(reader, place, {"password": PASSWORD})
    assert stopped.status_code == 429
    assert 1 <= int(stopped["Retry-After"]) <= 900
    assert "Sodium" not in stopped.content.decode()


def test_who_has_a_key_reads_on_while_others_guess(reader: Client, place: str) -> None:
    key = key_of(reader, place)
    for _try in range(12):
        send(reader, place, {"password": "guess"})
    assert reader.get(place, headers={"X-Share-Key": key, "HX-Request": "true"}).status_code == 200


def test_without_a_script_every_link_into_the_share_is_a_button_that_carries_the_key(
    reader: Client, place: str
) -> None:
    page = tree(send(reader, place, {"password": PASSWORD}).content.decode())
    assert [a for a in page.iter("a") if (a.get("href") or "").startswith(("/s/", "/embed/"))] == []
    buttons = [button for button in page.iter("button") if button.get("formaction")]
    assert {button.get("form") for button in buttons} == {"key-form"}
    full = [button for button in buttons if not (button.get("formaction") or "").startswith(place)]
    assert [button.get("formtarget") for button in full] == ["_blank"] * ("/embed/" in place)
    assert all((button.get("formaction") or "").startswith(place.replace("/embed/", "/s/")) for button in full)
    form = by_id(page, "key-form")
    key = next(form.iter("input")).get("value") or ""
    superscript = next(button for button in buttons if "?cite=4.4" in (button.get("formaction") or ""))
    action = (superscript.get("formaction") or "").split("#")[0]
    followed = send(reader, action, {"key": key})
    assert "cite-flash" in followed.content.decode()


def test_an_image_has_a_ticket_that_opens_it_alone(publish: PublishRecords, reader: Client) -> None:
    records = turn("Answer.")
    image = {"name": "a.png", "media_type": "image/png", "data": "data:image/png;base64,iVBORw0KGgo="}
    records[0]["metadata"] = {"attachments": [image]}
    share = publish(records, ShareTerms(password=PASSWORD))
    html = send(reader, f"/s/{share.token()}/", {"password": PASSWORD}).content.decode()
    found = re.search(r'src="([^"]*/files/[^"]*)"', html)
    assert found is not None
    address = found[1].replace("&amp;", "&")
    answer = reader.get(address)
    assert (answer.status_code, answer["Content-Type"], answer["Cache-Control"]) == (200, "image/png", "no-store")
    assert "X-Share-Key" not in answer
    ticket = address.split("?")[1]
    assert reader.get(f"/s/{share.token()}/?{ticket}").status_code == 401
    assert reader.get(address.split("?")[0]).status_code == 401


def test_the_address_without_its_slash_takes_the_password_along(reader: Client, locked: Share) -> None:
    moved = send(reader, f"/s/{locked.token()}", {"password": PASSWORD})
    assert (moved.status_code, moved["Location"]) == (307, f"/s/{locked.token()}/")


def test_an_open_page_has_links_and_no_key(publish: PublishRecords, reader: Client) -> None:
    html = reader.get(f"/s/{publish('battery.en.jsonl').token()}/").content.decode()
    assert "key-form" not in html
    assert "as-link" not in html
    assert '"refreshOnHistoryMiss":true' in html


def test_a_link_keeps_its_attributes_and_its_text_as_a_button() -> None:
    link = '<a class="fold" id="f" href="/s/t/?a=1&amp;b=2#x" aria-expanded="true"><span>One</span></a>'
    assert links_as_buttons(link) == (
        '<button type="submit" form="key-form" formaction="/s/t/?a=1&amp;b=2#x" '
        'class="as-link fold" id="f" aria-expanded="true"><span>One</span></button>'
    )


@pytest.mark.parametrize(
    "link", ['<a href="#rounds">x</a>', '<a href="https://a.example/s/x/">x</a>', "<abbr>/s/</abbr>"]
)
def test_other_links_stay(link: str) -> None:
    assert links_as_buttons(link) == link


def test_each_recipient_has_a_link_a_mark_and_an_end_of_their_own(publish: PublishRecords, reader: Client) -> None:
    publish("battery.en.jsonl", ShareTerms(recipients=["Acme", "王芳", "Bob"]))
    shares = {share.recipient: share for share in Share.objects.all()}
    marks = {name: reader.get(f"/s/{share.token()}/").content.decode() for name, share in shares.items()}
    for name, share in shares.items():
        assert f">{name} · {share.public_id} · 2026-01-05</text>" in marks[name]
    revoke_shares(Share.objects.filter(recipient="Bob"), reason="", actor=ACTOR, now=timezone.now())
    statuses = {name: reader.get(f"/s/{share.token()}/").status_code for name, share in shares.items()}
    assert statuses == {"Acme": 200, "王芳": 200, "Bob": 410}


@pytest.mark.parametrize(
    "form",
    [b"password=%00", b"password=%ff%fe", b"key=%00", b"key=%ff", b"key=a:b:c", b"\xff\xfe", b"password", b"&" * 3_000],
)
def test_a_form_that_makes_no_sense_opens_nothing_and_breaks_nothing(reader: Client, place: str, form: bytes) -> None:
    answer = reader.post(place, form, content_type="application/x-www-form-urlencoded", headers=OURS)
    assert answer.status_code in {400, 401}
    assert "Sodium" not in answer.content.decode()


@pytest.mark.parametrize("length", ["abc", "-1", "²", ""])
def test_a_length_that_is_none_opens_nothing(reader: Client, place: str, length: str) -> None:
    form = "application/x-www-form-urlencoded"
    answer = reader.post(place, b"password=guess", content_type=form, headers=OURS, CONTENT_LENGTH=length)
    assert answer.status_code in {401, 403}


@pytest.mark.parametrize("query", ["ticket=%ff", "ticket=%00", "ticket=" + "x" * 5_000, "theme=%22%3E", "lang=%ff"])
def test_an_address_that_makes_no_sense_opens_nothing(reader: Client, place: str, query: str) -> None:
    answer = reader.get(f"{place}?{query}")
    assert answer.status_code in {401, 404}
    assert "Sodium" not in answer.content.decode()
