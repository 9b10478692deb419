"""Tree processors: what the share page makes of links, images, code, formulas and markers of a message."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.treeprocessors import Treeprocessor
from markdown.util import AMP_SUBSTITUTE, HTML_PLACEHOLDER_RE

from shareview.citations.markers import MARKER
from shareview.dialect.stops import STOP
from shareview.dialect.tree import BARRIER, literal
from shareview.rendering.code import code_html
from shareview.rendering.formulas import formula_html
from shareview.rendering.links import encode_target, image_is_link, image_text, may_be_followed, names_a_host

_NO_MARKERS: Final = frozenset({"a", "code", "pre", "math"})


def plain(text: str | None) -> str:
    """A text or attribute of the tree as it reads."""
    return (text or "").replace(AMP_SUBSTITUTE + "amp;", "&")


class LostTextError(Exception):
    """Not all of a message came through: it must be shown as plain text."""


@dataclass
class Aside:
    """Pieces of HTML kept out of the sanitizer's way, each behind a placeholder nobody can write.

    ``nonce`` must be unpredictable to the writer of the text.
    """

    nonce: str
    pieces: list[str] = field(default_factory=list)

    def put(self, html: str) -> str:
        """The placeholder that stands for ``html`` until ``bring_back``."""
        self.pieces.append(html)
        return f"\ue000{self.nonce}.{len(self.pieces) - 1}\ue001"

    def put_address(self, address: str) -> str:
        """An address that parses and stands for ``address``, which does not."""
        self.pieces.append(escape(address))
        return f"https://{self.nonce}.{len(self.pieces) - 1}.invalid/"

    def bring_back(self, text: str) -> str:
        """``text`` with every placeholder replaced. Raises LostTextError where one is missing or stands twice."""
        brought: list[int] = []

        def piece(match: re.Match[str]) -> str:
            brought.append(int(match[1]))
            return self.pieces[brought[-1]]

        text = re.sub(f"(?:\ue000|https://){self.nonce}\\.([0-9]+)(?:\ue001|\\.invalid/)", piece, text)
        if sorted(brought) != list(range(len(self.pieces))):
            raise LostTextError("a parser moved or dropped a part of the text")
        return text


class Anchors(Treeprocessor):
    """Puts an anchor, safe HTML of ours, at each stop that the parser carried along."""

    def __init__(self, md: Markdown, aside: Aside, anchors: Sequence[str]) -> None:
        super().__init__(md)
        self._aside = aside
        self._anchors = anchors

    def run(self, root: Element) -> None:
        """Rewrites ``root`` in place."""
        for element in root.iter():
            element.text = self._text(element.text)
            element.tail = self._text(element.tail)

    def _text(self, text: str | None) -> str | None:
        return STOP.sub(lambda match: self._aside.put(self._anchors[int(match[1])]), text) if text else text


class Links(Treeprocessor):
    """Links that may not be followed keep their text only; images become links or words."""

    def __init__(self, md: Markdown, aside: Aside) -> None:
        super().__init__(md)
        self._aside = aside

    def run(self, root: Element) -> None:
        """Rewrites ``root`` in place."""
        self._walk(root, within_link=False)

    def _walk(self, element: Element, *, within_link: bool) -> None:
        for child in list(element):
            if child.tag == "img":
                self._show_image(child, within_link=within_link)
            elif child.tag == "a":
                self._walk(child, within_link=True)
                self._check(child)
            else:
                self._walk(child, within_link=within_link)

    def _check(self, link: Element) -> None:
        target = plain(link.get("href"))
        encoded = encode_target(target)
        if encoded is None or not may_be_followed(target):
            # No element at all, as in the main chat: a bare span of the serializer's own would be one.
            link.tag = "unwrapped"
            link.attrib.clear()
        else:
            self._lead(link, encoded)

    def _lead(self, link: Element, target: str) -> None:
        if target.startswith("#") or names_a_host(target):
            link.set("href", literal(target))
        else:
            # nh3 would drop an address that does not parse; the main chat shows it as a link that leads nowhere.
            link.set("href", self._aside.put_address(target))

    def _show_image(self, image: Element, *, within_link: bool) -> None:
        source, label = plain(image.get("src")), plain(image.get("alt"))
        image.attrib.clear()
        image.text = literal(image_text(source, label, within_link=within_link))
        if image_is_link(source, within_link=within_link):
            image.tag = "a"
            self._lead(image, source)
        else:
            image.tag = "unwrapped"


class Code(Treeprocessor):
    """Puts code blocks aside, already escaped and coloured, so that the sanitizer need not walk them."""

    def __init__(self, md: Markdown, aside: Aside, *, colour: bool) -> None:
        super().__init__(md)
        self._aside = aside
        self._colour = colour

    def run(self, root: Element) -> None:
        """Rewrites ``root`` in place."""
        for pre in root.iter("pre"):
            code = pre.find("code")
            if code is None:
                continue
            html = code_html(plain(code.text), plain(pre.attrib.pop("data-lang", "")), colour=self._colour)
            pre.remove(code)
            pre.text = self._aside.put(html)


class Formulas(Treeprocessor):
    """Formulas become MathML; one that does not parse stays as its source."""

    def __init__(self, md: Markdown, aside: Aside) -> None:
        super().__init__(md)
        self._aside = aside

    def run(self, root: Element) -> None:
        """Rewrites ``root`` in place."""
        for math in list(root.iter("math")):
            source = plain(math.get("data-source"))
            html = formula_html(plain(math.text), display=math.get("display") == "block")
            math.tag = "unwrapped"
            math.attrib.clear()
            math.text = literal(source) if html is None else self._aside.put(html)


@dataclass(frozen=True)
class Superscript:
    """A marker that is shown: its registry number, its display number, and the text that led up to it."""

    n: int
    shown: int
    before: str


class Markers(Treeprocessor):
    """Markers in running text become superscripts, or vanish where nothing is cited; code and links keep theirs."""

    def __init__(self, md: Markdown, aside: Aside, numbers: Mapping[int, int]) -> None:
        super().__init__(md)
        self._aside = aside
        self._numbers = numbers
        self._before: list[str] = []
        self.superscripts: list[Superscript] = []

    def run(self, root: Element) -> None:
        """Rewrites ``root`` in place and notes each superscript, in order."""
        self._walk(root, skip=False)

    def _walk(self, element: Element, *, skip: bool) -> None:
        if element.tag in _BLOCKS:
            self._before = []
        skip = skip or element.tag in _NO_MARKERS
        self._before.append(element.get("alt", ""))
        element.text = self._text(element.text, skip=skip)
        for child in element:
            self._walk(child, skip=skip)
            child.tail = self._text(child.tail, skip=skip)

    def _text(self, text: str | None, *, skip: bool) -> str | None:
        if not text:
            return text
        pieces = MARKER.split(text)
        if skip or len(pieces) == 1:
            self._before.append(text)
            return text.replace(BARRIER, "")
        shown = []
        for at, piece in enumerate(pieces):
            if at % 2 == 0:
                self._before.append(piece)
                shown.append(piece)
            else:
                shown.append(self._superscript(piece))
        return "".join(shown).replace(BARRIER, "")

    def _superscript(self, digits: str) -> str:
        n = int(digits)
        shown = self._numbers.get(n)
        if shown is None or str(n) != digits:
            return ""
        before = HTML_PLACEHOLDER_RE.sub("", plain("".join(self._before)).replace(BARRIER, ""))
        self.superscripts.append(Superscript(n, shown, before))
        return self._aside.put(f'<sup class="cite-ref" data-n="{n}">[{shown}]</sup>')


_BLOCKS: Final = frozenset(
    ["p", "pre", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "dt", "dd", "div"]
)


def unwrap(html: str) -> str:
    """``html`` without the tags of elements that tree processors dissolved."""
    return html.replace("<unwrapped>", "").replace("</unwrapped>", "")


def escaped(text: str) -> str:
    """``text`` as HTML text."""
    return escape(text, quote=False)


def escaped_html(raw: str, *, within_link: bool) -> str:
    """``raw`` as HTML text, where a site shows raw HTML as its source."""
    return escaped(raw)
