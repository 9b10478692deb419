"""How a test signs somebody in."""

from collections.abc import Callable

from django.test import Client

SignIn = Callable[..., Client]
