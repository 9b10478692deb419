"""Tables of frozen sessions. The database refuses to change facts; what is derived or under way may change."""

from typing import ClassVar, Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from shareview.chat.turns import MessagePart
from shareview.quotes.resolving import QuoteState
from shareview.snapshots.full_text import WordsField

FACT_TABLES: Final = (
    "snapshots_snapshot",
    "snapshots_frozenrecord",
    "snapshots_frozenartifact",
    "snapshots_frozenfile",
    "snapshots_droppedcitation",
    "snapshots_annotationtrace",
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
    hidden_messages = models.PositiveIntegerField(default=0)
    hidden_results = models.PositiveIntegerField(default=0)
    hidden_reasonings = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("frozen session")
        verbose_name_plural = _("frozen sessions")

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
    """Claim-level citations of one answer as they were delivered; the newest is shown, beside the older.

    One that is delivered again while another is the newest stands here again.
    """

    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="artifacts")
    message_id = models.CharField(max_length=512)
    digest = models.CharField(max_length=64)
    line = models.TextField()

    class Meta:
        ordering: ClassVar = ["pk"]
        indexes: ClassVar = [models.Index(fields=["snapshot", "message_id"], name="artifacts_of_message")]

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


class TracePurpose(models.TextChoices):
    """What a model was asked for."""

    ANNOTATE = "annotate", _("choose evidence")
    JUDGE = "judge", _("judge evidence")


class AnnotationTrace(models.Model):
    """What a model was asked and said about one answer, at what cost; ``error_code`` where nothing came of it.

    ``calls`` is a list of ``{"sayings": [[role, text]], "output", "fault", "input_tokens", "output_tokens",
    "latency_ms"}``, in the order they were made.
    """

    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, related_name="traces", verbose_name=_("session"))
    message_id = models.CharField(_("message"), max_length=512)
    purpose = models.CharField(_("purpose"), max_length=8, choices=TracePurpose.choices)
    made_at = models.DateTimeField(_("made"))
    provider = models.TextField(_("provider"), blank=True)
    model = models.TextField(_("model"), blank=True)
    prompt_version = models.CharField(_("prompt"), max_length=100)
    prompt_sha256 = models.CharField("SHA-256", max_length=64)
    span_count = models.PositiveIntegerField(_("claims"))
    block_count = models.PositiveIntegerField(_("evidence blocks"))
    input_tokens = models.PositiveIntegerField(_("input tokens"))
    output_tokens = models.PositiveIntegerField(_("output tokens"))
    latency_ms = models.PositiveIntegerField(_("milliseconds"))
    error_code = models.TextField(_("code"), blank=True)
    faults = models.JSONField(_("faults"), default=list)
    calls = models.JSONField(_("calls"), default=list)

    class Meta:
        ordering: ClassVar = ["-pk"]
        verbose_name = _("annotation trace")
        verbose_name_plural = _("annotation traces")

    def __str__(self) -> str:
        return f"{self.get_purpose_display()}: {self.message_id}"


class AnnotationJob(models.Model):
    """An answer whose citations are to be made. At most one is open for an answer; one that ended stays."""

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, related_name="annotation_jobs")
    message_id = models.CharField(max_length=512)
    wants_verdicts = models.BooleanField()
    starts_anew = models.BooleanField(default=False)
    requested_at = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    held_until = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["snapshot", "message_id"],
                condition=models.Q(finished_at__isnull=True),
                name="one_open_annotation",
            ),
        ]

    def __str__(self) -> str:
        return f"annotation of {self.message_id}"


class ErasureGuard(models.Model):
    """SQLite lets frozen rows go only while a row stands here; see ``triggers``."""

    reason = models.TextField()

    def __str__(self) -> str:
        return self.reason


class RenderedMessage(models.Model):
    """What is shown of one message: derived from the frozen records, with the version that made it.

    ``outline`` is the message without its texts; ``successor`` the message that took the place of one that is history.
    """

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, related_name="rendered")
    position = models.PositiveIntegerField()
    message_id = models.CharField(max_length=512)
    thread = models.CharField(max_length=512)
    turn = models.PositiveIntegerField()
    part = models.CharField(max_length=8, choices=[(part.value, part.value) for part in MessagePart])
    outline = models.JSONField(default=dict)
    successor = models.CharField(max_length=512, blank=True)
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


class ShownVersion(models.Model):
    """How often what is shown of a snapshot has changed: by a rendering, an artifact, or citations under way."""

    snapshot = models.OneToOneField(Snapshot, on_delete=models.CASCADE, primary_key=True, related_name="shown_version")
    number = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.snapshot_id}: {self.number}"


class ShownThread(models.Model):
    """What is known of one thread without reading its records; derived from them.

    ``fork_position`` is that of the parent's message it was forked at, if that is in the share; ``passage_start`` and
    ``passage_end`` are code points of that message's visible text, where the chosen words were found in it.
    """

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, related_name="threads")
    place = models.PositiveIntegerField()
    thread = models.CharField(max_length=512)
    title = models.TextField(blank=True)
    state = models.CharField(max_length=8)
    parent = models.CharField(max_length=512, blank=True)
    fork_message = models.CharField(max_length=512, blank=True)
    fork_position = models.PositiveIntegerField(null=True)
    passage_start = models.PositiveIntegerField(null=True)
    passage_end = models.PositiveIntegerField(null=True)
    message_count = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["place"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["snapshot", "thread"], name="one_line_a_thread")]

    def __str__(self) -> str:
        return f"thread {self.thread}"


class ShownQuote(models.Model):
    """A quote above a question, and where it leads; derived from the frozen records.

    ``source`` is the message it leads to and ``thread`` that message's, both empty where there is none to show;
    ``newest`` is the message that stands in the source's place now.
    """

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, related_name="quotes")
    message_id = models.CharField(max_length=512)
    number = models.PositiveIntegerField()
    text = models.TextField()
    title = models.TextField(blank=True)
    state = models.CharField(max_length=10, choices=[(state.value, state.value) for state in QuoteState])
    thread = models.CharField(max_length=512, blank=True)
    source = models.CharField(max_length=512, blank=True)
    newest = models.CharField(max_length=512, blank=True)
    passage_start = models.PositiveIntegerField(null=True)
    passage_end = models.PositiveIntegerField(null=True)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["snapshot", "message_id", "number"], name="one_quote_a_number"),
        ]

    def __str__(self) -> str:
        return f"quote {self.number} of {self.message_id}"


class SearchedPiece(models.Model):
    """Words of the message at ``position``, as the full-text index has them; a long message has several pieces."""

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, related_name="searched")
    position = models.PositiveIntegerField()
    words = WordsField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["snapshot", "position"], name="searched_message")]

    def __str__(self) -> str:
        return f"words of {self.position}"
