"""The same request is done once, whatever comes in between."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.utils import timezone
from sessions import ACTOR

from shareview.shares.api_keys import KeyTerms, make_api_key
from shareview.shares.idempotency import OtherRequestError, Result, UnderWayError, do_once
from shareview.shares.models import ApiKey, IdempotentCall, Scope
from shareview.shares.roles import Role

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def key() -> ApiKey:
    user = User.objects.create(username="back-end")
    user.groups.add(Group.objects.get(name=Role.PUBLISHER))
    return make_api_key(KeyTerms("tests", user, list(Scope)), actor=ACTOR, now=NOW)[0]


class Done:
    """Counts how often it was done."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> Result:
        self.count += 1
        return {"count": self.count}


def test_what_was_done_is_not_done_again(key: ApiKey) -> None:
    done = Done()
    assert do_once(key, "a", "f", done, now=NOW) == ({"count": 1}, True)
    assert do_once(key, "a", "f", done, now=NOW + timedelta(hours=23)) == ({"count": 1}, False)


def test_without_a_value_it_is_done_each_time(key: ApiKey) -> None:
    done = Done()
    assert [do_once(key, None, "f", done, now=NOW)[0]["count"] for _ in range(2)] == [1, 2]


def test_after_a_day_it_is_done_again(key: ApiKey) -> None:
    done = Done()
    do_once(key, "a", "f", done, now=NOW)
    assert do_once(key, "a", "f", done, now=NOW + timedelta(hours=25)) == ({"count": 2}, True)


def test_another_request_under_the_same_value_is_refused(key: ApiKey) -> None:
    do_once(key, "a", "f", Done(), now=NOW)
    with pytest.raises(OtherRequestError):
        do_once(key, "a", "other", Done(), now=NOW)


def test_another_key_has_values_of_its_own(key: ApiKey) -> None:
    other = make_api_key(KeyTerms("other", key.owner, list(Scope)), actor=ACTOR, now=NOW)[0]
    done = Done()
    assert [do_once(one, "a", "f", done, now=NOW)[1] for one in (key, other)] == [True, True]


def test_what_failed_may_be_tried_again_and_left_nothing(key: ApiKey) -> None:
    def fail() -> Result:
        User.objects.create(username="half done")
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        do_once(key, "a", "f", fail, now=NOW)
    assert not User.objects.filter(username="half done").exists()
    assert do_once(key, "a", "f", Done(), now=NOW)[1]


@pytest.mark.parametrize(("minutes", "is_taken"), [(1, False), (29, False), (31, True)])
def test_what_is_under_way_is_not_begun_again_unless_it_was_abandoned(
    key: ApiKey, minutes: int, is_taken: bool
) -> None:
    IdempotentCall.objects.create(key=key, value="a", fingerprint="f", began_at=NOW)
    if is_taken:
        assert do_once(key, "a", "f", Done(), now=NOW + timedelta(minutes=minutes)) == ({"count": 1}, True)
    else:
        with pytest.raises(UnderWayError):
            do_once(key, "a", "f", Done(), now=NOW + timedelta(minutes=minutes))
