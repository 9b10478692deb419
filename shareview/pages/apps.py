"""The Django app of the readers' pages."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """The readers' door."""

    name = "shareview.pages"
    verbose_name = "Pages"
    default_auto_field = "django.db.models.BigAutoField"
