"""What stays out of a snapshot."""

from dataclasses import dataclass, field
from typing import Final

from shareview.leaks.handling import LeakHandling
from shareview.snapshots.hiding import NOTHING_HIDDEN, Hiding


@dataclass(frozen=True)
class Withholding:
    """What a publisher leaves out, and what is done about the secrets that are found."""

    hiding: Hiding = NOTHING_HIDDEN
    leaks: LeakHandling = field(default_factory=LeakHandling)


NOTHING_WITHHELD: Final = Withholding()
"""All is frozen, unless a secret stops it."""
