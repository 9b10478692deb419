"""Pausing, resuming, new dates, a password, another link."""

import secrets
from datetime import timedelta

import pytest
from sessions import ACTOR, NOW, TOKEN_KEY, How, PublishRecords

from shareview.shares.models import AuditEntry, Share, ShareState
from shareview.shares.revoke import revoke_shares, share_of_link
from shareview.shares.terms import (
    ShareDates,
    TermsError,
    change_dates,
    change_password,
    pause_shares,
    resume_shares,
    rotate_shares,
)

DAY = timedelta(days=1)
HOW: How = {"reason": "because", "actor": ACTOR, "now": NOW}


@pytest.fixture
def battery(publish: PublishRecords) -> Share:
    return publish("battery.en.jsonl")


def state() -> ShareState:
    return Share.objects.get().state(NOW)


def rotate() -> int:
    return rotate_shares(
        Share.objects.all(), reason="", actor=ACTOR, now=NOW, token_key=TOKEN_KEY, random=secrets.token_bytes
    )


def test_a_paused_share_is_closed_until_it_is_resumed(battery: Share) -> None:
    assert pause_shares(Share.objects.all(), **HOW) == 1
    assert state() is ShareState.PAUSED
    assert pause_shares(Share.objects.all(), **HOW) == 0
    assert resume_shares(Share.objects.all(), **HOW) == 1
    assert state() is ShareState.LIVE


def test_dates_can_be_extended_and_shortened(battery: Share) -> None:
    change_dates(Share.objects.all(), ShareDates(None, NOW + DAY), **HOW)
    assert Share.objects.get().state(NOW + DAY) is ShareState.EXPIRED
    change_dates(Share.objects.all(), ShareDates(NOW + DAY, NOW + 9 * DAY), **HOW)
    assert state() is ShareState.NOT_YET
    assert Share.objects.get().state(NOW + DAY) is ShareState.LIVE
    assert AuditEntry.objects.filter(action="dates").first().details == {  # type: ignore[union-attr] # two were written
        "starts_at": "2026-01-06T12:00:00+00:00",
        "expires_at": "2026-01-14T12:00:00+00:00",
    }


@pytest.mark.parametrize("dates", [ShareDates(None, NOW), ShareDates(NOW + DAY, NOW + DAY)])
def test_dates_that_make_no_sense_are_refused(battery: Share, dates: ShareDates) -> None:
    with pytest.raises(TermsError):
        change_dates(Share.objects.all(), dates, **HOW)


def test_another_link_leaves_the_old_one_dead_and_the_share_as_it_was(battery: Share) -> None:
    old = battery.token()
    assert rotate() == 1
    share = Share.objects.get()
    assert share.token() != old
    assert (share.public_id, share.watermark) == (battery.public_id, battery.watermark)
    assert share_of_link(f"https://share.example/s/{old}/?cite=1.1") == share
    assert share_of_link(share.link()) == share


def test_a_password_is_kept_as_a_hash_and_never_written_down(battery: Share) -> None:
    change_password(Share.objects.all(), "open sesame", **HOW)
    assert "sesame" not in Share.objects.get().password
    entry = AuditEntry.objects.get(action="password")
    assert entry.details == {"protected": True}
    change_password(Share.objects.all(), "", **HOW)
    assert Share.objects.get().password == ""


def test_nothing_brings_a_revoked_link_back(battery: Share) -> None:
    revoke_shares(Share.objects.all(), **HOW)
    everything = Share.objects.all()
    done = [
        pause_shares(everything, **HOW), resume_shares(everything, **HOW), rotate(),
        change_dates(everything, ShareDates(None, None), **HOW), change_password(everything, "x", **HOW),
    ]  # fmt: skip
    assert done == [0, 0, 0, 0, 0]
    assert state() is ShareState.REVOKED


@pytest.mark.parametrize("state", ShareState)
def test_the_query_and_the_share_agree_on_every_state(publish: PublishRecords, state: ShareState) -> None:
    publish("battery.en.jsonl")
    moments = [None, NOW - DAY, NOW, NOW + DAY]
    for revoked in (None, NOW):
        for paused in (None, NOW):
            for starts in moments:
                for expires in (None, NOW + 2 * DAY) if starts else moments:
                    Share.objects.update(revoked_at=revoked, paused_at=paused, starts_at=starts, expires_at=expires)
                    is_found = Share.objects.in_state(state, NOW).exists()
                    assert is_found == (Share.objects.get().state(NOW) is state)
