"""What the admin's lists have in common: rows are read there, and changed by actions alone."""

from typing import Any, ClassVar, TypeVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

Row = TypeVar("Row", bound=Model)


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg] # the class takes no argument when the program runs
    """Rows that nobody adds, edits or removes by a form."""

    class Media:
        css: ClassVar = {"all": ["admins/admin.css"]}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
