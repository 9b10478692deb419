"""The prompts, as versioned files. A released file never changes: a change is a new version."""

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal

ANNOTATOR: Final = "annotator-v1"
JUDGE: Final = "judge-v1"
TWO_STAGE: Final = "two-stage-v1"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt by its version; ``sha256`` is over its UTF-8 bytes, as the file holds them."""

    version: str
    text: str
    sha256: str


@cache
def prompt(version: str) -> Prompt:
    """The prompt of ``version``."""
    data = (files("shareview.annotation") / "prompts" / f"{version}.txt").read_bytes()
    return Prompt(version, data.decode(), hashlib.sha256(data).hexdigest())


def two_stage_section(language: Literal["zh", "en"]) -> Prompt:
    """What a chat back end tells its model where an annotator adds the citations (trusted-citations §5.1)."""
    return prompt(f"{TWO_STAGE}.{language}")
