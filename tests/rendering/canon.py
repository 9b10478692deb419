"""The DOM of a rendered answer in a comparable form: two HTML texts show the same where their canon is equal.

This is `canon()` of `mainchat/canon.mjs` in Python, without its citation pass. White space that a reader cannot see,
classes, ids, `target`, `rel`, `style` and the spans of code colouring are left out; `<s>` equals `<del>`; addresses
are compared as a browser resolves them. Every line of the result is one node: an element with its attributes, or a
text as a JSON string, indented by its depth.

The fragment is parsed as inside a `<div>`, by canon.mjs as inside a `<template>`. That differs only where a fragment
begins with a stray end tag or a table cell, or leaves a table unclosed, and a sanitiser lets none of these through.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import ada_url
import html5lib

BLOCK = frozenset(
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hr li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul "
    "caption colgroup col".split()
)
FORMATTING = frozenset("a b i em strong u del span font code".split())
DROP = frozenset("class id target rel style data-lang data-language dir tabindex".split())
BOOLEAN = frozenset(("disabled", "checked", "open"))
BASE = "http://base.invalid/"
# What String.prototype.trim() of JavaScript removes; str.strip() removes other characters.
JS_SPACE = "\t\n\v\f\r \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000\ufeff"
# A level of the document takes one frame in each pass; answers with 500 nested lists have 1000 levels.
RECURSION_LIMIT = 20_000


@dataclass
class Text:
    """A run of text."""

    value: str


@dataclass
class Element:
    """An element with its attributes in order; `pre` says that white space in it counts."""

    tag: str
    attrs: list[tuple[str, str]]
    pre: bool
    kids: list[Text | Element] = field(default_factory=list)


Items = list[Text | Element]


def canon(html: str) -> str:
    """The comparable form of an HTML fragment."""
    with _deep_recursion():
        # A newline at the end would leak into unclosed inline tags.
        fragment = html5lib.parseFragment(html.strip(JS_SPACE), treebuilder="dom", namespaceHTMLElements=False)
        items: Items = []
        _build(fragment, False, items)
        lines: list[str] = []
        _serialise(_collapse(items, True), "", lines)
    return "\n".join(lines)


@contextmanager
def _deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _build(node: Any, pre: bool, out: Items) -> None:  # Any: html5lib has no types
    """Append the children of a DOM node to `out`."""
    for child in node.childNodes:
        if child.nodeType == child.TEXT_NODE:
            _add_text(out, child.data)
        elif child.nodeType == child.ELEMENT_NODE:
            _build_element(child, pre, out)


def _build_element(node: Any, pre: bool, out: Items) -> None:  # Any: html5lib has no types
    tag = "del" if node.tagName in ("s", "strike") else node.tagName
    element = Element(tag, _attributes(node, tag), pre or tag in ("pre", "textarea"))
    _build(node, element.pre, element.kids)
    if tag == "span" and pre:
        _merge(out, element.kids)
    elif not (tag in FORMATTING and all(_is_blank(kid) for kid in element.kids)):
        # Formatting elements that hold nothing are invisible (unclosed raw <a> or <b> leaking past a </p>).
        out.append(element)


def _add_text(out: Items, value: str) -> None:
    if out and isinstance(out[-1], Text):
        out[-1].value += value
    else:
        out.append(Text(value))


def _merge(out: Items, kids: Items) -> None:
    for kid in kids:
        if isinstance(kid, Text):
            _add_text(out, kid.value)
        else:
            out.append(kid)


def _is_blank(item: Text | Element) -> bool:
    return isinstance(item, Text) and not item.value.strip(" \t\n\r")


def _attributes(node: Any, tag: str) -> list[tuple[str, str]]:  # Any: html5lib has no types
    """The attributes that count, in alphabetical order."""
    given: dict[str, str] = dict(node.attributes.items())
    attrs = {name: _value(name, value) for name, value in given.items() if name not in DROP}
    if tag in ("td", "th"):
        align = re.search(r"text-align:\s*(left|right|center)", given.get("style", ""))
        if align:
            attrs.setdefault("align", align[1])
    if tag == "ol" and attrs.get("start") == "1":
        del attrs["start"]
    return sorted(attrs.items())


def _value(name: str, value: str) -> str:
    if name in BOOLEAN:
        return ""
    return _normal_url(value) if name in ("href", "src") else value


def _normal_url(url: str) -> str:
    """The address as a browser resolves it, or the text itself where it is none."""
    try:
        return str(ada_url.URL(re.sub("[\ud800-\udfff]", "\ufffd", url), base=BASE).href)
    except ValueError:
        return url


def _collapse(kids: Items, in_block: bool) -> Items:
    """Collapse white space outside `<pre>`, and drop it beside blocks and line breaks."""
    result: Items = []
    for i, kid in enumerate(kids):
        if isinstance(kid, Text):
            value = re.sub(r"[ \t\n\r\f]+", " ", kid.value)
            if _breaks(kids[i - 1]) if i else in_block:
                value = value.removeprefix(" ")
            if _breaks(kids[i + 1]) if i + 1 < len(kids) else in_block:
                value = value.removesuffix(" ")
            if value:
                result.append(Text(value))
        else:
            _collapse_element(kid)
            result.append(kid)
    return result


def _collapse_element(element: Element) -> None:
    if element.tag == "pre":
        _strip_last_newlines(element.kids)
    elif not element.pre:
        element.kids = _collapse(element.kids, element.tag in BLOCK)


def _breaks(item: Text | Element) -> bool:
    return isinstance(item, Element) and (item.tag in BLOCK or item.tag == "br")


def _strip_last_newlines(kids: Items) -> None:
    """Remove the line ends at the end of a `<pre>`, with the blanks before the last of them."""
    if not kids:
        return
    last = kids[-1]
    if isinstance(last, Element):
        _strip_last_newlines(last.kids)
        return
    last.value = re.sub(r"[ \t]*\n+\Z", "", last.value).rstrip("\n")
    if not last.value:
        kids.pop()


def _serialise(kids: Items, indent: str, out: list[str]) -> None:
    for kid in kids:
        if isinstance(kid, Text):
            out.append(indent + json.dumps(kid.value, ensure_ascii=False))
            continue
        attrs = "".join(f' {name}="{_escape(value)}"' for name, value in kid.attrs)
        out.append(f"{indent}<{kid.tag}{attrs}>")
        _serialise(kid.kids, indent + " ", out)


def _escape(value: str) -> str:
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
