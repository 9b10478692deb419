"""Each page and each action of the admin, tried by each role."""

from collections.abc import Set

import pytest
from django.contrib.auth.models import User
from django.test import Client
from sessions import ACTOR, NOW, TOKEN_KEY, FreezeRecords, PublishRecords
from signing_in import SignIn

from shareview.admins.share_actions import SHARE_ACTIONS
from shareview.shares.models import Share, Stop, StopKind
from shareview.shares.publish import ShareTerms, publish_snapshot
from shareview.shares.roles import Role
from shareview.shares.stops import stop_everything
from shareview.snapshots.models import Snapshot

EVERYBODY = {Role.PUBLISHER, Role.ADMIN, Role.AUDITOR}
PAGES: dict[str, Set[Role | None]] = {
    "/admin/": {*EVERYBODY, None},
    "/admin/shares/share/": EVERYBODY,
    "/admin/shares/share/proof/": EVERYBODY,
    "/admin/shares/auditentry/": {Role.ADMIN, Role.AUDITOR},
    "/admin/shares/auditentry/export.csv": {Role.ADMIN, Role.AUDITOR},
    "/admin/shares/stop/": {Role.ADMIN, Role.AUDITOR},
    "/admin/shares/stop/add/": {Role.ADMIN},
    "/admin/snapshots/snapshot/": {Role.ADMIN, Role.AUDITOR},
    "/admin/snapshots/annotationtrace/": {Role.ADMIN},
    "/admin/auth/user/": {Role.ADMIN},
    "/admin/auth/user/add/": {Role.ADMIN},
    "/admin/axes/accessattempt/": {Role.ADMIN},
    "/admin/otp_totp/totpdevice/": {Role.ADMIN},
    "/admin/django_tasks_database/dbtaskresult/": set(),
}
ROLES = [*Role, None]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_for_its_roles_alone(sign_in: SignIn, page: str, role: Role | None) -> None:
    assert sign_in(role).get(page).status_code == (200 if role in PAGES[page] else 403)


@pytest.mark.parametrize("page", PAGES)
def test_nobody_gets_in_without_signing_in(reader: Client, db: None, page: str) -> None:
    answer = reader.get(page)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/admin/login/")


def state_of(share: Share) -> tuple[object, ...]:
    return Share.objects.values_list("revoked_at", "paused_at", "expires_at", "password", "nonce").get(pk=share.pk)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("action", [action.name for action in SHARE_ACTIONS if action.name != "resume"])
def test_only_publishers_and_admins_act_on_shares(
    sign_in: SignIn, freeze: FreezeRecords, role: Role | None, action: str
) -> None:
    client = sign_in(role)
    owner = User.objects.get(username=role or "nobody")
    terms = ShareTerms(owner=owner)
    snapshot = freeze("battery.en.jsonl").snapshot
    share = publish_snapshot(snapshot, terms, actor=ACTOR, now=NOW, token_key=TOKEN_KEY)[0]
    before = state_of(share)
    answers = {"reason": "so", "expires_at": "2099-01-01T00:00", "password": "x", "confirmed": "yes"}
    client.post("/admin/shares/share/", {"action": action, "_selected_action": [share.pk], **answers})
    assert (state_of(share) != before) is (role in {Role.PUBLISHER, Role.ADMIN})


@pytest.mark.parametrize("role", ROLES)
def test_only_admins_stop_and_release(sign_in: SignIn, role: Role | None) -> None:
    client = sign_in(role)
    asked = {"kind": "session", "value": "s-1", "reason": "so", "confirmed": "yes"}
    client.post("/admin/shares/stop/add/", asked)
    assert Stop.objects.exists() is (role is Role.ADMIN)
    stop = stop_everything(StopKind.SESSION, "s-2", reason="so", actor=ACTOR, now=NOW)
    released = {"action": "release", "_selected_action": [stop.pk], "reason": "so", "confirmed": "yes"}
    client.post("/admin/shares/stop/", released)
    assert (Stop.objects.get(pk=stop.pk).lifted_at is not None) is (role is Role.ADMIN)


@pytest.mark.parametrize("role", ROLES)
def test_only_admins_erase(sign_in: SignIn, publish: PublishRecords, role: Role | None) -> None:
    snapshot = publish("battery.en.jsonl").snapshot
    asked = {"action": "erase", "_selected_action": [snapshot.pk], "digest": snapshot.digest[:8], "reason": "so"}
    sign_in(role).post("/admin/snapshots/snapshot/", {**asked, "confirmed": "yes"})
    assert Snapshot.objects.exists() is (role is not Role.ADMIN)


@pytest.mark.parametrize("lookup", ["password__startswith", "nonce__startswith", "token_hash__startswith", "password"])
def test_nobody_finds_out_a_secret_a_letter_at_a_time(sign_in: SignIn, publish: PublishRecords, lookup: str) -> None:
    publish("battery.en.jsonl", ShareTerms(password="x"))
    answer = sign_in(Role.AUDITOR).get(f"/admin/shares/share/?{lookup}=a")
    assert answer.status_code == 400


@pytest.mark.parametrize("role", ROLES)
def test_only_who_may_act_is_shown_the_link(sign_in: SignIn, freeze: FreezeRecords, role: Role | None) -> None:
    client = sign_in(role)
    owner = User.objects.get(username=role or "nobody")
    snapshot = freeze("battery.en.jsonl").snapshot
    share = publish_snapshot(snapshot, ShareTerms(owner=owner), actor=ACTOR, now=NOW, token_key=TOKEN_KEY)[0]
    html = client.get(f"/admin/shares/share/{share.pk}/change/").content.decode()
    assert (share.token() in html) is (role in {Role.PUBLISHER, Role.ADMIN})
