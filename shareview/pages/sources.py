"""An answer's source panel, as the page shows it."""

from dataclasses import dataclass
from typing import Final

from shareview.pages.addresses import PageAddresses
from shareview.pages.badges import Badge, badge_of, source_title
from shareview.pages.identifiers import fragment, source_id, sources_id, superscript_id
from shareview.pages.states import Cited, PageState
from shareview.rendering.marks import marked_text
from shareview.snapshots.derivation import CitedPassage, ShownCitation

FOLDED_FROM: Final = 4
"""Sources from which a panel is folded by itself (answer-citations §5.5)."""


@dataclass(frozen=True)
class PassageView:
    """A retrieved passage; ``html`` has the shared words marked, ``numbers`` are the superscripts it is closest to."""

    html_id: str
    html: str
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class SourceView:
    """An entry of the panel."""

    html_id: str
    n: int
    k: int
    address: str
    title: str
    badge: Badge
    trust: str
    passages: tuple[PassageView, ...]
    backs: tuple[str, ...]
    is_followed: bool


@dataclass(frozen=True)
class SourcesView:
    """The panel: ``toggle_href`` is the page with it folded or unfolded, ``toggle_fragment`` the panel alone."""

    message: str
    html_id: str
    is_open: bool
    verified: bool
    entries: tuple[SourceView, ...]
    toggle_href: str
    toggle_fragment: str
    fold_fragment: str


def sources_view(
    message: str, citations: tuple[ShownCitation, ...], state: PageState, addresses: PageAddresses, *, verified: bool
) -> SourcesView:
    """The panel of ``message`` in ``state``."""
    is_open = state.is_open(message, "sources", by_itself=len(citations) < FOLDED_FROM)
    other = state.folding(message, "sources") if is_open else state.opening(message, "sources")
    return SourcesView(
        message=message,
        html_id=sources_id(message),
        is_open=is_open,
        verified=verified,
        entries=tuple(_entry(message, k, citation, state, addresses) for k, citation in enumerate(citations, 1)),
        toggle_href=addresses.page(other) + fragment(sources_id(message)),
        toggle_fragment=addresses.sources(message, other),
        fold_fragment=addresses.sources(message, state.folding(message, "sources")),
    )


def _entry(message: str, k: int, citation: ShownCitation, state: PageState, addresses: PageAddresses) -> SourceView:
    page = addresses.page(state.at_message(message))
    backs = tuple(page + fragment(superscript_id(message, k, cited.occurrence)) for cited in citation.passages)
    return SourceView(
        html_id=source_id(message, k),
        n=citation.n,
        k=k,
        address=citation.url,
        title=source_title(citation.title, citation.url),
        badge=badge_of(citation.url),
        trust="located" if citation.is_quoted else "hint",
        passages=_passages(message, k, citation),
        backs=backs,
        is_followed=state.cited == Cited(message, k),
    )


def _passages(message: str, k: int, citation: ShownCitation) -> tuple[PassageView, ...]:
    """Each passage once, all that its citing sentences share with it marked, with the superscripts it belongs to."""
    places: dict[str, list[CitedPassage]] = {}
    for cited in citation.passages:
        if cited.passage:
            places.setdefault(cited.passage.text, []).append(cited)
    return tuple(
        PassageView(
            f"passage-{source_id(message, k)}-{number}",
            marked_text(text, [pair for cited in citing for pair in (cited.passage.shared if cited.passage else ())]),
            tuple(cited.occurrence for cited in citing),
        )
        for number, (text, citing) in enumerate(places.items(), 1)
    )
