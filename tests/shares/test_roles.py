"""What each role may do."""

import pytest
from django.contrib.auth.models import Group, User

from shareview.shares.roles import Role, roles_of, sees_all_shares

pytestmark = pytest.mark.django_db
MAY = {
    Role.PUBLISHER: {
        "shares.view_share",
        "shares.change_share",
        "shares.see_link",
        "shares.view_apikey",
        "shares.add_apikey",
        "shares.change_apikey",
    },
    Role.AUDITOR: {"shares.view_share", "shares.view_stop", "shares.view_auditentry", "snapshots.view_snapshot"},
}


def account(*roles: Role, is_active: bool = True, is_superuser: bool = False) -> User:
    user = User.objects.create_user("somebody", is_staff=True, is_active=is_active, is_superuser=is_superuser)
    user.groups.set(Group.objects.filter(name__in=roles))
    return User.objects.get(pk=user.pk)


@pytest.mark.parametrize("role", [Role.PUBLISHER, Role.AUDITOR])
def test_a_role_may_do_this_and_nothing_else(role: Role) -> None:
    assert account(role).get_all_permissions() == MAY[role]


def test_an_admin_may_do_all_that_the_others_may_and_end_everything() -> None:
    may = account(Role.ADMIN).get_all_permissions()
    assert may > MAY[Role.PUBLISHER] | MAY[Role.AUDITOR]
    assert {"shares.add_stop", "shares.change_stop", "snapshots.delete_snapshot", "auth.change_user"} <= may


def test_two_roles_add_up() -> None:
    assert account(Role.PUBLISHER, Role.AUDITOR).get_all_permissions() == MAY[Role.PUBLISHER] | MAY[Role.AUDITOR]


def test_without_a_role_or_out_of_use_an_account_may_do_nothing() -> None:
    assert account().get_all_permissions() == set()
    User.objects.all().delete()
    assert account(Role.ADMIN, is_active=False).get_all_permissions() == set()


def test_a_superuser_is_an_admin() -> None:
    assert roles_of(account(is_superuser=True)) == {Role.ADMIN}


@pytest.mark.parametrize(("role", "sees"), [(Role.PUBLISHER, False), (Role.ADMIN, True), (Role.AUDITOR, True)])
def test_a_publisher_sees_only_shares_of_their_own(role: Role, sees: bool) -> None:
    assert sees_all_shares(account(role)) is sees
