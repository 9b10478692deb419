"""States in words, and moments as an admin reads them."""

from datetime import datetime

from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from shareview.shares.models import ShareState


def state_words(state: ShareState) -> str:
    """``state`` in a word or two."""
    words: dict[ShareState, str] = {
        ShareState.LIVE: _("live"),
        ShareState.REVOKED: pgettext("state of a link", "revoked"),
        ShareState.EXPIRED: _("expired"),
        ShareState.PAUSED: _("paused"),
        ShareState.NOT_YET: _("not begun yet"),
    }
    return words[state]


def moment_words(moment: datetime | None) -> str:
    """``moment`` in two short lines, UTC."""
    return format_html("{}<br>{}", f"{moment:%Y-%m-%d}", f"{moment:%H:%M}") if moment else "–"
