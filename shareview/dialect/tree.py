"""Tokens → ElementTree, in the form that Python-Markdown's tree processors and serializer work on."""

import re
from collections.abc import Sequence
from typing import Final, Protocol
from xml.etree.ElementTree import Element, SubElement

from markdown.util import AMP_SUBSTITUTE
from markdown_it.token import Token

BARRIER: Final = "\x1d"
"""Stands in text between pieces that must not be read as one (an escaped bracket and what follows it).

A control character, so no text of a message holds it; the caller takes it out again."""

_IMAGE_LABEL_ESCAPES = re.compile(r"(`+[^`]*`+)|\\([\[\]])")
_LANGUAGE = re.compile(r"\S*")
_AMPERSAND = AMP_SUBSTITUTE + "amp;"


# Line ends where the main chat writes them: they matter where raw HTML leaves an element open.
_LINE_AFTER_START: Final = frozenset({"ul", "ol", "blockquote", "table", "thead", "tbody", "tr"})


def literal(text: str) -> str:
    """``text`` so that Python-Markdown's serializer shows it to the letter, ``&amp;`` included."""
    return text.replace("&", _AMPERSAND)


class KeepHtml(Protocol):
    """Takes a piece of raw HTML and gives the placeholder that stands for it."""

    def __call__(self, raw: str, *, within_link: bool) -> str:
        """The placeholder; ``within_link`` where ``raw`` stands in the text of a link."""
        ...


class TreeBuilder:
    """Builds the element tree of one text.

    ``line_breaks`` makes each line end of a paragraph a ``<br>``.
    """

    def __init__(self, keep_html: KeepHtml, *, line_breaks: bool) -> None:
        self._keep_html = keep_html
        self._line_breaks = line_breaks
        self.root = Element("div")
        self._open = [self.root]

    def build(self, tokens: Sequence[Token]) -> Element:
        """The tree of ``tokens``, below a ``div``."""
        for token in tokens:
            self._block(token)
        return self.root

    def _block(self, token: Token) -> None:
        if token.type == "inline":
            for child in token.children or ():
                self._inline(child)
        elif token.type in ("fence", "code_block"):
            self._code(token)
        elif token.type == "html_block":
            self._text(self._keep_html(token.content.rstrip("\n"), within_link=False))
            self._text("\n")
        elif token.nesting == 1:
            self._start(token)
        elif token.nesting == -1 and not token.hidden:
            self._open.pop()
            self._text("\n")
        elif token.type == "hr":
            SubElement(self._open[-1], "hr").tail = "\n"

    def _start(self, token: Token) -> None:
        element = self._open[-1]
        if not token.hidden:
            element = SubElement(element, token.tag)
            self._open.append(element)
        if token.meta and "checked" in token.meta:
            self._checkbox(element, checked=bool(token.meta["checked"]))
        if token.tag in _LINE_AFTER_START:
            element.text = "\n"
        elif token.tag in ("td", "th"):
            style = str(token.attrGet("style") or "")
            if style:
                element.set("align", style.removeprefix("text-align:"))
        if token.tag == "ol" and token.attrGet("start") is not None:
            element.set("start", str(token.attrGet("start")))

    def _checkbox(self, item: Element, *, checked: bool) -> None:
        box = SubElement(item, "input", {"type": "checkbox", "disabled": ""})
        if checked:
            box.set("checked", "")
        box.tail = " "

    def _code(self, token: Token) -> None:
        pre = SubElement(self._open[-1], "pre")
        code = SubElement(pre, "code")
        language = _LANGUAGE.match(token.info.strip())
        pre.tail = "\n"
        if token.type == "fence" and language and language[0]:
            pre.set("data-lang", literal(language[0]))
        code.text = literal(token.content)

    def _inline(self, token: Token) -> None:
        kind = token.type
        if kind == "text":
            self._text(literal(token.content))
        elif kind == "text_special":
            self._text(BARRIER + literal(token.content) + BARRIER)
        elif kind in ("softbreak", "hardbreak"):
            self._line_end(kept=kind == "hardbreak" or self._line_breaks)
        elif kind == "code_inline":
            SubElement(self._open[-1], "code").text = literal(token.content)
        elif kind == "html_inline":
            self._text(self._keep_html(token.content, within_link=any(open_.tag == "a" for open_ in self._open)))
        elif kind == "image":
            self._image(token)
        elif kind in ("math_inline", "math_block"):
            self._formula(token)
        elif token.nesting == 1:
            self._span(token)
        elif token.nesting == -1:
            self._open.pop()

    def _formula(self, token: Token) -> None:
        display = "block" if token.type == "math_block" else "inline"
        element = SubElement(self._open[-1], "math", {"display": display})
        element.text = literal(token.content)
        element.set("data-source", literal(token.markup[:2] + token.content + token.markup[2:]))

    def _span(self, token: Token) -> None:
        element = SubElement(self._open[-1], token.tag)
        self._open.append(element)
        if token.tag == "a":
            element.set("href", literal(str(token.attrGet("href") or "")))
            if token.attrGet("title"):
                element.set("title", literal(str(token.attrGet("title"))))

    def _image(self, token: Token) -> None:
        # The main chat takes the label as it is written, not its plain text.
        label = _IMAGE_LABEL_ESCAPES.sub(lambda match: match[1] or match[2], token.content)
        source = str(token.attrGet("src") or "")
        SubElement(self._open[-1], "img", {"src": literal(source), "alt": literal(label)})

    def _line_end(self, *, kept: bool) -> None:
        if kept:
            SubElement(self._open[-1], "br")
        self._text("\n")

    def _text(self, text: str) -> None:
        parent = self._open[-1]
        if len(parent):
            last = parent[-1]
            last.tail = (last.tail or "") + text
        else:
            parent.text = (parent.text or "") + text
