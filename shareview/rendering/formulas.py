"""Formulas as MathML, made when a message is rendered; no script takes part."""

import re
from html import unescape
from typing import Final
from xml.etree.ElementTree import Element, tostring

import nh3
from latex2mathml.converter import convert_to_element
from latex2mathml.exceptions import (
    DenominatorNotFoundError,
    DoubleSubscriptsError,
    DoubleSuperscriptsError,
    ExtraLeftOrMissingRightError,
    InvalidAlignmentError,
    InvalidStyleForGenfracError,
    InvalidWidthError,
    LimitsMustFollowMathOperatorError,
    MissingEndError,
    MissingSuperScriptOrSubscriptError,
    NoAvailableTokensError,
    NumeratorNotFoundError,
)

from shareview.rendering.characters import shown_characters

_FORMULA_LIMIT: Final = 4_000
"""Code points of a formula beyond which it stays as source."""

_TAGS: Final = {
    "math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "msup", "msub", "msubsup", "mfrac", "msqrt", "mroot",
    "mover", "munder", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom", "menclose",
    "mmultiscripts",
}  # fmt: skip
_ATTRIBUTES: Final = {
    "*": {
        "display", "mathvariant", "stretchy", "fence", "form", "accent", "minsize", "maxsize", "symmetric", "largeop",
        "movablelimits", "lspace", "rspace", "width", "height", "depth", "columnalign", "rowspacing", "columnspacing",
        "columnlines", "rowlines", "linethickness", "displaystyle", "scriptlevel", "notation", "separator",
    }
}  # fmt: skip
_UNPARSED: Final = (
    DenominatorNotFoundError, DoubleSubscriptsError, DoubleSuperscriptsError, ExtraLeftOrMissingRightError,
    InvalidAlignmentError, InvalidStyleForGenfracError, InvalidWidthError, LimitsMustFollowMathOperatorError,
    MissingEndError, MissingSuperScriptOrSubscriptError, NoAvailableTokensError, NumeratorNotFoundError,
    # latex2mathml meets some malformed input with Python's own errors.
    IndexError, KeyError, ValueError, TypeError, AttributeError, StopIteration, RuntimeError, RecursionError,
)  # fmt: skip
_REFERENCE = re.compile(r"&(?:#x[0-9A-Fa-f]+|lt|gt|amp);")
# A command that latex2mathml does not know comes out as its own name.
_UNKNOWN_COMMAND = re.compile(r"<m[ion]>\\[A-Za-z]+</m[ion]>")


def formula_html(source: str, *, display: bool) -> str | None:
    """MathML of ``source`` (LaTeX without its delimiters), or None where it does not parse."""
    if len(source) > _FORMULA_LIMIT:
        return None
    try:
        math = convert_to_element(source, display="block" if display else "inline")
    except _UNPARSED:
        return None
    _read_references(math)
    mathml = tostring(math, encoding="unicode")
    if _UNKNOWN_COMMAND.search(mathml):
        return None
    return shown_characters(nh3.clean(mathml, tags=_TAGS, attributes=_ATTRIBUTES, clean_content_tags=set()))


def _read_references(math: Element) -> None:
    """The converter writes signs as references, in texts that are not HTML yet."""
    for element in math.iter():
        element.text = _REFERENCE.sub(lambda match: unescape(match[0]), element.text or "")
