"""A second factor for those who sign in: a code of an authenticator app (RFC 6238), or one of a list of spare codes."""

from typing import Any, Final

import segno
from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django_otp import devices_for_user, user_has_device
from django_otp import login as enter_with
from django_otp.forms import OTPAuthenticationFormMixin
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

_SPARE_CODES: Final = 8
_DIGITS: Final = 6
LONGEST_NAME: Final = 150
"""Characters of an account's name, as Django has it."""


class SignInForm(OTPAuthenticationFormMixin, AdminAuthenticationForm):  # type: ignore[misc] # django-otp is untyped
    """Name, password, and a code where the account has a second factor."""

    otp_token = forms.CharField(
        label=gettext_lazy("Code of your second factor, if you have one"),
        required=False,
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "text", "spellcheck": "false"}),
    )

    def clean_username(self) -> str:
        # The form of Django names the longest name to browsers alone, and what counts failed tries cannot hold more.
        name: str = self.cleaned_data["username"]
        if len(name) > LONGEST_NAME:
            raise self.get_invalid_login_error()
        return name

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean()
        user = self.get_user()
        if user is not None and user_has_device(user):
            self.clean_otp(user)
        return cleaned

    def _chosen_device(self, user: User) -> TOTPDevice | StaticDevice | None:
        return device_for_code(user, self.cleaned_data.get("otp_token") or "")


def device_for_code(user: User, code: str) -> TOTPDevice | StaticDevice | None:
    """The device of ``user`` that makes codes of this form."""
    kind = TOTPDevice if len(code.strip()) == _DIGITS and code.strip().isdecimal() else StaticDevice
    return next((device for device in devices_for_user(user) if isinstance(device, kind)), None)


def is_let_in(request: HttpRequest) -> bool:
    """Whether the second factor, where one is needed, was shown."""
    user = request.user
    if isinstance(user, AnonymousUser):
        return False
    return bool(user.is_verified() or not (settings.SHAREVIEW_SECOND_FACTOR_REQUIRED or user_has_device(user)))  # type: ignore[attr-defined] # put there by OTPMiddleware


def may_enrol(request: HttpRequest) -> bool:
    """Whether somebody who signed in with a password alone may set up a first second factor."""
    user = request.user
    is_staff = user.is_authenticated and user.is_active and user.is_staff
    return bool(is_staff and (is_let_in(request) or not user_has_device(user)))


@sensitive_post_parameters()
def second_factor(request: HttpRequest) -> HttpResponse:
    """Sets up, or removes, the second factor of whoever is signed in."""
    user = request.user
    if not may_enrol(request) or not isinstance(user._wrapped if hasattr(user, "_wrapped") else user, User):
        if user.is_authenticated:
            raise PermissionDenied
        return redirect("admin:login")
    code = request.POST.get("code", "").strip()
    if user_has_device(user):
        return _remove(request, code) if request.method == "POST" else _shown(request, {"has_device": True})
    device, _is_new = TOTPDevice.objects.get_or_create(user=user, confirmed=False, defaults={"name": "app"})
    if request.method == "POST":
        if _accepts(device, code):
            return _confirm(request, device)
        messages.error(request, _("That code is not right (any more)."))
    return _shown(
        request, {"qr": segno.make(device.config_url, error="m").svg_data_uri(scale=4), "secret": _secret(device)}
    )


def _accepts(device: TOTPDevice | StaticDevice | None, code: str) -> bool:
    return bool(device is not None and device.verify_is_allowed()[0] and device.verify_token(code))


def _secret(device: TOTPDevice) -> str:
    query: str = device.config_url.split("secret=", 1)[1].split("&", 1)[0]
    return " ".join(query[at : at + 4] for at in range(0, len(query), 4))


def _confirm(request: HttpRequest, device: TOTPDevice) -> HttpResponse:
    device.confirmed = True
    device.save()
    enter_with(request, device)
    spare = StaticDevice.objects.create(user=device.user, name="spare codes")
    codes = [StaticToken.random_token() for _number in range(_SPARE_CODES)]
    StaticToken.objects.bulk_create([StaticToken(device=spare, token=token) for token in codes])
    messages.success(request, _("From now on your sign-in asks for a code."))
    return _shown(request, {"has_device": True, "codes": codes})


def _remove(request: HttpRequest, code: str) -> HttpResponse:
    user = request.user
    if not _accepts(device_for_code(user, code), code):  # type: ignore[arg-type] # signed in, as was looked at
        messages.error(request, _("That code is not right (any more)."))
        return _shown(request, {"has_device": True})
    for device in devices_for_user(user):
        device.delete()
    messages.success(request, _("Your sign-in asks for no code any more."))
    return redirect("admin:index" if not settings.SHAREVIEW_SECOND_FACTOR_REQUIRED else "admin:second-factor")


def _shown(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    around = {**admin.site.each_context(request), "title": _("Second factor"), "has_permission": is_let_in(request)}
    return render(request, "admins/second_factor.html", {**around, **context})
