"""Signing in: a second factor where there is one or must be one, and an end to guessing."""

import re
import time

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.test import Client
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

PAGE = "/admin/second-factor/"


@pytest.fixture
def account(db: None) -> User:
    return User.objects.create_superuser("mei", password="correct horse")


def sign_in(code: str = "", password: str = "correct horse") -> Client:
    client = Client(headers={"accept-language": "en"})
    client.post("/admin/login/?next=/admin/", {"username": "mei", "password": password, "otp_token": code})
    return client


def is_in(client: Client) -> bool:
    return client.get("/admin/").status_code == 200


def code_of(device: TOTPDevice) -> str:
    totp = TOTP(device.bin_key)
    totp.time = time.time()
    return f"{totp.token():06}"


def enrolled(client: Client) -> list[str]:
    """The spare codes that setting up a second factor showed."""
    client.get(PAGE)
    html = client.post(PAGE, {"code": code_of(TOTPDevice.objects.get())}).content.decode()
    assert TOTPDevice.objects.get().confirmed
    # The same code must not be good twice; the test cannot wait for the next.
    TOTPDevice.objects.update(last_t=-1)
    return re.findall(r"<li><code>(\w+)</code></li>", html)


def test_a_password_is_enough_while_there_is_no_second_factor(account: User) -> None:
    assert is_in(sign_in())
    assert not is_in(sign_in(password="wrong"))


def test_a_second_factor_is_asked_for_once_it_is_set_up(account: User) -> None:
    first = sign_in()
    enrolled(first)
    assert is_in(first)
    assert not is_in(sign_in())
    assert not is_in(sign_in("000000"))
    TOTPDevice.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    assert is_in(sign_in(code_of(TOTPDevice.objects.get())))


def test_a_spare_code_is_good_once(account: User) -> None:
    codes = enrolled(sign_in())
    assert len(codes) == 8
    assert is_in(sign_in(codes[0]))
    assert not is_in(sign_in(codes[0]))
    assert StaticToken.objects.count() == 7


def test_a_wrong_code_sets_nothing_up(account: User) -> None:
    client = sign_in()
    client.get(PAGE)
    html = client.post(PAGE, {"code": "000000"}).content.decode()
    assert "That code is not right" in html
    assert not TOTPDevice.objects.get().confirmed


def test_the_second_factor_goes_with_a_code_alone(account: User) -> None:
    client = sign_in()
    codes = enrolled(client)
    client.post(PAGE, {"code": "00000000"})
    assert TOTPDevice.objects.count() == 1
    client.post(PAGE, {"code": codes[0]})
    assert TOTPDevice.objects.count() == 1, "a wrong code makes the next wait"
    StaticToken.objects.first().device.throttle_reset()
    client.post(PAGE, {"code": codes[1]})
    assert TOTPDevice.objects.count() == 0


def test_where_it_is_required_nobody_gets_further_without_one(account: User, settings: LazySettings) -> None:
    settings.SHAREVIEW_SECOND_FACTOR_REQUIRED = True
    client = sign_in()
    assert not is_in(client)
    assert client.get("/admin/login/", follow=True).redirect_chain == [(PAGE, 302)]
    enrolled(client)
    assert is_in(client)


def test_a_password_alone_cannot_take_the_second_factor_away(account: User) -> None:
    enrolled(sign_in())
    other = Client()
    other.force_login(account, backend="django.contrib.auth.backends.ModelBackend")
    assert other.get(PAGE).status_code == 403
    assert other.post(PAGE, {"code": "000000"}).status_code == 403


def test_nobody_else_gets_to_the_page(reader: Client, account: User) -> None:
    assert reader.get(PAGE)["Location"] == "/admin/login/"
    User.objects.update(is_staff=False)
    client = Client()
    client.force_login(account, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(PAGE).status_code == 403


def test_guessing_passwords_is_stopped_for_that_address_alone(account: User) -> None:
    guesser = Client(REMOTE_ADDR="198.51.100.9", headers={"accept-language": "en"})
    for _guess in range(10):
        answer = guesser.post("/admin/login/", {"username": "mei", "password": "guess"})
    assert answer.status_code == 429
    assert answer["Retry-After"] == "900"
    right = guesser.post("/admin/login/", {"username": "mei", "password": "correct horse"})
    assert right.status_code == 429
    assert is_in(sign_in())


@pytest.mark.parametrize("name", ["x" * 3_000, "\0", ""])
def test_a_name_that_nobody_can_have_is_refused_like_any_other(account: User, name: str) -> None:
    client = Client(headers={"accept-language": "en"})
    answer = client.post("/admin/login/", {"username": name, "password": "guess"})
    assert answer.status_code == 200
    assert not is_in(client)
