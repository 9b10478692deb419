"""Where Django's admin looks for what it shows."""

from django.contrib import admin
from django.contrib.auth.models import Group

from shareview.admins.audit_admin import AuditEntryAdmin
from shareview.admins.key_admin import ApiKeyAdmin
from shareview.admins.share_admin import ShareAdmin
from shareview.admins.snapshot_admin import SnapshotAdmin
from shareview.admins.stop_admin import StopAdmin
from shareview.admins.trace_admin import AnnotationTraceAdmin

__all__ = ["AnnotationTraceAdmin", "ApiKeyAdmin", "AuditEntryAdmin", "ShareAdmin", "SnapshotAdmin", "StopAdmin"]

# The groups are the roles: their permissions are rules of ours, which no form changes.
admin.site.unregister(Group)
