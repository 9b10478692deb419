"""Roles of those who sign in: what each may do to shares (own ones, all, or look only)."""

from enum import StrEnum
from typing import Any, Final

from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User


class Role(StrEnum):
    """A group whose name is the role's."""

    PUBLISHER = "publisher"
    ADMIN = "admin"
    AUDITOR = "auditor"


_LOOKS: Final = frozenset(
    {"shares.view_share", "shares.view_stop", "shares.view_auditentry", "snapshots.view_snapshot"}
)
_DOES: Final = frozenset(
    {
        "shares.change_share",
        "shares.see_link",
        "shares.view_apikey",
        "shares.add_apikey",
        "shares.change_apikey",
        "shares.add_stop",
        "shares.change_stop",
        "snapshots.delete_snapshot",
        "snapshots.view_annotationtrace",
    }
)
_ACCOUNTS: Final = frozenset(
    {f"auth.{verb}_user" for verb in ("view", "add", "change", "delete")}
    | {"auth.view_group", "axes.view_accessattempt", "axes.delete_accessattempt", "axes.view_accesslog"}
    | {f"otp_{kind}.{verb}_{kind}device" for kind in ("totp", "static") for verb in ("view", "delete")}
)
_PERMISSIONS: Final = {
    Role.PUBLISHER: frozenset(
        {"shares.view_share", "shares.change_share", "shares.see_link"}
        | {f"shares.{verb}_apikey" for verb in ("view", "add", "change")}
    ),
    Role.ADMIN: _LOOKS | _DOES | _ACCOUNTS,
    Role.AUDITOR: _LOOKS,
}


def roles_of(user: User) -> frozenset[Role]:
    """The roles of ``user``; a superuser is an admin."""
    if not user.is_active:
        return frozenset()
    names = set(user.groups.values_list("name", flat=True))
    return frozenset(role for role in Role if role in names or (role is Role.ADMIN and user.is_superuser))


def sees_all_shares(user: User | AnonymousUser) -> bool:
    """Whether ``user`` may look at shares of others."""
    return isinstance(user, User) and bool(roles_of(user) & {Role.ADMIN, Role.AUDITOR})


def acts_on_all_shares(user: User | AnonymousUser) -> bool:
    """Whether ``user`` may do anything to shares and keys of others, and see their links: who looks only may not."""
    return isinstance(user, User) and Role.ADMIN in roles_of(user)


class RoleBackend(BaseBackend):
    """Gives the permissions of a user's roles, by the rules above and not by rows of the database."""

    def get_group_permissions(self, user_obj: AbstractBaseUser | AnonymousUser, obj: Any = None) -> set[str]:
        """The permissions of all roles of ``user_obj``."""
        if not isinstance(user_obj, User):
            return set()
        if not hasattr(user_obj, "_role_permissions"):
            # As Django's own backend keeps them with the user of the request.
            user_obj._role_permissions = {  # type: ignore[attr-defined]
                permission for role in roles_of(user_obj) for permission in _PERMISSIONS[role]
            }
        found: set[str] = user_obj._role_permissions  # type: ignore[attr-defined]
        return found
