"""The Django app of share links."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SharesConfig(AppConfig):
    """Share links."""

    name = "shareview.shares"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = _("Shares")
