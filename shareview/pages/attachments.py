"""Files of a message: images that we hold are shown, everything else is named."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from shareview.chat.messages import Attachment
from shareview.citations.web_addresses import is_showable
from shareview.pages.addresses import PageAddresses
from shareview.rendering.characters import shown_characters

SHOWN_IMAGES: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})


@dataclass(frozen=True)
class AttachmentView:
    """A file: shown where ``image`` has its address, else named and perhaps linked."""

    name: str
    media_type: str
    image: str
    link: str
    size: int | None


def attachment_views(
    attachments: Sequence[Attachment], stored: Collection[str], addresses: PageAddresses
) -> tuple[AttachmentView, ...]:
    """The files of one message; ``stored`` are the SHA-256 of those that the snapshot holds."""
    return tuple(_view(attachment, stored, addresses) for attachment in attachments)


def _view(attachment: Attachment, stored: Collection[str], addresses: PageAddresses) -> AttachmentView:
    is_image = attachment.sha256 in stored and attachment.media_type.lower() in SHOWN_IMAGES
    return AttachmentView(
        name=shown_characters(attachment.name),
        media_type=shown_characters(attachment.media_type),
        image=addresses.file(attachment.sha256) if is_image else "",
        link=attachment.url if is_showable(attachment.url) else "",
        size=attachment.size,
    )


def image_kind(data: bytes) -> str | None:
    """The type of image that the bytes themselves show, whatever the export says they are; None for no image."""
    signatures = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}
    found = next((kind for start, kind in signatures.items() if data.startswith(start)), None)
    if found is None and data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        found = "image/webp"
    return found
