"""The dialect as a Python-Markdown extension: its parser in place of Python-Markdown's block and inline parsers."""

import re
from collections.abc import Iterable, Sequence
from typing import Protocol
from xml.etree.ElementTree import Element, ElementTree

from markdown import Markdown
from markdown.blockparser import BlockParser
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from markdown.util import HTML_PLACEHOLDER_RE

from shareview.dialect.parser import parse
from shareview.dialect.stops import Stop
from shareview.dialect.tree import TreeBuilder


class RawHtml(Protocol):
    """Takes raw HTML as it stands in a text, gives what is to stand in its place."""

    def __call__(self, raw: str, *, within_link: bool) -> str:
        """The replacement; ``within_link`` where ``raw`` stands in the text of a link."""
        ...


class DialectBlockParser(BlockParser):
    """Reads the whole text with the dialect's parser; Python-Markdown's block processors are not asked."""

    def __init__(
        self, md: Markdown, raw_html: RawHtml, *, line_breaks: bool, math: bool, stops: Sequence[Stop]
    ) -> None:
        super().__init__(md)
        self._raw_html = raw_html
        self._line_breaks = line_breaks
        self._math = math
        self._stops = stops

    def parseDocument(self, lines: Iterable[str]) -> ElementTree:
        """The element tree of the text that ``lines`` make up. Raises DialectError."""
        tokens = parse("\n".join(lines), math=self._math, stops=self._stops)
        builder = TreeBuilder(self._keep_html, line_breaks=self._line_breaks)
        self.root = builder.build(tokens)
        return ElementTree(self.root)

    def _keep_html(self, raw: str, *, within_link: bool) -> str:
        return self.md.htmlStash.store(self._raw_html(raw, within_link=within_link))

    def parseChunk(self, parent: Element, text: str) -> None:
        raise NotImplementedError("the dialect reads a text in one piece")


class RawHtmlPostprocessor(Postprocessor):
    """Puts raw HTML back in one pass; Python-Markdown's own takes quadratic time for thousands of tags."""

    _PLACEHOLDER = re.compile(HTML_PLACEHOLDER_RE.pattern)

    def run(self, text: str) -> str:
        stash = self.md.htmlStash.rawHtmlBlocks
        return self._PLACEHOLDER.sub(lambda match: str(stash[int(match[1])]), text)


class DialectExtension(Extension):
    """Turns a ``Markdown`` object into the main chat's dialect.

    ``line_breaks`` keeps single line breaks (questions); ``math`` reads formulas; ``raw_html`` decides what
    becomes of raw HTML; ``stops`` are carried along (``parse``). Tree processors may be registered beside it: they
    see the tree before anything of the raw HTML is in it.
    """

    def __init__(
        self, *, raw_html: RawHtml, line_breaks: bool = False, math: bool = False, stops: Sequence[Stop] = ()
    ) -> None:
        super().__init__()
        self._raw_html = raw_html
        self._line_breaks = line_breaks
        self._math = math
        self._stops = stops

    def extendMarkdown(self, md: Markdown) -> None:
        """Replaces every part of ``md`` that reads or rewrites text; keeps its serializer and its hooks."""
        md.preprocessors.deregister("normalize_whitespace")
        md.preprocessors.deregister("html_block")
        for name in ("inline", "prettify", "unescape"):
            md.treeprocessors.deregister(name)
        md.parser = DialectBlockParser(
            md, self._raw_html, line_breaks=self._line_breaks, math=self._math, stops=self._stops
        )
        md.postprocessors.register(RawHtmlPostprocessor(md), "raw_html", 30)
