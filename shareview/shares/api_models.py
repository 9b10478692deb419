"""Tables of the producers' door: keys, and what was asked for under an idempotency key."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Scope(models.TextChoices):
    """What a key may do."""

    PUBLISH = "publish", _("freeze sessions and publish links")
    READ = "read", _("list shares and read their links")
    CHANGE = "change", _("replace links and change their end")
    REVOKE = "revoke", _("end links")


class ApiKey(models.Model):
    """A key of the API; of its secret only the hash is stored. It may do what ``scopes`` say, as its owner may."""

    name = models.CharField(_("name"), max_length=100)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="api_keys", verbose_name=_("owner")
    )
    public_id = models.CharField(_("id"), max_length=16, unique=True)
    secret_hash = models.CharField(max_length=64)
    scopes = models.JSONField(_("may"), default=list)
    created_at = models.DateTimeField(_("made"))
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")

    def __str__(self) -> str:
        return f"{self.public_id}: {self.name}"


class IdempotentCall(models.Model):
    """A request under an idempotency key; ``result`` is None while it is being answered."""

    key = models.ForeignKey(ApiKey, on_delete=models.CASCADE, related_name="calls")
    value = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64)
    began_at = models.DateTimeField(db_index=True)
    result = models.JSONField(null=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["key", "value"], name="one_call_a_value")]

    def __str__(self) -> str:
        return f"{self.key_id} {self.value}"
