"""Claims in stored HTML: where each begins and ends, and what a page makes of that."""

import re
from collections.abc import Callable, Container
from dataclasses import dataclass
from html import escape, unescape

_ANCHOR = re.compile(r'<span data-claim-(?P<edge>start|end)="(?P<name>[^"]*)"></span>')
_PIECE = re.compile(r'<span data-claim-(?P<edge>start|end)="(?P<name>[^"]*)"></span>|(?P<tag><[^>]*>)|(?P<text>[^<]+)')


def anchor_html(name: str, *, is_end: bool) -> str:
    """What stands in stored HTML where the claim ``name`` begins, or ends. No content can hold this markup."""
    return f'<span data-claim-{"end" if is_end else "start"}="{escape(name)}"></span>'


@dataclass(frozen=True)
class ClaimLink:
    """A superscript of a claim: one block that it cites."""

    id: str
    k: int
    block: str
    verdict: str
    href: str
    fragment_address: str
    label: str
    is_current: bool


def link_claims(html: str, links: Callable[[str], tuple[ClaimLink, ...]]) -> str:
    """``html`` of a rendered message with the superscripts ``links(claim)`` at the end of each claim.

    Where a claim begins an empty element of that name stays, so that a script can find its extent.
    """

    def linked(anchor: re.Match[str]) -> str:
        if anchor["edge"] == "start":
            return anchor[0]
        name = unescape(anchor["name"])
        return "".join(_superscript(name, link) for link in links(name))

    return _ANCHOR.sub(linked, html)


def _superscript(claim: str, link: ClaimLink) -> str:
    verdict = f' data-verdict="{escape(link.verdict)}"' if link.verdict else ""
    current = ' aria-current="true"' if link.is_current else ""
    return (
        f'<sup class="cite-ref" id="{escape(link.id)}" data-claim="{escape(claim)}" data-block="{escape(link.block)}"'
        f'{verdict}><a href="{escape(link.href)}" data-card="{escape(link.fragment_address)}"'
        f' aria-label="{escape(link.label)}"{current}>[{link.k}]</a></sup>'
    )


def mark_claim(html: str, claims: Container[str]) -> str:
    """``html``, before its superscripts are linked, with the words of ``claims`` marked, across element borders."""
    inside = False

    def marked(piece: re.Match[str]) -> str:
        nonlocal inside
        if piece["edge"]:
            if unescape(piece["name"]) in claims:
                inside = piece["edge"] == "start"
            return piece[0]
        # White space between blocks is no text of a claim.
        if inside and piece["text"] and (not piece["text"].isspace() or "\n" not in piece["text"]):
            return f'<mark class="claim">{piece[0]}</mark>'
        return piece[0]

    return _PIECE.sub(marked, html)
