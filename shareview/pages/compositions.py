"""First views kept as they go out: composed at publish, compressed, and never served once they are stale."""

import gzip
import hashlib
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from typing import Any, Final

import brotli
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import translation

from shareview.pages.access import OpenedShare
from shareview.pages.addresses import Door, PageAddresses
from shareview.pages.conversations import conversation, first_views
from shareview.pages.languages import language_tag
from shareview.pages.models import ComposedPage
from shareview.pages.page import page_context
from shareview.pages.states import PageState
from shareview.pages.versions import page_version
from shareview.shares.actors import Actor
from shareview.shares.models import Share
from shareview.shares.publish import ShareTerms, publish_snapshot
from shareview.snapshots.derivation import DERIVATION_VERSION
from shareview.snapshots.models import Snapshot
from shareview.snapshots.shown_versions import shown_version

_GZIP_LEVEL: Final = 9
_BROTLI_QUALITY: Final = 5
_LONGEST_VIEW: Final = 700


@cache
def composition_version() -> str:
    """Changes with all that a composed page is made of, but for its share and its snapshot."""
    parts = (page_version(), DERIVATION_VERSION, settings.SHAREVIEW_BASE_URL)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def whole_page(opened: OpenedShare, state: PageState, language: str) -> str:
    """The HTML of a share's page in ``state``; ``language`` is Django's code, and must be the active one."""
    view = conversation(opened.share, state, opened.addresses)
    return render_to_string("pages/share.html", page_context(opened, view, state, language_tag(language)))


def publish_composed(
    snapshot: Snapshot, terms: ShareTerms, *, actor: Actor, now: datetime, token_key: str
) -> list[Share]:
    """Publishes ``snapshot`` as ``publish_snapshot`` does, and composes the pages of each share."""
    shares = publish_snapshot(snapshot, terms, actor=actor, now=now, token_key=token_key)
    for share in shares:
        compose_share(share, now=now)
    return shares


def compose_share(share: Share, *, now: datetime) -> int:
    """Composes each first view of ``share`` in every language; gives how many. One with a password has none.

    Before static files are collected their addresses are not known, and nothing is composed: the first reader's
    page is kept then.
    """
    if share.password or getattr(staticfiles_storage, "hashed_files", None) == {}:
        return 0
    pages = list(_compose(share, now))
    with transaction.atomic():
        share.composed_pages.exclude(view__in={page.view for page in pages}).delete()
        # A reader of the share may have been first.
        ComposedPage.objects.bulk_create(
            pages,
            batch_size=50,
            update_conflicts=True,
            unique_fields=["share", "view", "language"],
            update_fields=["version", "shown", "token_hash", "etag", "gzip", "brotli"],
        )
    return len(pages)


def compose_for_reader(opened: OpenedShare, state: PageState, view: str, language: str) -> str:
    """``whole_page``, which is kept where it is a first view without a current composition.

    ``view`` is the query of the address.
    """
    # Looked up before the page is filled: what changes meanwhile makes it stale.
    shown = shown_version(opened.share.snapshot)
    html = whole_page(opened, state, language)
    if _lacks_composition(opened, state, view, language, shown):
        made = _composition(opened.share, html, shown)
        opened.share.composed_pages.update_or_create(view=view, language=language, defaults=made)
    return html


def _lacks_composition(opened: OpenedShare, state: PageState, view: str, language: str, shown: int) -> bool:
    if opened.unlocking or not opened.share.pk or opened.addresses.door is not Door.PAGE:
        return False
    if state != PageState(thread=state.thread, part=state.part) or len(view) > _LONGEST_VIEW:
        return False
    current = opened.share.composed_pages.filter(view=view, language=language, **_made_of(opened.share, shown))
    return not current.exists() and view in {_view(opened.addresses, first) for first in first_views(opened.share)}


def _view(addresses: PageAddresses, state: PageState) -> str:
    return addresses.page(state).partition("?")[2]


def _made_of(share: Share, shown: int) -> dict[str, Any]:
    """What a composition is current by."""
    return {"version": composition_version(), "shown": shown, "token_hash": share.token_hash}


def _composition(share: Share, html: str, shown: int) -> dict[str, Any]:
    body = html.encode()
    return {
        **_made_of(share, shown),
        "etag": hashlib.sha256(body).hexdigest()[:32],
        "gzip": gzip.compress(body, _GZIP_LEVEL, mtime=0),
        "brotli": brotli.compress(body, quality=_BROTLI_QUALITY),
    }


def _compose(share: Share, now: datetime) -> Iterator[ComposedPage]:
    addresses = PageAddresses(share.token())
    opened = OpenedShare(share, addresses, None, now)
    shown = shown_version(share.snapshot)
    for state in first_views(share):
        view = _view(addresses, state)
        for language, _name in settings.LANGUAGES:
            if len(view) <= _LONGEST_VIEW:
                with translation.override(language):
                    html = whole_page(opened, state, language)
                yield ComposedPage(share=share, view=view, language=language, **_composition(share, html, shown))
