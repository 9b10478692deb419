"""Tables of the audit trail. The database refuses to change or remove an entry, without any exception."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class AuditAction(models.TextChoices):
    """What was done."""

    PUBLISH = "publish", _("published")
    REVOKE = "revoke", pgettext_lazy("done to a link", "revoked")
    ROTATE = "rotate", _("link replaced")
    DATES = "dates", _("dates changed")
    PAUSE = "pause", _("paused")
    RESUME = "resume", _("resumed")
    PASSWORD = "password", _("password changed")
    STOP = "stop", _("stopped")
    RELEASE = "release", _("released")
    ERASE = "erase", _("erased")
    EXPORT = "export", _("trail exported")
    SECRETS = "secrets", _("secrets published as they are")
    KEY_MADE = "key made", _("API key made")
    KEY_ENDED = "key ended", _("API key ended")


class AuditEntry(models.Model):
    """One thing that was done. ``hash`` covers all other fields and so, by ``previous_hash``, all entries before.

    Nothing of what a session says stands here, nor for whom a link was: an entry outlives an erasure.
    """

    number = models.PositiveBigIntegerField(_("number"), unique=True)
    at = models.DateTimeField(_("when"))
    actor = models.CharField(_("who"), max_length=200)
    address = models.CharField(_("from where"), max_length=100)
    action = models.CharField(_("what"), max_length=10, choices=AuditAction.choices)
    subject = models.CharField(_("of what"), max_length=700)
    reason = models.TextField(_("why"), blank=True)
    details = models.JSONField(_("details"), default=dict)
    previous_hash = models.CharField(max_length=64)
    hash = models.CharField("SHA-256", max_length=64)

    class Meta:
        ordering: ClassVar = ["-number"]
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit trail")
        indexes: ClassVar = [models.Index(fields=["subject"], name="entries_of_subject")]

    def __str__(self) -> str:
        return f"{self.number}: {self.action} {self.subject}"


class AuditHead(models.Model):
    """The newest entry, in one row: whoever writes holds its lock, and a trail cut short does not reach up to it."""

    number = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"{self.number}:{self.hash}"
