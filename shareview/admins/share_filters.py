"""Filters beside the list of shares."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from shareview.admins.words import state_words
from shareview.shares.models import Share, ShareState


class StateFilter(admin.SimpleListFilter):
    """By whether a link can be read now."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(state.value, state_words(state)) for state in ShareState]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Share]) -> QuerySet[Share]:
        value = self.value()
        if value not in set(ShareState):
            return queryset
        return queryset & Share.objects.in_state(ShareState(value), timezone.now())


class ReadersFilter(admin.SimpleListFilter):
    """By who may read."""

    title = _("readers")
    parameter_name = "readers"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [
            ("password", _("with a password")), ("recipient", _("for a recipient")), ("embed", _("in frames")),
            ("none", _("never looked at")),
        ]  # fmt: skip

    def queryset(self, request: HttpRequest, queryset: QuerySet[Share]) -> QuerySet[Share]:
        match self.value():
            case "password":
                return queryset.exclude(password="")
            case "recipient":
                return queryset.exclude(recipient="")
            case "embed":
                return queryset.filter(embeds__isnull=False).distinct()
            case "none":
                return queryset.filter(views=0)
        return queryset
