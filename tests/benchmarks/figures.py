"""Measured figures, and how far they are from their goals."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """What was measured; ``ratio`` is to be ``most`` or ``least``, and ``why`` says why it is not."""

    what: str
    value: str
    ratio: float | None = None
    most: float | None = None
    least: float | None = None
    why: str = ""
    unit: str = "×"

    def verdict(self) -> str:
        """Whether the goal is met, or by how much it is missed and why."""
        if self.ratio is None or (self.most is None and self.least is None):
            return ""
        far = max(
            self.ratio - (self.ratio if self.most is None else self.most),
            (self.ratio if self.least is None else self.least) - self.ratio,
        )
        if far <= 0:
            return "met"
        return f"missed by {far:.2f} {self.unit}" + (f": {self.why}" if self.why else "")

    def goal(self) -> str:
        """The goal as the table has it."""
        if self.least is not None:
            return f"≥ {self.least:g} {self.unit}"
        return "" if self.most is None else f"≤ {self.most:g} {self.unit}"


def write_table(title: str, figures: Iterable[Figure]) -> None:
    """Prints ``figures`` as a table, each as soon as it is there."""
    sys.stdout.write(f"\n| {title} | measured | | goal | |\n| --- | ---: | ---: | ---: | --- |\n")
    for one in figures:
        ratio = "" if one.ratio is None else f"{one.ratio:.2f} {one.unit}"
        sys.stdout.write(f"| {one.what} | {one.value} | {ratio} | {one.goal()} | {one.verdict()} |\n")
        sys.stdout.flush()
