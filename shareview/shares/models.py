"""Share links."""

from datetime import datetime
from enum import StrEnum
from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from shareview.shares.tokens import derive_token, hash_token
from shareview.snapshots.models import Snapshot


class ShareState(StrEnum):
    """Whether a link can be read."""

    LIVE = "live"
    REVOKED = "revoked"
    EXPIRED = "expired"


class ShareQuerySet(models.QuerySet["Share"]):
    """Shares by what one asks of them."""

    def with_token(self, token: str) -> "ShareQuerySet":
        """The share that ``token`` opens, live or ended."""
        return self.filter(token_hash=hash_token(token))

    def live(self, now: datetime) -> "ShareQuerySet":
        """Those that can be read at ``now``."""
        unexpired = models.Q(expires_at__isnull=True) | models.Q(expires_at__gt=now)
        return self.filter(unexpired, revoked_at__isnull=True)


class Share(models.Model):
    """One link to a snapshot; ``thread`` is the one it opens with, where one was asked for."""

    public_id = models.CharField(_("id"), max_length=16, unique=True, editable=False)
    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="shares", verbose_name=_("session"))
    nonce = models.CharField(max_length=64, editable=False)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    title = models.TextField(_("title"), blank=True)
    recipient = models.CharField(_("recipient"), max_length=200, blank=True)
    thread = models.CharField(_("thread"), max_length=512, blank=True)
    watermark = models.CharField(_("watermark"), max_length=500)
    created_at = models.DateTimeField(_("published"))
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    revoke_reason = models.TextField(_("reason"), blank=True)
    views = models.PositiveBigIntegerField(_("views"), default=0)

    objects: ClassVar = ShareQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["-created_at", "-pk"]
        verbose_name = _("share")
        verbose_name_plural = _("shares")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(revoked_at__isnull=True) | models.Q(revoked_at__gte=models.F("created_at")),
                name="revoked_after_published",
            ),
            models.CheckConstraint(condition=~models.Q(watermark=""), name="always_a_watermark"),
        ]

    def __str__(self) -> str:
        return f"{self.public_id}: {self.shown_title}"

    @property
    def shown_title(self) -> str:
        """The share's own title, or the session's."""
        return self.title or self.snapshot.title

    def state(self, now: datetime) -> ShareState:
        """Whether the link can be read at ``now``."""
        if self.revoked_at is not None:
            return ShareState.REVOKED
        if self.expires_at is not None and self.expires_at <= now:
            return ShareState.EXPIRED
        return ShareState.LIVE

    def token(self) -> str:
        """The link's secret part."""
        return derive_token(self.nonce, settings.SHAREVIEW_TOKEN_KEY)

    def link(self, base_url: str = "") -> str:
        """The link, beginning with ``base_url`` or with the site's own."""
        return f"{base_url or settings.SHAREVIEW_BASE_URL}{SHARE_PATH}{self.token()}/"


SHARE_PATH: Final = "/s/"
