"""Every address of a share in every state that keeps it closed: what it answers, and that it says nothing."""

import secrets
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from sessions import ACTOR, TOKEN_KEY, How, PublishRecords, sample_records

from shareview.admins.proof import addresses_of
from shareview.pages.urls import OF_A_SHARE
from shareview.shares.models import Share
from shareview.shares.publish import ShareTerms
from shareview.shares.revoke import revoke_shares
from shareview.shares.terms import change_password, pause_shares, rotate_shares

DAY = timedelta(days=1)
PIXEL = "data:image/png;base64,iVBORw0KGgo="
EMBED = "https://blog.example.org"


@pytest.fixture
def share(publish: PublishRecords) -> Share:
    """Claims, documents, an image: something at each kind of address."""
    records = sample_records("claims.zh.jsonl")
    question = next(record for record in records if record.get("role") == "USER")
    question["metadata"] = {"attachments": [{"name": "a.png", "media_type": "image/png", "data": PIXEL}]}
    return publish(records, ShareTerms(embeds=[EMBED]))


def how() -> How:
    return {"reason": "", "actor": ACTOR, "now": timezone.now()}


def revoke(share: Share) -> None:
    revoke_shares(Share.objects.all(), **how())


def pause(share: Share) -> None:
    pause_shares(Share.objects.all(), **how())


def expire(share: Share) -> None:
    Share.objects.update(expires_at=timezone.now() - DAY)


def put_off(share: Share) -> None:
    Share.objects.update(starts_at=timezone.now() + DAY)


def replace_link(share: Share) -> None:
    rotate_shares(Share.objects.all(), token_key=TOKEN_KEY, random=secrets.token_bytes, **how())


def lock(share: Share) -> None:
    change_password(Share.objects.all(), "open sesame", **how())


CLOSED = [(revoke, 410), (expire, 410), (replace_link, 410), (pause, 403), (put_off, 403), (lock, 401)]


def test_the_proof_names_an_address_of_every_pattern(share: Share) -> None:
    assert {kind.named for kind in addresses_of(share)} == {pattern.name for pattern in OF_A_SHARE} | {"oembed"}


@pytest.mark.parametrize(("close", "status"), CLOSED)
def test_no_address_of_a_closed_share_says_anything(
    reader: Client, share: Share, close: Callable[[Share], None], status: int
) -> None:
    paths = [path for kind in addresses_of(share) if kind.named != "oembed" for path in kind.paths]
    tags = {path: reader.get(path).headers.get("ETag", '"x"') for path in paths}
    close(share)
    for path in paths:
        for asked in ({}, {"HX-Request": "true"}):
            for method in (reader.get, reader.head):
                answer = method(path, headers={**asked, "If-None-Match": tags[path]})
                assert answer.status_code == status, path
                assert answer["Cache-Control"] == "no-store"
                assert "ETag" not in answer
                assert not any(word in answer.content.decode() for word in ("可信", "引用", share.public_id, "证据"))


@pytest.mark.parametrize(("close", "status"), CLOSED)
def test_all_closed_shares_look_the_same(
    reader: Client, publish: PublishRecords, close: Callable[[Share], None], status: int
) -> None:
    one, other = publish("battery.en.jsonl"), publish("deadline.zh.jsonl")
    tokens = one.token(), other.token()
    close(one)
    first, second = (reader.get(f"/s/{token}/") for token in tokens)
    assert first.status_code == status
    assert first.content == second.content


def test_an_embed_of_a_share_without_origins_is_not_there(reader: Client, publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl")
    assert reader.get(f"/embed/{share.token()}/").status_code == 404


def test_an_embed_may_be_framed_by_its_own_origins_alone(reader: Client, share: Share) -> None:
    answer = reader.get(f"/embed/{share.token()}/")
    assert answer.status_code == 200
    assert f"frame-ancestors {EMBED};" in answer["Content-Security-Policy"] + ";"
    assert "X-Frame-Options" not in answer
    assert "Cross-Origin-Opener-Policy" not in answer
    assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert f'href="/embed/{share.token()}/' in answer.content.decode()
    # The way to the full page, and no other.
    assert answer.content.decode().count(f'"/s/{share.token()}/') == 1


def test_the_page_itself_may_be_framed_by_nobody(reader: Client, share: Share) -> None:
    answer = reader.get(f"/s/{share.token()}/")
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(("close", "status"), CLOSED)
def test_a_frame_says_that_its_share_is_closed(
    reader: Client, share: Share, close: Callable[[Share], None], status: int
) -> None:
    token = share.token()
    close(share)
    answer = reader.get(f"/embed/{token}/")
    assert answer.status_code == status
    assert f"frame-ancestors {EMBED}" in answer["Content-Security-Policy"]


def test_an_unknown_token_may_be_framed_by_nobody(reader: Client, db: None) -> None:
    answer = reader.get(f"/embed/{'x' * 32}/")
    assert answer.status_code == 404
    assert answer["X-Frame-Options"] == "DENY"


def test_anything_else_below_a_share_is_not_there(reader: Client, share: Share) -> None:
    assert reader.get(f"/s/{share.token()}/preview.jpg").status_code == 404
    assert reader.get(f"/s/{share.token()}/a/b/c").status_code == 404


def test_a_burst_of_unknown_tokens_is_stopped_and_keeps_no_reader_out(reader: Client, share: Share) -> None:
    answers = [reader.get(f"/s/{number:032}/") for number in range(62)]
    assert [answer.status_code for answer in answers] == [404] * 60 + [429] * 2
    assert 1 <= int(answers[-1]["Retry-After"]) <= 60
    assert answers[-1]["Cache-Control"] == "no-store"
    assert reader.get(f"/s/{share.token()}/").status_code == 200
    elsewhere = Client(REMOTE_ADDR="198.51.100.7")
    assert elsewhere.get(f"/s/{'0' * 32}/").status_code == 404


def test_an_open_share_takes_no_form(reader: Client, share: Share) -> None:
    answer = reader.post(f"/s/{share.token()}/", {"password": "x"})
    assert answer.status_code == 405
    assert answer["Allow"] == "GET, HEAD"


def test_open_shares_set_no_cookie_in_a_frame_either(reader: Client, share: Share) -> None:
    for door in ("s", "embed"):
        assert not reader.get(f"/{door}/{share.token()}/").cookies
