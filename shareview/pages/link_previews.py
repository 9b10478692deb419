"""What a messenger or a search for links may show of a share before anybody opens it (Open Graph, oEmbed)."""

import json
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from shareview.chat.messages import HiddenPart
from shareview.chat.turns import MessagePart
from shareview.citations.markers import strip_markers
from shareview.dialect.plain import plain_text
from shareview.exports.spool import message_of
from shareview.pages.access import NoSuchPlaceError, OpenedShare
from shareview.pages.preview_image import PREVIEW_HEIGHT, PREVIEW_WIDTH, PreviewCard
from shareview.rendering.characters import shown_characters
from shareview.shares.embed_snippets import HEIGHT, WIDTH, EmbedSize, embed_snippet
from shareview.shares.models import PreviewDetail, Share

_TITLE: Final = 200
_EXCERPT: Final = 280
PROVIDER: Final = "shareview"


@dataclass(frozen=True)
class LinkPreview:
    """What stands in the head of a share's page for those who show links."""

    title: str
    description: str
    address: str
    image: str
    image_width: int
    image_height: int
    oembed: str


def link_preview(opened: OpenedShare) -> LinkPreview | None:
    """The preview of an open share; none of one that asks for a password, or that is to have none."""
    if not _may_preview(opened):
        return None
    share, link = opened.share, opened.share.link()
    query = urlencode({"url": link, "format": "json"})
    return LinkPreview(
        title=_title(share),
        description=_description(share),
        address=link,
        image=f"{link}preview.png",
        image_width=PREVIEW_WIDTH,
        image_height=PREVIEW_HEIGHT,
        oembed=f"{settings.SHAREVIEW_BASE_URL}{reverse('oembed')}?{query}",
    )


def preview_card(opened: OpenedShare) -> PreviewCard:
    """What is drawn. Raises NoSuchPlaceError where the share has no preview."""
    if not _may_preview(opened):
        raise NoSuchPlaceError
    share = opened.share
    return PreviewCard(
        title=_title(share),
        excerpt=_excerpt(share),
        site=urlsplit(settings.SHAREVIEW_BASE_URL).netloc,
        frozen=f"{share.snapshot.frozen_at:%Y-%m-%d}",
        watermark=shown_characters(share.watermark),
    )


def oembed_answer(opened: OpenedShare, *, width: int | None, height: int | None) -> dict[str, object]:
    """The oEmbed 1.0 answer: a frame where the share may be embedded, else a link; at most ``width`` by ``height``.

    Raises NoSuchPlaceError where the share has no preview.
    """
    if not _may_preview(opened):
        raise NoSuchPlaceError
    share, base_url = opened.share, settings.SHAREVIEW_BASE_URL
    answer: dict[str, object] = {
        "version": "1.0",
        "type": "link",
        "title": _title(share),
        "provider_name": PROVIDER,
        "provider_url": base_url,
    }
    if (width or PREVIEW_WIDTH) >= PREVIEW_WIDTH and (height or PREVIEW_HEIGHT) >= PREVIEW_HEIGHT:
        answer |= {
            "thumbnail_url": f"{share.link()}preview.png",
            "thumbnail_width": PREVIEW_WIDTH,
            "thumbnail_height": PREVIEW_HEIGHT,
        }
    if share.embed_origins():
        size = EmbedSize(min(width or WIDTH, WIDTH), min(height or HEIGHT, HEIGHT))
        html = embed_snippet(share, base_url, size)
        answer |= {"type": "rich", "html": html, "width": size.width, "height": size.height}
    return answer


def _may_preview(opened: OpenedShare) -> bool:
    return not opened.share.password and opened.share.preview != PreviewDetail.NONE


def _title(share: Share) -> str:
    return _shortened(" ".join(shown_characters(share.shown_title).split()), _TITLE)


def _description(share: Share) -> str:
    excerpt = _excerpt(share)
    frozen = _("Read-only share of a conversation, frozen %(date)s.") % {"date": f"{share.snapshot.frozen_at:%Y-%m-%d}"}
    return excerpt or frozen


def _excerpt(share: Share) -> str:
    """How the first answer begins, where the share lets its preview tell."""
    if share.preview != PreviewDetail.CONTENT:
        return ""
    first = share.snapshot.rendered.filter(part=MessagePart.ANSWER).order_by("position").first()
    line = first and share.snapshot.records.filter(position=first.position).values_list("line", flat=True).first()
    answer = message_of(json.loads(line)) if line else None
    if answer is None or HiddenPart.CONTENT in answer.hidden:
        return ""
    text = plain_text(strip_markers(shown_characters(answer.content)))
    return _shortened(" ".join(text.split()), _EXCERPT)


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
