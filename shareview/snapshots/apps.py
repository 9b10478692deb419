"""The Django app of frozen sessions."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SnapshotsConfig(AppConfig):
    """Frozen sessions."""

    name = "shareview.snapshots"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("Frozen sessions")
