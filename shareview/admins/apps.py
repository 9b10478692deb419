"""The Django app of the admins' pages, and the admin site it serves."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps


class AdminsConfig(AppConfig):
    """The admins' door."""

    name = "shareview.admins"
    verbose_name = "Admins"


class ShareviewAdminConfig(admin_apps.AdminConfig):
    """Django's admin with a site of our own."""

    default = False
    default_site = "shareview.admins.site.ShareviewAdminSite"
