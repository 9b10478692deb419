"""Passwords of shares, and the keys that go along once one was entered."""

from datetime import timedelta

import pytest
from sessions import ACTOR, NOW, PublishRecords

from shareview.shares.limits import TooManyTriesError
from shareview.shares.models import Share
from shareview.shares.publish import ShareTerms
from shareview.shares.terms import change_password
from shareview.shares.unlocking import WrongPasswordError, unlock, unlocked_by

MINUTE = timedelta(minutes=1)


@pytest.fixture
def locked(publish: PublishRecords) -> Share:
    return publish("battery.en.jsonl", ShareTerms(password="open sesame"))


def test_a_key_opens_for_ten_minutes(locked: Share) -> None:
    key = unlock(locked, "open sesame", line="192.0.2.1", now=NOW).key(now=NOW)
    assert unlocked_by(locked, key, now=NOW + 9 * MINUTE) is not None
    assert unlocked_by(locked, key, now=NOW + 10 * MINUTE) is None


def test_who_goes_on_reading_gets_new_keys_for_eight_hours(locked: Share) -> None:
    unlocking = unlock(locked, "open sesame", line="192.0.2.1", now=NOW)
    for minutes in range(0, 8 * 60 + 1, 9):
        moment = NOW + minutes * MINUTE
        found = unlocked_by(locked, unlocking.key(now=moment), now=moment)
        assert found is not None
        unlocking = found
    moment = NOW + timedelta(hours=8, seconds=1)
    assert unlocked_by(locked, unlocking.key(now=moment), now=moment) is None


@pytest.mark.parametrize("password", ["", "open sesame ", "Open sesame", "open", "0"])
def test_a_wrong_password_opens_nothing(locked: Share, password: str) -> None:
    with pytest.raises(WrongPasswordError):
        unlock(locked, password, line="192.0.2.1", now=NOW)


def test_a_key_opens_no_other_share(locked: Share, publish: PublishRecords) -> None:
    other = publish("battery.en.jsonl", ShareTerms(password="open sesame"))
    key = unlock(locked, "open sesame", line="192.0.2.1", now=NOW).key(now=NOW)
    assert unlocked_by(other, key, now=NOW) is None


def test_another_password_ends_all_keys(locked: Share) -> None:
    key = unlock(locked, "open sesame", line="192.0.2.1", now=NOW).key(now=NOW)
    change_password(Share.objects.all(), "open sesame", reason="", actor=ACTOR, now=NOW)
    assert unlocked_by(Share.objects.get(), key, now=NOW) is None


@pytest.mark.parametrize("key", ["", "x", "a:b:c", "W10:1:2", "é" * 40])
def test_a_forged_key_opens_nothing(locked: Share, key: str) -> None:
    assert unlocked_by(locked, key, now=NOW) is None


def test_a_ticket_opens_one_address_and_nothing_else(locked: Share) -> None:
    ticket = unlock(locked, "open sesame", line="192.0.2.1", now=NOW).key(now=NOW, what="/s/x/files/1")
    assert unlocked_by(locked, ticket, now=NOW, what="/s/x/files/1") is not None
    assert unlocked_by(locked, ticket, now=NOW, what="/s/x/files/2") is None
    assert unlocked_by(locked, ticket, now=NOW) is None


def test_ten_wrong_passwords_of_one_line_are_enough_and_keep_no_other_line_out(locked: Share) -> None:
    for _try in range(10):
        with pytest.raises(WrongPasswordError):
            unlock(locked, "guess", line="192.0.2.1", now=NOW)
    with pytest.raises(TooManyTriesError):
        unlock(locked, "open sesame", line="192.0.2.1", now=NOW)
    unlock(locked, "open sesame", line="192.0.2.2", now=NOW)


def test_three_hundred_wrong_passwords_of_many_lines_are_enough(locked: Share) -> None:
    for number in range(300):
        with pytest.raises(WrongPasswordError):
            unlock(locked, "guess", line=f"192.0.{number % 100}.1", now=NOW)
    with pytest.raises(TooManyTriesError):
        unlock(locked, "guess", line="198.51.100.1", now=NOW)


def test_entering_the_right_password_is_not_counted(locked: Share) -> None:
    for _reader in range(120):
        unlock(locked, "open sesame", line="192.0.2.1", now=NOW)
