"""Which form of an answer a reader takes, and whether they have it already (RFC 9110)."""

import re

from django.utils.http import parse_etags

_NEVER = re.compile(r"q=0(?:\.0*)?")


def takes_coding(accepted: str, coding: str) -> bool:
    """Whether ``Accept-Encoding: accepted`` names ``coding`` and does not rule it out."""
    for part in accepted.lower().split(","):
        name, _, weight = part.replace(" ", "").partition(";")
        if name == coding:
            return not _NEVER.fullmatch(weight)
    return False


def has_already(known: str, etag: str) -> bool:
    """Whether ``If-None-Match: known`` names ``etag``; by the weak comparison that the standard has for it."""
    if not known:
        return False
    tags = [tag.removeprefix("W/") for tag in parse_etags(known)]
    return etag in tags or "*" in tags
