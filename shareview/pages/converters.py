"""Ids of an export in paths: any text, whatever a browser would make of it."""

from typing import Final
from urllib.parse import quote, unquote

_TAKEN_AWAY: Final = frozenset({"", ".", ".."})


class IdConverter:
    """An id as it is; one that a browser would take for a way through folders is escaped behind a ``~``."""

    regex = ".+"

    def to_python(self, value: str) -> str:
        """The id that a path holds."""
        return unquote(value[1:].replace("~", "%")) if value.startswith("~") else value

    def to_url(self, value: str) -> str:
        """The path of an id."""
        if not value.startswith("~") and _TAKEN_AWAY.isdisjoint(value.split("/")):
            return value
        return "~" + quote(value, safe="").replace("~", "%7E").replace(".", "%2E").replace("%", "~")
