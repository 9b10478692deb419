"""Tables of frozen sessions. The database refuses to change the first five; the last is derived."""

from typing import ClassVar, Final

from django.db import models

FACT_TABLES: Final = (
    "snapshots_snapshot",
    "snapshots_frozenrecord",
    "snapshots_frozenartifact",
    "snapshots_frozenfile",
    "snapshots_droppedcitation",
)
"""Tables whose rows the database refuses to change."""


class Snapshot(models.Model):
    """A session up to its message watermark. The same session at the same watermark is stored once."""

    digest = models.CharField(max_length=64, unique=True)
    session_id = models.CharField(max_length=512, db_index=True)
    title = models.TextField()
    app = models.TextField(blank=True)
    model = models.TextField(blank=True)
    started_at = models.DateTimeField(null=True)
    exported_at = models.DateTimeField(null=True)
    frozen_at = models.DateTimeField()
    message_count = models.PositiveIntegerField()
    hidden_system_messages = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.title} ({self.digest[:12]})"


class FrozenRecord(models.Model):
    """One line of the native export: RFC 8785 JSON without its line end, in file order by ``position``."""

    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="records")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=8)
    record_id = models.CharField(max_length=512)
    line = models.TextField()

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["snapshot", "position"], name="one_record_a_position"),
            models.UniqueConstraint(fields=["snapshot", "kind", "record_id"], name="one_record_an_id"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.record_id}"


class FrozenArtifact(models.Model):
    """Claim-level citations of one answer as they were delivered; a newer one stands beside the older."""

    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="artifacts")
    message_id = models.CharField(max_length=512)
    digest = models.CharField(max_length=64)
    line = models.TextField()

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["snapshot", "message_id", "digest"], name="one_artifact_a_digest"),
        ]

    def __str__(self) -> str:
        return f"artifact of {self.message_id}"


class FrozenFile(models.Model):
    """The bytes of an attachment."""

    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="files")
    sha256 = models.CharField(max_length=64)
    data = models.BinaryField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["snapshot", "sha256"], name="one_file_a_digest")]

    def __str__(self) -> str:
        return self.sha256[:12]


class DroppedCitation(models.Model):
    """A citation that the chat recorded and the registry does not bear out."""

    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="dropped_citations")
    message_id = models.CharField(max_length=512)
    n = models.BigIntegerField()
    url = models.TextField()
    title = models.TextField(blank=True)
    reason = models.TextField()

    def __str__(self) -> str:
        return f"[^{self.n}^] of {self.message_id}"


class ErasureGuard(models.Model):
    """SQLite lets frozen rows go only while a row stands here; see ``triggers``."""

    reason = models.TextField()

    def __str__(self) -> str:
        return self.reason


class MessagePart(models.TextChoices):
    """What a message is in its turn."""

    QUESTION = "question"
    STEP = "step"
    ANSWER = "answer"
    HISTORY = "history"
    SYSTEM = "system"


class RenderedMessage(models.Model):
    """What is shown of one message: derived from the frozen records, with the version that made it."""

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, related_name="rendered")
    position = models.PositiveIntegerField()
    message_id = models.CharField(max_length=512)
    thread = models.CharField(max_length=512)
    turn = models.PositiveIntegerField()
    part = models.CharField(max_length=8, choices=MessagePart.choices)
    version = models.CharField(max_length=32)
    html = models.TextField(blank=True)
    reasoning_html = models.TextField(blank=True)
    citations = models.JSONField(default=list)
    located = models.JSONField(default=list)
    citations_verified = models.BooleanField(default=True)
    fault = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["snapshot", "position"], name="one_rendering_a_position"),
            models.UniqueConstraint(fields=["snapshot", "message_id"], name="one_rendering_a_message"),
        ]
        indexes: ClassVar = [models.Index(fields=["snapshot", "thread", "position"], name="rendered_thread")]

    def __str__(self) -> str:
        return f"rendering of {self.message_id}"
