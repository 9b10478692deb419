"""Raw HTML of an answer: allowed tags bare, others as their source text, comments gone.

This decides what is shown, so that nothing is lost; what is safe is decided after it, by ``sanitize``.
"""

import re
from html import escape, unescape
from html.entities import html5
from typing import Final

from shareview.rendering.links import image_html, may_be_followed, names_a_host

MARKDOWN_TAGS: Final = frozenset({
    "a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "input", "li", "ol", "p",
    "pre", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
})  # fmt: skip
ALLOWED_TAGS: Final = MARKDOWN_TAGS | frozenset({
    "abbr", "b", "cite", "dd", "details", "div", "dl", "dt", "figcaption", "figure", "i", "ins", "kbd", "mark", "q",
    "rp", "rt", "ruby", "s", "small", "span", "sub", "summary", "sup", "u",
})  # fmt: skip
KEPT_ATTRIBUTES: Final = {
    "a": ("href", "title"),
    "details": ("open",),
    "td": ("align", "colspan", "rowspan"),
    "th": ("align", "colspan", "rowspan"),
    "ol": ("start",),
    "input": ("type", "checked", "disabled"),
}

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)((?:[\s/][^<>]*)?)>|<")
_ATTRIBUTE = re.compile(r"([^\s=/\"'>]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")


_REFERENCE = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z0-9]+);")
_BLANKS: Final = "".join(map(chr, range(0x21)))


def show_raw_html(raw: str, *, within_link: bool = False) -> str:
    """``raw`` with only allowed tags and attributes left as markup; ``within_link`` where it stands in a link."""
    return _TAG.sub(lambda match: _show_tag(match, within_link=within_link), _without_comments(raw))


def _without_comments(raw: str) -> str:
    parts: list[str] = []
    at = 0
    while (start := raw.find("<!--", at)) >= 0 and (end := raw.find("-->", start + 4)) >= 0:
        parts.append(raw[at:start])
        at = end + 3
    return "".join(parts) + raw[at:]


def _show_tag(match: re.Match[str], *, within_link: bool) -> str:
    closing, name, rest = match[1], match[2], match[3]
    if not name:
        return "&lt;"
    tag = name.lower()
    attributes = _attributes(rest)
    if tag == "img" and not closing:
        return image_html(attributes.get("src", ""), attributes.get("alt", ""), within_link=within_link)
    if tag not in ALLOWED_TAGS or (tag == "input" and attributes.get("type") != "checkbox"):
        return escape(match[0])
    if closing:
        return f"</{tag}>"
    if tag == "a" and not _leads_somewhere(attributes.get("href", "")):
        attributes.pop("href", None)
    if tag == "input":
        attributes["disabled"] = ""
    kept = [f' {key}="{escape(attributes[key])}"' for key in KEPT_ATTRIBUTES.get(tag, ()) if key in attributes]
    return f"<{tag}{''.join(kept)}>"


def _leads_somewhere(target: str) -> bool:
    return may_be_followed(target) and (target.startswith("#") or names_a_host(target))


def _attributes(rest: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(rest):
        found.setdefault(name.lower(), _REFERENCE.sub(_read_reference, next((value for value in values if value), "")))
    for name in ("href", "src"):
        if name in found:
            found[name] = found[name].strip(_BLANKS)
    return found


def _read_reference(match: re.Match[str]) -> str:
    # ``&copyx;`` is no reference in an attribute, though it is one in a text (HTML standard, 13.2.5.73).
    name = match[0].removeprefix("&")
    return unescape(match[0]) if name[0] == "#" or name in html5 else match[0]
