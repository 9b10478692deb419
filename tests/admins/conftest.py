"""Accounts of each role, and their browsers."""

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from signing_in import SignIn

from shareview.shares.roles import Role


@pytest.fixture
def sign_in(db: None) -> SignIn:
    """A browser in which somebody with a role is signed in; one account a role."""

    def signed_in(role: Role | None, **headers: str) -> Client:
        user, is_new = User.objects.get_or_create(username=role or "nobody", defaults={"is_staff": True})
        if is_new and role:
            user.groups.add(Group.objects.get(name=role))
        client = Client(headers={"accept-language": "en", **headers})
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return signed_in


@pytest.fixture
def admin(sign_in: SignIn) -> Client:
    """An admin's browser."""
    return sign_in(Role.ADMIN)
