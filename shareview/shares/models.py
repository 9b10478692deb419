"""Share links."""

from datetime import datetime
from enum import StrEnum
from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from shareview.shares.api_models import ApiKey, IdempotentCall, Scope
from shareview.shares.audit_models import AuditAction, AuditEntry, AuditHead
from shareview.shares.tokens import derive_token, hash_token
from shareview.snapshots.models import Snapshot

__all__ = [
    "EMBED_PATH", "SHARE_PATH", "ApiKey", "AuditAction", "AuditEntry", "AuditHead", "IdempotentCall", "PreviewDetail",
    "RetiredToken", "Scope", "Share", "ShareEmbed", "ShareQuerySet", "ShareState", "Stop", "StopKind", "ViewDay",
]  # fmt: skip

AUDIT_TABLES: Final = ("shares_auditentry",)
"""Tables whose rows the database refuses to change or to remove, for good."""


class ShareState(StrEnum):
    """Whether a link can be read."""

    LIVE = "live"
    REVOKED = "revoked"
    EXPIRED = "expired"
    PAUSED = "paused"
    NOT_YET = "not yet"


class PreviewDetail(models.TextChoices):
    """What a messenger may show of a link before anybody opens it."""

    NONE = "none", _("nothing")
    TITLE = "title", _("title and date")
    CONTENT = "content", _("how the first answer begins, too")


def state_at(
    now: datetime,
    revoked_at: datetime | None,
    expires_at: datetime | None,
    paused_at: datetime | None,
    starts_at: datetime | None,
) -> ShareState:
    """Whether a link of these moments can be read at ``now``."""
    if revoked_at is not None:
        return ShareState.REVOKED
    if expires_at is not None and expires_at <= now:
        return ShareState.EXPIRED
    if paused_at is not None:
        return ShareState.PAUSED
    if starts_at is not None and starts_at > now:
        return ShareState.NOT_YET
    return ShareState.LIVE


class ShareQuerySet(models.QuerySet["Share"]):
    """Shares by what one asks of them."""

    def with_token(self, token: str) -> "ShareQuerySet":
        """The share that ``token`` opens, live or ended."""
        return self.filter(token_hash=hash_token(token))

    def live(self, now: datetime) -> "ShareQuerySet":
        """Those that can be read at ``now``."""
        return self.in_state(ShareState.LIVE, now)

    def in_state(self, state: ShareState, now: datetime) -> "ShareQuerySet":
        """Those that are in ``state`` at ``now``; the same rule as ``Share.state``."""
        if state is ShareState.REVOKED:
            return self.filter(revoked_at__isnull=False)
        standing = self.filter(revoked_at__isnull=True)
        if state is ShareState.EXPIRED:
            return standing.filter(expires_at__lte=now)
        unexpired = standing.filter(models.Q(expires_at__isnull=True) | models.Q(expires_at__gt=now))
        if state is ShareState.PAUSED:
            return unexpired.filter(paused_at__isnull=False)
        running = unexpired.filter(paused_at__isnull=True)
        if state is ShareState.NOT_YET:
            return running.filter(starts_at__gt=now)
        return running.filter(models.Q(starts_at__isnull=True) | models.Q(starts_at__lte=now))


