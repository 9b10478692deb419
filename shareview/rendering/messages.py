"""One message: Markdown in, safe HTML out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from markdown import Markdown

from shareview.citations.markers import strip_markers
from shareview.dialect import DialectError, DialectExtension
from shareview.dialect.stops import Stop
from shareview.rendering.characters import shown_characters
from shareview.rendering.claims import anchor_html
from shareview.rendering.processors import (
    Anchors,
    Aside,
    Code,
    Formulas,
    Links,
    LostTextError,
    Markers,
    Superscript,
    escaped,
    escaped_html,
    unwrap,
)
from shareview.rendering.raw_html import show_raw_html
from shareview.rendering.sanitize import UnsafeHtmlError, open_links_elsewhere, sanitize
from shareview.rendering.size import OversizeError, check_size

RENDERER_VERSION: Final = "2"
"""Goes with every piece of derived HTML; raise it with each change of what is rendered."""

TEXT_LIMIT: Final = 400_000
"""Code points of a message beyond which it is shown as plain text."""


@dataclass(frozen=True)
class RenderingOptions:
    """What a site turns on: MathML for formulas, colours for code, raw HTML sanitized or shown as text."""

    math: bool = False
    code_colour: bool = True
    raw_html: bool = True


DEFAULT_OPTIONS: Final = RenderingOptions()


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place in a text, in code points, and the name under which it is found in the HTML (``claims``)."""

    place: int
    is_end: bool
    name: str


@dataclass(frozen=True)
class RenderedMessage:
    """Safe HTML of a message; ``fault`` says why it is plain text, where it is.

    ``superscripts`` are the shown markers in order.
    """

    html: str
    superscripts: tuple[Superscript, ...] = ()
    fault: str = ""


def render_message(
    text: str,
    *,
    nonce: str,
    numbers: Mapping[int, int] | None = None,
    line_breaks: bool = False,
    anchors: Sequence[Anchor] = (),
    options: RenderingOptions = DEFAULT_OPTIONS,
) -> RenderedMessage:
    """HTML of ``text`` as the main chat shows it, with the share page's deliberate differences.

    ``numbers`` maps registry numbers to display numbers; other markers vanish. ``nonce`` is unpredictable to
    whoever wrote ``text``. ``line_breaks`` keeps single line breaks, as in questions. ``anchors`` are put where
    their places are shown. Never raises on content: what cannot be rendered safely comes back as plain text with
    a ``fault``, without superscripts and anchors.
    """
    shown = shown_characters(text)
    if len(shown) > TEXT_LIMIT:
        return _plain(shown, f"longer than {TEXT_LIMIT} characters")
    try:
        return _render(shown, nonce, numbers or {}, line_breaks, _in_shown(anchors, text), options)
    except (DialectError, LostTextError, OversizeError, UnsafeHtmlError) as fault:
        return _plain(shown, str(fault))
    except RecursionError:
        return _plain(shown, "nested too deep")


def _in_shown(anchors: Sequence[Anchor], text: str) -> Sequence[Anchor]:
    """``anchors`` at their places in what is shown of ``text``."""
    if not anchors or shown_characters(text) == text:
        return anchors
    places: dict[int, int] = {}
    raw = shown = 0
    for place in sorted({anchor.place for anchor in anchors}):
        shown += len(shown_characters(text[raw:place]))
        raw = place
        places[place] = shown
    return [replace(anchor, place=places[anchor.place]) for anchor in anchors]


def _render(
    text: str,
    nonce: str,
    numbers: Mapping[int, int],
    line_breaks: bool,
    anchors: Sequence[Anchor],
    options: RenderingOptions,
) -> RenderedMessage:
    aside = Aside(nonce)
    raw_html = show_raw_html if options.raw_html else escaped_html
    stops = [Stop(anchor.place, anchor.is_end) for anchor in anchors]
    dialect = DialectExtension(raw_html=raw_html, line_breaks=line_breaks, math=options.math, stops=stops)
    md = Markdown(extensions=[dialect], output_format="html")
    markers = Markers(md, aside, numbers)
    md.treeprocessors.register(
        Anchors(md, aside, [anchor_html(anchor.name, is_end=anchor.is_end) for anchor in anchors]), "anchors", 60
    )
    # Before links are dissolved and code is put aside: in both a marker is text.
    md.treeprocessors.register(markers, "markers", 50)
    md.treeprocessors.register(Links(md, aside), "links", 40)
    md.treeprocessors.register(Code(md, aside, colour=options.code_colour), "code", 30)
    md.treeprocessors.register(Formulas(md, aside), "formulas", 20)
    html = unwrap(md.convert(text))
    check_size(html)
    clean = open_links_elsewhere(sanitize(html))
    # References such as ``&#x202e;`` are characters only now.
    html = aside.bring_back(shown_characters(clean))
    return RenderedMessage(_scrollable_by_keyboard(html), tuple(markers.superscripts))


def _scrollable_by_keyboard(html: str) -> str:
    # These are tags, wherever they stand: nh3 escapes what looks like one in a text or an attribute.
    return html.replace("<pre>", '<pre tabindex="0">').replace("<table>", '<table tabindex="0">')


def plain_message(text: str, fault: str) -> RenderedMessage:
    """``text`` as escaped text, nothing lost but its markers."""
    return _plain(shown_characters(text), fault)


def _plain(shown: str, fault: str) -> RenderedMessage:
    return RenderedMessage(f'<pre class="plain-text" tabindex="0">{escaped(strip_markers(shown))}</pre>', fault=fault)
