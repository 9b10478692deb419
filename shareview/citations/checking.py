"""What an answer may show as cited: the whitelist, and recorded lists held against the registry."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from shareview.chat.messages import RecordedCitation
from shareview.citations.markers import extract_markers
from shareview.citations.registry import REGISTRY_LIMIT, Registry, Source
from shareview.citations.web_addresses import is_showable


class Reason(StrEnum):
    """Why a recorded citation is not shown; the value completes "dropped, because it …"."""

    NOT_RETRIEVED = "names a number that this turn retrieved nothing under"
    OTHER_ADDRESS = "names another address than the registry has under its number"
    NOT_SHOWABLE = "has an address that is not http or https with a plain host"
    REPEATED = "stands in the list twice"
    TOO_MANY = "is beyond the most a registry holds"
    NO_ANSWER = "does not stand on a completed turn's final answer"


@dataclass(frozen=True, slots=True)
class Citation:
    """A source that an answer cites; its display number is its place in the answer's citations, from 1.

    ``texts`` are what the turn retrieved for it, in order; empty where the list could not be checked.
    """

    n: int
    url: str
    title: str
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DroppedCitation:
    """A recorded citation that is not shown, and why."""

    n: int
    url: str
    title: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class CheckedCitations:
    """An answer's citations: those shown in order, those dropped.

    ``verified`` is False where the export holds no tool result that they could be held against. ``recorded``
    says whether the chat had a list, which then decides even where nothing of it is left.
    """

    shown: tuple[Citation, ...] = ()
    dropped: tuple[DroppedCitation, ...] = ()
    verified: bool = True
    recorded: bool = False

    def display_numbers(self) -> dict[int, int]:
        """Registry number → display number."""
        return {citation.n: k for k, citation in enumerate(self.shown, 1)}


def cite(answer: str, sources: Sequence[Source]) -> tuple[Citation, ...]:
    """The sources that ``answer``'s markers cite, once each, ascending (answer-citations §5.2, steps 5 and 6)."""
    numbers = sorted({n for n in extract_markers(answer) if 1 <= n <= len(sources)})
    return tuple(_citation(sources[n - 1]) for n in numbers if is_showable(sources[n - 1].url))


def check_citations(answer: str, recorded: Sequence[RecordedCitation] | None, registry: Registry) -> CheckedCitations:
    """The citations of a completed turn's final answer, built from its markers or checked where a list stands."""
    sources = registry.sources()
    if recorded is None:
        return CheckedCitations(cite(answer, sources))
    shown: dict[int, Citation] = {}
    dropped: list[DroppedCitation] = []
    for entry in recorded:
        reason = _fault(entry, sources, shown, verified=registry.has_results)
        if reason is not None:
            dropped.append(DroppedCitation(entry.n, entry.url, entry.title, reason))
        elif registry.has_results:
            # The registry's title: what the chat recorded may have been altered since.
            shown[entry.n] = _citation(sources[entry.n - 1])
        else:
            shown[entry.n] = Citation(entry.n, entry.url, entry.title)
    return CheckedCitations(tuple(shown.values()), tuple(dropped), registry.has_results, recorded=True)


def drop_all(recorded: Sequence[RecordedCitation] | None) -> CheckedCitations:
    """Citations of a message that may carry none."""
    dropped = (DroppedCitation(entry.n, entry.url, entry.title, Reason.NO_ANSWER) for entry in recorded or ())
    return CheckedCitations(dropped=tuple(dropped))


def _citation(source: Source) -> Citation:
    return Citation(source.n, source.url, source.title, source.texts)


def _fault(
    entry: RecordedCitation, sources: Sequence[Source], shown: dict[int, Citation], *, verified: bool
) -> Reason | None:
    if entry.n in shown:
        return Reason.REPEATED
    if verified and entry.n > len(sources):
        return Reason.NOT_RETRIEVED
    if verified and sources[entry.n - 1].url != entry.url:
        return Reason.OTHER_ADDRESS
    if not is_showable(entry.url):
        return Reason.NOT_SHOWABLE
    return Reason.TOO_MANY if entry.n > REGISTRY_LIMIT else None
