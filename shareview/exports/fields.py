"""Typed access to the fields of one record; every fault names line and field."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeVar

from shareview.exports.errors import ExportError
from shareview.exports.jsonlines import JsonObject, JsonValue, describe, parse_json
from shareview.exports.limits import Limits

Choice = TypeVar("Choice", bound=StrEnum)


def snake_case(name: str) -> str:
    """``toolCallId`` → ``tool_call_id``."""
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name)


@dataclass(frozen=True)
class Fields:
    """One object of a record, its known fields under their snake_case names."""

    values: JsonObject
    line: int
    limits: Limits
    path: str = ""

    @classmethod
    def of(cls, found: JsonObject, known: Iterable[str], line: int, limits: Limits, path: str = "") -> "Fields":
        """``found`` with the ``known`` names in one spelling. Raises ExportError where a field stands in both."""
        names = frozenset(known)
        values: JsonObject = {}
        for key, value in found.items():
            name = snake_case(key)
            name = name if name in names else key
            if name in values:
                raise ExportError(line, path + name, "one spelling of the field", "both snake_case and camelCase")
            values[name] = value
        return cls(values, line, limits, path)

    def error(self, name: str, expected: str, found: str = "") -> ExportError:
        """The fault of field ``name``."""
        return ExportError(self.line, self.path + name, expected, found or describe(self.values.get(name)))

    def text(self, name: str, *, default: str | None = None) -> str:
        """A text; ``default`` for one that is absent or null, which is a fault where there is no default."""
        value = self.values.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise self.error(name, "text")
        if len(value) > self.limits.text_length:
            raise self.error(name, f"at most {self.limits.text_length} characters", f"{len(value)}")
        return value

    def identifier(self, name: str, *, default: str | None = None) -> str:
        """An id, a text or a whole number, as text."""
        value = self.values.get(name)
        if value is None and default is not None:
            return default
        if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
            raise self.error(name, "a number or a text that is not empty")
        text = str(value)
        if any(ord(char) < 0x20 for char in text):
            raise self.error(name, "an id without control characters")
        if len(text) > self.limits.id_length:
            raise self.error(name, f"at most {self.limits.id_length} characters", f"{len(text)}")
        return text

    def number(self, name: str) -> int | None:
        """A whole number from 0, or None."""
        value = self.values.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.error(name, "a whole number from 0")
        return value

    def version_1(self) -> None:
        """Raises ExportError unless the field ``version`` is the number 1."""
        value = self.values.get("version")
        if isinstance(value, bool) or value != 1:
            raise self.error("version", "1")

    def choice(self, name: str, kind: type[Choice], *, default: Choice) -> Choice:
        """One of the values of ``kind``."""
        value = self.values.get(name)
        if value is None:
            return default
        try:
            return kind(str(value))
        except ValueError:
            raise self.error(name, "one of " + ", ".join(kind)) from None

    def moment(self, name: str, *, with_offset: bool = False) -> datetime | None:
        """A point in time in ISO 8601, or None; one without an offset is read as UTC unless an offset is asked for."""
        value = self.text(name, default="")
        if not value:
            return None
        expected = "a time in ISO 8601" + (" with an offset" if with_offset else "")
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            raise self.error(name, expected) from None
        if moment.tzinfo is None and with_offset:
            raise self.error(name, expected)
        if not 1 < moment.year < datetime.max.year:
            raise self.error(name, "a time after the year 1 and before the year 9999")
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

    def item(self, name: str, known: Iterable[str]) -> "Fields | None":
        """The object in field ``name``, or None."""
        value = self.values.get(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.error(name, "an object")
        return Fields.of(value, known, self.line, self.limits, f"{self.path}{name}.")

    def items(self, name: str, known: Iterable[str], *, most: int | None = None) -> list["Fields"]:
        """The objects in the list of field ``name``; none for one that is absent or null."""
        value = self.values.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.error(name, "a list")
        if most is not None and len(value) > most:
            raise self.error(name, f"at most {most} items", f"{len(value)}")
        return [self._item(name, at, item, known) for at, item in enumerate(value)]

    def _item(self, name: str, at: int, item: JsonValue, known: Iterable[str]) -> "Fields":
        path = f"{self.path}{name}[{at}]"
        if not isinstance(item, dict):
            raise ExportError(self.line, path, "an object", describe(item))
        return Fields.of(item, known, self.line, self.limits, path + ".")

    def unpacked(self, name: str) -> JsonValue:
        """The value of field ``name``, or what its JSON text holds. Raises ValueError on text that is no JSON."""
        value = self.values.get(name)
        # It becomes part of the record, one level down.
        return parse_json(value, depth=self.limits.depth - 1) if isinstance(value, str) else value


def as_text(value: JsonValue) -> str:
    """``value`` itself where it is text, else as JSON."""
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
