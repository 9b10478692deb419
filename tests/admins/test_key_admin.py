"""API keys in the admin: made for oneself or by an admin for anybody, shown once, ended with a reason."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from signing_in import SignIn

from shareview.shares.api_keys import KeyRefusedError, read_api_key
from shareview.shares.models import ApiKey, AuditEntry
from shareview.shares.roles import Role

LIST = "/admin/shares/apikey/"


def make(client: Client, owner: User, **fields: object) -> str:
    """The page that answers the form."""
    data = {"name": "Back end", "owner": owner.pk, "scopes": ["publish", "revoke"], "expires_at": "", **fields}
    html: str = client.post(f"{LIST}add/", data).content.decode()
    return html


def key_in(html: str) -> str:
    (found,) = re.findall(r"svk_[0-9a-f]+_[0-9a-f]+", html)
    return str(found)


def test_a_publisher_makes_a_key_of_their_own_and_sees_it_once(sign_in: SignIn) -> None:
    client = sign_in(Role.PUBLISHER)
    owner = User.objects.get(groups__name=Role.PUBLISHER)
    text = key_in(make(client, owner))
    key = read_api_key(text, now=timezone.now())
    assert (key.owner, key.scopes, key.name) == (owner, ["publish", "revoke"], "Back end")
    for page in (LIST, f"{LIST}{key.pk}/change/"):
        shown = client.get(page).content.decode()
        assert key.public_id in shown
        assert text not in shown
        assert key.secret_hash not in shown


def test_a_publisher_makes_no_key_of_anybody_else_and_sees_none(sign_in: SignIn, admin: Client) -> None:
    boss = User.objects.get(username=Role.ADMIN)
    text = key_in(make(admin, boss))
    client = sign_in(Role.PUBLISHER)
    assert "svk_" not in make(client, boss)
    assert read_api_key(text, now=timezone.now()).public_id not in client.get(LIST).content.decode()
    assert ApiKey.objects.count() == 1


def test_an_admin_makes_keys_of_publishers(sign_in: SignIn, admin: Client) -> None:
    sign_in(Role.PUBLISHER)
    owner = User.objects.get(groups__name=Role.PUBLISHER)
    assert read_api_key(key_in(make(admin, owner)), now=timezone.now()).owner == owner


@pytest.mark.parametrize(
    "fields", [{"scopes": []}, {"name": ""}, {"expires_at": "2020-01-01T00:00"}, {"scopes": ["all"]}]
)
def test_a_key_that_is_good_for_nothing_is_not_made(admin: Client, fields: dict[str, object]) -> None:
    assert "svk_" not in make(admin, User.objects.get(username=Role.ADMIN), **fields)
    assert not ApiKey.objects.exists()


def test_an_auditor_neither_makes_nor_sees_keys(sign_in: SignIn) -> None:
    client = sign_in(Role.AUDITOR)
    assert client.get(f"{LIST}add/").status_code == 403
    assert client.get(LIST).status_code == 403


def test_a_key_is_ended_with_a_reason(admin: Client) -> None:
    text = key_in(make(admin, User.objects.get(username=Role.ADMIN)))
    key = ApiKey.objects.get()
    data = {"action": "end", "_selected_action": [key.pk]}
    assert "refused from the next request on" in admin.post(LIST, data).content.decode()
    admin.post(LIST, {**data, "confirmed": "yes", "reason": "leaked"})
    with pytest.raises(KeyRefusedError):
        read_api_key(text, now=timezone.now())
    assert AuditEntry.objects.filter(action="key ended").get().reason == "leaked"


def test_the_hash_of_a_key_cannot_be_probed(admin: Client) -> None:
    make(admin, User.objects.get(username=Role.ADMIN))
    assert admin.get(f"{LIST}?secret_hash__startswith=a").status_code == 400
