"""Links: one a recipient, with a mark of its own, under a token that the database does not hold."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from sessions import ACTOR, NOW, TOKEN_KEY, FreezeRecords, PublishRecords

from shareview.shares.models import Share, ShareState
from shareview.shares.publish import ShareTerms, publish_snapshot
from shareview.shares.revoke import UnknownShareError, revoke_shares, share_of_link, shares_of_session


def test_a_link_ends_in_a_token_of_192_bits(publish: PublishRecords) -> None:
    link = publish("battery.en.jsonl").link("https://share.example")
    assert link.startswith("https://share.example/s/")
    assert len(link.split("/")[-2]) * 6 == 192


def test_the_database_holds_no_token(publish: PublishRecords) -> None:
    token = publish("battery.en.jsonl").token()
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM shares_share")
        assert token not in str(cursor.fetchall())


def test_a_link_can_be_shown_again(publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl")
    assert Share.objects.get(pk=share.pk).token() == share.token()
    assert share_of_link(share.link("https://share.example")) == share


def test_two_links_to_one_session_have_nothing_in_common(freeze: FreezeRecords) -> None:
    snapshot = freeze("battery.en.jsonl").snapshot
    one, two = (
        publish_snapshot(snapshot, ShareTerms(), actor=ACTOR, now=NOW, token_key=TOKEN_KEY)[0] for _ in range(2)
    )
    assert one.token() != two.token()
    assert one.public_id != two.public_id


def test_each_recipient_gets_a_link_with_a_watermark_of_its_own(freeze: FreezeRecords) -> None:
    terms = ShareTerms(recipients=["Acme Ltd", "王芳"], watermark="Draft")
    acme, wang = publish_snapshot(freeze("battery.en.jsonl").snapshot, terms, actor=ACTOR, now=NOW, token_key=TOKEN_KEY)
    assert acme.watermark == f"Acme Ltd · Draft · {acme.public_id} · 2026-01-05"
    assert wang.watermark == f"王芳 · Draft · {wang.public_id} · 2026-01-05"


def test_a_share_always_has_a_watermark(publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl")
    assert share.watermark == f"{share.public_id} · 2026-01-05"
    with pytest.raises(IntegrityError), transaction.atomic():
        Share.objects.filter(pk=share.pk).update(watermark="")


def test_a_share_lives_until_it_expires(publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl", ShareTerms(expires_at=NOW + timedelta(days=7)))
    assert share.state(NOW + timedelta(days=6)) is ShareState.LIVE
    assert share.state(NOW + timedelta(days=7)) is ShareState.EXPIRED
    assert Share.objects.live(NOW + timedelta(days=6)).count() == 1
    assert Share.objects.live(NOW + timedelta(days=8)).count() == 0


def test_revoking_twice_keeps_the_first_time_and_reason(publish: PublishRecords) -> None:
    publish("battery.en.jsonl")
    assert revoke_shares(Share.objects.all(), reason="sent to the wrong person", actor=ACTOR, now=NOW) == 1
    assert revoke_shares(Share.objects.all(), reason="again", actor=ACTOR, now=NOW + timedelta(hours=1)) == 0
    share = Share.objects.get()
    assert (share.revoked_at, share.revoke_reason) == (NOW, "sent to the wrong person")
    assert share.state(NOW) is ShareState.REVOKED


def test_a_share_cannot_have_ended_before_it_began(publish: PublishRecords) -> None:
    publish("battery.en.jsonl")
    with pytest.raises(IntegrityError), transaction.atomic():
        Share.objects.update(revoked_at=datetime(2020, 1, 1, tzinfo=UTC))


def test_all_links_of_a_session_are_found_at_any_watermark(publish: PublishRecords) -> None:
    first = publish("deadline.zh.jsonl", up_to=["107"])
    second = publish("deadline.zh.jsonl")
    publish("battery.en.jsonl")
    assert set(shares_of_session("7")) == {first, second}


@pytest.mark.parametrize("link", ["https://share.example/s/unknown/", "unknown", ""])
def test_an_unknown_link_names_no_share(db: None, link: str) -> None:
    with pytest.raises(UnknownShareError):
        share_of_link(link)
