"""Keys of the API: shown once, stored as a hash, good for what they are for and no longer."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.utils import timezone
from running_commands import refusal, run
from sessions import ACTOR
from stored_words import stored_words

from shareview.leaks.secrets import find_secrets
from shareview.shares.api_keys import KeyRefusedError, KeyTerms, KeyTermsError, end_api_keys, make_api_key, read_api_key
from shareview.shares.audit import check_trail
from shareview.shares.models import ApiKey, AuditEntry, Scope
from shareview.shares.roles import Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    user = User.objects.create(username="back-end")
    user.groups.add(Group.objects.get(name=Role.PUBLISHER))
    return user


def made(owner: User, **terms: object) -> str:
    asked = KeyTerms(**{"name": "tests", "owner": owner, "scopes": list(Scope), **terms})  # type: ignore[arg-type] # by name
    return make_api_key(asked, actor=ACTOR, now=timezone.now())[1]


def test_only_the_hash_of_a_key_is_stored(owner: User) -> None:
    text = made(owner)
    secret = text.rsplit("_", 1)[1]
    assert len(secret) == 64
    assert secret not in stored_words()
    assert read_api_key(text, now=timezone.now()).owner == owner


def test_a_key_is_known_as_a_secret_where_it_leaks(owner: User) -> None:
    text = made(owner)
    (leak,) = find_secrets(f"my key is {text}.")
    assert (leak.kind, leak.start, leak.end) == ("shareview-key", 10, 10 + len(text))


def test_any_other_text_is_refused(owner: User) -> None:
    text = made(owner)
    other = made(owner)
    mixed = f"{text.rsplit('_', 1)[0]}_{other.rsplit('_', 1)[1]}"
    for wrong in (text[:-1], text + "0", text.removeprefix("svk_"), mixed, text.upper(), "", "svk__"):
        with pytest.raises(KeyRefusedError):
            read_api_key(wrong, now=timezone.now())


def test_a_key_ends_by_itself(owner: User) -> None:
    now = timezone.now()
    text = made(owner, expires_at=now + timedelta(days=1))
    assert read_api_key(text, now=now + timedelta(hours=23))
    with pytest.raises(KeyRefusedError):
        read_api_key(text, now=now + timedelta(hours=24))


def test_an_ended_key_is_refused_and_the_trail_says_who_ended_it(owner: User) -> None:
    text = made(owner)
    assert end_api_keys(list(ApiKey.objects.all()), reason="leaked", actor=ACTOR, now=timezone.now()) == 1
    assert end_api_keys(list(ApiKey.objects.all()), reason="again", actor=ACTOR, now=timezone.now()) == 0
    with pytest.raises(KeyRefusedError):
        read_api_key(text, now=timezone.now())
    entries = [(one.action, one.subject, one.actor, one.reason) for one in AuditEntry.objects.order_by("number")]
    subject = f"key {ApiKey.objects.get().public_id}"
    assert entries == [("key made", subject, "tester", ""), ("key ended", subject, "tester", "leaked")]
    assert check_trail().faults == ()


def test_a_key_of_somebody_who_may_not_publish_any_more_is_refused(owner: User) -> None:
    text = made(owner)
    owner.groups.clear()
    with pytest.raises(KeyRefusedError):
        read_api_key(text, now=timezone.now())


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ({"scopes": []}, "something that it may do"),
        ({"name": "  "}, "needs a name"),
        ({"expires_at": timezone.now() - timedelta(days=1)}, "in the time to come"),
    ],
)
def test_a_key_that_is_good_for_nothing_is_not_made(owner: User, terms: dict[str, object], sentence: str) -> None:
    with pytest.raises(KeyTermsError, match=sentence):
        made(owner, **terms)


def test_an_auditor_has_no_key() -> None:
    auditor = User.objects.create(username="auditor")
    auditor.groups.add(Group.objects.get(name=Role.AUDITOR))
    with pytest.raises(KeyTermsError, match="no publisher and no admin"):
        made(auditor)


def test_the_command_prints_the_key_alone(owner: User) -> None:
    out, err = run("make_api_key", "back-end", "--scope", "publish", "--scope", "revoke", "--expires", "90d")
    key = read_api_key(out.strip(), now=timezone.now())
    assert key.scopes == ["publish", "revoke"]
    assert err == f"{key.public_id} may publish, revoke\n"
    assert refusal("make_api_key", "nobody")[1] == 1
    assert refusal("make_api_key", "back-end", "--expires", "soon")[1] == 1


def test_the_command_ends_keys_by_id_or_text(owner: User) -> None:
    first, second = made(owner), made(owner)
    _, err = run("end_api_key", first, second.split("_")[1], "--reason", "rotated")
    assert err == "2 of 2 keys ended now\n"
    assert refusal("end_api_key", "unknown") == ("1 of them are unknown", 1)
