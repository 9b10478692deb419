"""Stopping everything of something, until it is released."""

import pytest
from django.contrib.auth.models import User
from running_commands import refusal
from sessions import ACTOR, NOW, TOKEN_KEY, FreezeRecords

from shareview.shares.models import AuditEntry, Share, ShareState, Stop, StopKind
from shareview.shares.publish import ShareTerms, publish_snapshot
from shareview.shares.stops import NoSuchStopError, StoppedError, release, stop_everything
from shareview.snapshots.models import Snapshot

EMBED = "https://blog.example.org"


@pytest.fixture
def battery(freeze: FreezeRecords) -> Snapshot:
    return freeze("battery.en.jsonl").snapshot


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_user("mei")


def share(snapshot: Snapshot, **terms: object) -> Share:
    return publish_snapshot(snapshot, ShareTerms(**terms), actor=ACTOR, now=NOW, token_key=TOKEN_KEY)[0]  # type: ignore[arg-type] # terms by name


def stop(kind: StopKind, value: str) -> Stop:
    return stop_everything(kind, value, reason="a complaint", actor=ACTOR, now=NOW)


def terms_of(kind: StopKind, owner: User) -> tuple[str, dict[str, object]]:
    asked: dict[StopKind, tuple[str, dict[str, object]]] = {
        StopKind.SESSION: ("s-battery", {}),
        StopKind.OWNER: ("mei", {"owner": owner}),
        StopKind.RECIPIENT: ("ACME  Ltd", {"recipients": ["Acme Ltd"]}),
        StopKind.ORIGIN: (EMBED, {"embeds": ["https://other.example", EMBED]}),
    }
    return asked[kind]


@pytest.mark.parametrize("kind", StopKind)
def test_a_stop_ends_all_and_blocks_until_it_is_released(
    battery: Snapshot, freeze: FreezeRecords, owner: User, kind: StopKind
) -> None:
    value, terms = terms_of(kind, owner)
    own = share(battery, **terms)
    other = share(freeze("deadline.zh.jsonl").snapshot)
    made = stop(kind, value)
    assert made.ended == 1
    assert Share.objects.get(pk=own.pk).state(NOW) is ShareState.REVOKED
    assert Share.objects.get(pk=other.pk).state(NOW) is ShareState.LIVE
    with pytest.raises(StoppedError, match="a complaint"):
        share(battery, **terms)
    release(made, reason="settled", actor=ACTOR, now=NOW)
    assert share(battery, **terms).state(NOW) is ShareState.LIVE
    assert Share.objects.get(pk=own.pk).state(NOW) is ShareState.REVOKED


def test_paused_and_expired_links_end_too(battery: Snapshot) -> None:
    share(battery)
    Share.objects.update(paused_at=NOW)
    assert stop(StopKind.SESSION, "s-battery").ended == 1


def test_stopping_twice_is_one_stop(battery: Snapshot) -> None:
    first = stop(StopKind.SESSION, "s-battery")
    assert stop(StopKind.SESSION, "s-battery") == first
    assert AuditEntry.objects.filter(action="stop").count() == 1


def test_releasing_twice_says_so(battery: Snapshot) -> None:
    made = stop(StopKind.SESSION, "s-battery")
    release(made, reason="settled", actor=ACTOR, now=NOW)
    with pytest.raises(NoSuchStopError):
        release(made, reason="settled", actor=ACTOR, now=NOW)


def test_something_can_be_stopped_again_after_its_release(battery: Snapshot) -> None:
    release(stop(StopKind.SESSION, "s-battery"), reason="settled", actor=ACTOR, now=NOW)
    stop(StopKind.SESSION, "s-battery")
    with pytest.raises(StoppedError):
        share(battery)


def test_the_trail_does_not_name_a_stopped_recipient(battery: Snapshot) -> None:
    stop(StopKind.RECIPIENT, "Acme Ltd")
    assert "acme" not in AuditEntry.objects.get(action="stop").subject.lower()


def test_the_command_refuses_to_publish_what_is_stopped_and_stores_nothing_of_it(db: None) -> None:
    stop(StopKind.SESSION, "s-battery")
    sentence, status = refusal("publish", "shareview/shares/samples/battery.en.jsonl")
    assert status == 1
    assert sentence.endswith('session "s-battery" was stopped on 2026-01-05: a complaint')
    assert not Snapshot.objects.exists()
