"""Who does something to a share, and from where: what the audit trail keeps of them."""

import getpass
from dataclasses import dataclass
from typing import Final

COMMAND_LINE: Final = "command line"


@dataclass(frozen=True)
class Actor:
    """Somebody's name, and the address they came from."""

    name: str
    address: str


def command_actor() -> Actor:
    """Whoever runs a command on this machine."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = "unknown"  # A container's user may have no name.
    return Actor(name, COMMAND_LINE)