class Share(models.Model):
    """One link to a snapshot; ``thread`` is the one it opens with, where one was asked for.

    ``password`` is the hash of what a reader must know, if anything. ``views`` and ``crawler_views`` are the sums of
    ``view_days``.
    """

    public_id = models.CharField(_("id"), max_length=16, unique=True, editable=False)
    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="shares", verbose_name=_("session"))
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="shares", verbose_name=_("owner")
    )
    nonce = models.CharField(max_length=64, editable=False)
    token_hash = models.CharField(max_length=64, unique=True, editable=False)
    title = models.TextField(_("title"), blank=True)
    recipient = models.CharField(_("recipient"), max_length=200, blank=True)
    thread = models.CharField(_("thread"), max_length=512, blank=True)
    watermark = models.CharField(_("watermark"), max_length=500)
    created_at = models.DateTimeField(_("published"))
    starts_at = models.DateTimeField(_("begins"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    paused_at = models.DateTimeField(_("paused"), null=True, blank=True)
    password = models.CharField(max_length=200, blank=True, editable=False)
    preview = models.CharField(
        _("link preview"), max_length=8, choices=PreviewDetail.choices, default=PreviewDetail.TITLE
    )
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    revoke_reason = models.TextField(_("reason"), blank=True)
    views = models.PositiveBigIntegerField(_("views"), default=0)
    crawler_views = models.PositiveBigIntegerField(_("views by crawlers"), default=0)
    last_viewed_at = models.DateTimeField(_("last view"), null=True, blank=True)

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
            models.CheckConstraint(
                condition=models.Q(starts_at__isnull=True)
                | models.Q(expires_at__isnull=True)
                | models.Q(expires_at__gt=models.F("starts_at")),
                name="expires_after_it_begins",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.public_id}: {self.shown_title}"

    @property
    def shown_title(self) -> str:
        """The share's own title, or the session's."""
        return self.title or self.snapshot.title

    def state(self, now: datetime) -> ShareState:
        """Whether the link can be read at ``now``."""
        return state_at(now, self.revoked_at, self.expires_at, self.paused_at, self.starts_at)

    def token(self) -> str:
        """The link's secret part."""
        return derive_token(self.nonce, settings.SHAREVIEW_TOKEN_KEY)

    def link(self, base_url: str = "") -> str:
        """The link, beginning with ``base_url`` or with the site's own."""
        return f"{base_url or settings.SHAREVIEW_BASE_URL}{SHARE_PATH}{self.token()}/"

    def embed_origins(self) -> list[str]:
        """The origins that may show the share in a frame."""
        return [embed.origin for embed in self.embeds.all()]


SHARE_PATH: Final = "/s/"
EMBED_PATH: Final = "/embed/"


class ShareEmbed(models.Model):
    """An origin that may show a share in a frame."""

    share = models.ForeignKey(Share, on_delete=models.CASCADE, related_name="embeds")
    origin = models.CharField(_("embed origin"), max_length=300, db_index=True)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["share", "origin"], name="one_embed_an_origin")]

    def __str__(self) -> str:
        return self.origin


class RetiredToken(models.Model):
    """A token that opened a share and never will again: its link was replaced, or what it showed was erased."""

    token_hash = models.CharField(max_length=64, unique=True)
    public_id = models.CharField(max_length=16, db_index=True)
    retired_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"an old link of {self.public_id}"


class ViewDay(models.Model):
    """How often a share was opened on one day (UTC), by readers and by crawlers. Nothing is kept of a reader."""

    share = models.ForeignKey(Share, on_delete=models.CASCADE, related_name="view_days")
    day = models.DateField()
    views = models.PositiveIntegerField(default=0)
    crawler_views = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["day"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["share", "day"], name="one_count_a_day")]

    def __str__(self) -> str:
        return f"{self.day}: {self.views}"


class StopKind(models.TextChoices):
    """What all shares that are stopped have in common."""

    SESSION = "session", _("session")
    OWNER = "owner", _("owner")
    RECIPIENT = "recipient", _("recipient")
    ORIGIN = "origin", _("embed origin")


class Stop(models.Model):
    """Nothing of this may be published until it is lifted; what there was has ended."""

    kind = models.CharField(_("kind"), max_length=10, choices=StopKind.choices)
    value = models.CharField(_("of which"), max_length=512)
    reason = models.TextField(_("reason"))
    stopped_at = models.DateTimeField(_("stopped"))
    stopped_by = models.CharField(_("stopped by"), max_length=200)
    ended = models.PositiveIntegerField(_("links ended"), default=0)
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)
    lifted_by = models.CharField(_("lifted by"), max_length=200, blank=True)
    lift_reason = models.TextField(_("reason for lifting"), blank=True)

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name = _("stop")
        verbose_name_plural = _("stops")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["kind", "value"], condition=models.Q(lifted_at__isnull=True), name="one_stop_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.value}"
