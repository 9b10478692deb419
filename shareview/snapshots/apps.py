"""The Django app of frozen sessions."""

from django.apps import AppConfig


class SnapshotsConfig(AppConfig):
    """Frozen sessions."""

    name = "shareview.snapshots"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "Frozen sessions"
