"""The piece of HTML that shows a share in a page of another site."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit

from django.utils.html import format_html

from shareview.rendering.characters import shown_characters
from shareview.shares.models import EMBED_PATH, Share, ShareState

SANDBOX: Final = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"
"""What the frame may do (design, "Locked share in a foreign frame")."""
SCRIPT_PATH: Final = "/embed.js"
WIDTH: Final = 720
HEIGHT: Final = 600
"""CSS pixels of a frame whose page has no script to follow its height."""


@dataclass(frozen=True)
class EmbedSize:
    """Width and height of a frame in CSS pixels; without a width it is as wide as its place."""

    width: int | None = None
    height: int = HEIGHT


def embed_address(share: Share, base_url: str) -> str:
    """The address that a frame shows."""
    return f"{base_url}{EMBED_PATH}{share.token()}/"


def embed_snippet(share: Share, base_url: str, size: EmbedSize = EmbedSize(), query: str = "") -> str:
    """The frame of ``share`` as HTML, with the script that gives it the height of what it shows."""
    return format_html(
        '<iframe src="{src}{query}" title="{title}" width="{width}" height="{height}" loading="lazy" '
        'sandbox="{sandbox}" allow="clipboard-write" referrerpolicy="no-referrer" style="border:0"></iframe>\n'
        '<script src="{script}" async></script>',
        src=embed_address(share, base_url),
        query=query,
        title=" ".join(shown_characters(share.shown_title).split()),
        width="100%" if size.width is None else size.width,
        height=size.height,
        sandbox=SANDBOX,
        script=f"{base_url}{SCRIPT_PATH}",
    )


def embedding_origins(share: Share, base_url: str, *, now: datetime) -> list[str]:
    """The origins where the frame will show ``share``: those it allows, while it can be read.

    Without https here, a page that has it shows nothing of ours.
    """
    if share.state(now) is not ShareState.LIVE:
        return []
    is_plain = urlsplit(base_url).scheme == "http"
    return [origin for origin in share.embed_origins() if not (is_plain and origin.startswith("https:"))]
