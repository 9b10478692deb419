"""What can be wrong with an export, in sentences for the person who publishes it."""

from dataclasses import dataclass


@dataclass
class ExportError(Exception):
    """A record breaks a rule: ``line`` (from 1) and ``field`` say where, ``found`` and ``expected`` what."""

    line: int
    field: str
    expected: str
    found: str = ""

    def __str__(self) -> str:
        place = f"line {self.line}" if self.line else "the file"
        field = f", {self.field}" if self.field else ""
        found = f"found {self.found}, " if self.found else ""
        return f"{place}{field}: {found}expected {self.expected}"


@dataclass(frozen=True)
class Notice:
    """Something a publisher should know that stops nothing; ``line`` is 0 where it concerns the whole file."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}" if self.line else self.text
