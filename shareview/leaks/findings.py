"""What a search for secrets and personal data finds."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class LeakClass(StrEnum):
    """Whether a finding opens a door or names a person."""

    SECRET = "secret"  # noqa: S105 - the name of a class, no password
    PERSONAL = "personal"


@dataclass(frozen=True, slots=True)
class Leak:
    """One finding: ``text[start:end]``, in code points of the searched text, seems to be a ``kind``: "github-token"."""

    kind: str
    start: int
    end: int
    of: LeakClass


def keep_longest(leaks: Iterable[Leak]) -> list[Leak]:
    """``leaks`` in ascending order without overlaps: the longest stays, of equally long ones the one named first."""
    kept: list[Leak] = []
    cluster: list[Leak] = []
    end = 0
    for leak in sorted(leaks, key=lambda each: each.start):
        if leak.start >= end:
            kept += _longest_of(cluster)
            cluster = []
        cluster.append(leak)
        end = max(end, leak.end)
    return kept + _longest_of(cluster)


def _longest_of(cluster: list[Leak]) -> list[Leak]:
    """Of leaks that hang together by overlaps, those that stay."""
    if len(cluster) < 2:
        return cluster
    spans: list[tuple[int, int]] = []
    chosen: dict[int, Leak] = {}
    for leak in sorted(cluster, key=lambda each: each.start - each.end):
        at = bisect_left(spans, (leak.start, leak.end))
        if (at == 0 or spans[at - 1][1] <= leak.start) and (at == len(spans) or spans[at][0] >= leak.end):
            spans.insert(at, (leak.start, leak.end))
            chosen[leak.start] = leak
    return [chosen[start] for start, _ in spans]
