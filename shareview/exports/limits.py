"""How much an export may hold."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Limits:
    """Bounds on a file and its parts, in bytes, code points, levels or pieces."""

    file_bytes: int = 1_073_741_824
    line_bytes: int = 67_108_864
    records: int = 500_000
    depth: int = 64
    text_length: int = 8_000_000
    id_length: int = 512
    attachments: int = 100
    quotes: int = 100


DEFAULT_LIMITS: Final = Limits()
