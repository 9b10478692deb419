"""Programs that ask the API."""

import pytest
from api_calls import Caller, MakeCaller
from django.conf import LazySettings
from django.contrib.auth.models import Group, User
from django.utils import timezone
from sessions import ACTOR

from shareview.shares.api_keys import KeyTerms, make_api_key
from shareview.shares.models import Scope
from shareview.shares.roles import Role


@pytest.fixture(autouse=True)
def _base_url(settings: LazySettings) -> None:
    settings.SHAREVIEW_BASE_URL = "http://testserver"


@pytest.fixture
def caller_of(db: None) -> MakeCaller:
    """Makes a program whose key belongs to somebody of a role."""

    def make(name: str = "back-end", role: Role = Role.PUBLISHER, scopes: tuple[Scope, ...] = tuple(Scope)) -> Caller:
        owner, is_new = User.objects.get_or_create(username=name)
        if is_new:
            owner.groups.add(Group.objects.get(name=role))
        terms = KeyTerms("tests", owner, scopes)
        return Caller(make_api_key(terms, actor=ACTOR, now=timezone.now())[1], owner)

    return make


@pytest.fixture
def caller(caller_of: MakeCaller) -> Caller:
    """A program that may do all that a publisher may."""
    return caller_of()
