"""Bare addresses as ``marked`` links them: ``http(s)://``, ``ftp://``, ``www.`` and e-mail, nothing else.

An address runs to the next white space or ``<``, so Chinese text and a citation marker that touch it
belong to it, as they do in the main chat; punctuation at its end does not.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from string import punctuation

from markdown_it.rules_inline import StateInline, escape

from shareview.dialect.entities import decode_references
from shareview.dialect.stops import next_stop

_SCHEME = r"(?:[hH][tT][tT][pP][sS]?|[fF][tT][pP])://"
_STARTS = re.compile(rf"{_SCHEME}|(?<![^\s*_~(])www\.|(?:mailto|xmpp):")
# The local part is capped (RFC 5321, 4.5.3.1.1: 64 octets), or a long run of letters costs quadratic time.
_LOCAL_PARTS = re.compile(r"(?<![A-Za-z0-9._+-])[A-Za-z0-9._+-]+(?=@)")
_LOCAL_PART_LIMIT = 64
_EMAIL = r"[A-Za-z0-9._+-]{1,64}@[a-zA-Z0-9_-]+(?:\.[a-zA-Z0-9_-]*[a-zA-Z0-9])+(?![\w-])"
_ADDRESS = re.compile(
    rf"(?P<mail>(?:mailto:{_EMAIL}|xmpp:{_EMAIL}(?:/[A-Za-z0-9@.]+)?))"
    rf"|(?P<web>(?:{_SCHEME}|(?P<www>www\.))[a-zA-Z0-9-][^\s<]*)"
    rf"|(?P<bare>{_EMAIL})",
    re.ASCII,
)
_KEPT = re.compile(r"(?:[^?!.,:;*_'\"~()&]+|\([^)]*\)|&(?![a-zA-Z0-9]+;$)|[?!.,:;*_'\"~)]+(?!$))+")
_ESCAPED_SIGNS = frozenset(punctuation + "\n")
_TEXT_STOP = re.compile(r"[\n!#$%&*+\-:<=>@\[\\\]^_`{}~]")


@dataclass(frozen=True)
class AddressStarts:
    """Where in an inline text an address may start."""

    source: str

    @cached_property
    def positions(self) -> list[int]:
        """Starts of schemes, ``www.`` and runs that lead to an ``@``, ascending."""
        found = [match.start() for match in _STARTS.finditer(self.source)]
        found += [max(match.start(), match.end() - _LOCAL_PART_LIMIT) for match in _LOCAL_PARTS.finditer(self.source)]
        return sorted(found)

    def next_after(self, position: int, end: int) -> int:
        """The first start beyond ``position``, or ``end``."""
        index = bisect_right(self.positions, position)
        return min(self.positions[index], end) if index < len(self.positions) else end


def _starts(state: StateInline) -> AddressStarts | None:
    known = state.env.get("addresses")
    if known is None or known.source is not state.src:
        known = state.env["addresses"] = AddressStarts(state.src)
    # After a tag or code, ``www.`` begins an address that no white space announces.
    return known if known.positions or "www." in known.source else None


def text(state: StateInline, silent: bool) -> bool:
    """Inline rule for plain text: up to the next character that another rule may read, or the next address."""
    match = _TEXT_STOP.search(state.src, state.pos, state.posMax)
    end = next_stop(state, match.start() if match else state.posMax)
    starts = _starts(state)
    if starts is not None and not state.linkLevel:
        end = min(end, starts.next_after(state.pos, state.posMax))
        if end > state.pos and _address_at(state) is not None:
            return False
    if end == state.pos:
        return False
    if not silent:
        state.pending += state.src[state.pos : end]
    state.pos = end
    return True


def _address_at(state: StateInline) -> tuple[str, str] | None:
    """Text and target of the address that starts here."""
    match = _ADDRESS.match(state.src, state.pos, state.posMax)
    if match is None or (match["www"] and state.pending and not _starts_word(state)):
        return None
    if match["mail"]:
        return match[0], match[0]
    if match["bare"]:
        return match[0], "mailto:" + match[0]
    shown = _without_trailing_punctuation(match[0])
    if not shown:
        return None
    return shown, "http://" + shown if match["www"] else shown


def _starts_word(state: StateInline) -> bool:
    return state.src[state.pos - 1] in "*_~(" or state.src[state.pos - 1].isspace()


def _without_trailing_punctuation(address: str) -> str:
    address = address.rstrip("?!.,:*_'\"~")
    while True:
        kept = _KEPT.search(address)
        shorter = kept[0] if kept else ""
        if shorter == address:
            return address
        address = shorter


def address(state: StateInline, silent: bool) -> bool:
    """Inline rule for bare addresses; stands after the rules that ``marked`` tries before."""
    if silent or state.linkLevel or _starts(state) is None:
        return False
    found = _address_at(state)
    if found is None:
        return False
    shown, target = found
    state.push("link_open", "a", 1).attrs = {"href": decode_references(target)}
    state.push("text", "", 0).content = decode_references(shown)
    state.push("link_close", "a", -1)
    state.pos += len(shown)
    return True


def escape_sign(state: StateInline, silent: bool) -> bool:
    """Inline rule for a backslash: where no sign follows it is text, and may stand right before an address."""
    following = state.src[state.pos + 1 : min(state.pos + 2, state.posMax)]
    if state.src[state.pos] != "\\" or not following or following in _ESCAPED_SIGNS:
        return escape(state, silent)
    if not silent:
        state.pending += "\\"
    state.pos += 1
    return True


def with_references_decoded(rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    """``rule`` for ``<address>``, with references in it read, as the browser reads what the main chat gives it."""

    def decoded(state: StateInline, silent: bool) -> bool:
        before = len(state.tokens)
        if not rule(state, silent):
            return False
        for token in state.tokens[before:]:
            token.content = decode_references(token.content)
            if token.type == "link_open":
                token.attrs["href"] = decode_references(str(token.attrs["href"]))
        return True

    return decoded
