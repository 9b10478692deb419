"""What an admin is asked before something is done."""

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from shareview.shares.models import Scope, StopKind
from shareview.shares.origins import EXPECTED, read_origin


class ReasonForm(forms.Form):
    """Why it is done: kept in the audit trail."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("Kept in the audit trail, and with the share."),
    )


class KeyForm(forms.Form):
    """What a key of the API is for."""

    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=100, help_text=gettext_lazy("Which program uses it, and where.")
    )
    owner = forms.ModelChoiceField(
        label=gettext_lazy("Owner"),
        queryset=User.objects.none(),
        help_text=gettext_lazy("What it publishes is theirs; an admin's key reaches the links of all."),
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("May"), choices=Scope.choices, widget=forms.CheckboxSelectMultiple
    )
    expires_at = forms.DateTimeField(
        label=gettext_lazy("Expires (UTC)"),
        required=False,
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
        help_text=gettext_lazy("Empty: does not end by itself."),
    )

    def __init__(self, owners: QuerySet[User], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["owner"].queryset = owners  # type: ignore[attr-defined] # a ModelChoiceField


class DatesForm(ReasonForm):
    """From when until when links can be read."""

    field_order = ("starts_at", "expires_at", "reason")
    starts_at = forms.DateTimeField(
        label=gettext_lazy("Begins (UTC)"),
        required=False,
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
        help_text=gettext_lazy("Empty: can be read at once."),
    )
    expires_at = forms.DateTimeField(
        label=gettext_lazy("Expires (UTC)"),
        required=False,
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
        help_text=gettext_lazy("Empty: does not end by itself."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        begins, ends = cleaned.get("starts_at"), cleaned.get("expires_at")
        if ends is not None and ends <= max(begins or ends.min.replace(tzinfo=UTC), datetime.now(UTC)):
            self.add_error("expires_at", _("A link must end after it begins, and in the time to come."))
        return cleaned


class PasswordForm(ReasonForm):
    """What readers must know."""

    field_order = ("password", "reason")
    password = forms.CharField(
        label=gettext_lazy("New password"),
        required=False,
        max_length=200,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=gettext_lazy("Empty: no password is asked for any more."),
    )


class EraseForm(ReasonForm):
    """A second thought before something that cannot be taken back."""

    field_order = ("digest", "reason")
    digest = forms.CharField(
        label=gettext_lazy("First eight characters of the digest"),
        help_text=gettext_lazy("Type them, to be sure that it is this one."),
    )

    def __init__(self, *args: Any, digest: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._digest = digest

    def clean_digest(self) -> str:
        typed: str = self.cleaned_data["digest"].strip().lower()
        if typed != self._digest[:8]:
            raise forms.ValidationError(_("These are not the first eight characters of the digest."))
        return typed


class StopForm(ReasonForm):
    """What is to be stopped."""

    field_order = ("kind", "value", "reason")
    kind = forms.ChoiceField(label=gettext_lazy("Stop everything of"), choices=StopKind.choices)
    value = forms.CharField(
        label=gettext_lazy("Which"),
        max_length=512,
        help_text=gettext_lazy("The session's id, the owner's user name, the recipient's name, or the origin."),
    )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if cleaned.get("kind") == StopKind.ORIGIN and "value" in cleaned:
            try:
                cleaned["value"] = read_origin(cleaned["value"])
            except ValueError:
                self.add_error("value", _("Expected an origin: %s.") % EXPECTED)
        return cleaned
