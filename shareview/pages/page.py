"""What the page's template is given."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from shareview.pages.access import OpenedShare
from shareview.pages.addresses import Door
from shareview.pages.conversations import ConversationView, arrival
from shareview.pages.identifiers import fragment
from shareview.pages.left_out import left_out_of
from shareview.pages.link_previews import link_preview
from shareview.pages.states import THEMES, PageState
from shareview.pages.watermarks import watermark_tile
from shareview.rendering.characters import shown_characters

_LONG_TITLE: Final = 300
"""Characters of a title beyond which it stands in a box that scrolls."""


@dataclass(frozen=True)
class Choice:
    """One of several forms of the same page: that where ``parameter`` of its address has ``value``."""

    name: str
    href: str
    is_current: bool
    lang: str
    parameter: str
    value: str


def page_context(opened: OpenedShare, view: ConversationView, state: PageState, language: str) -> dict[str, Any]:
    """The context of ``pages/share.html`` and of the parts of it that are loaded alone."""
    addresses = opened.addresses
    return {
        **shell_context(opened, state, addresses.page, language),
        "view": view,
        "place": arrival(opened.share.snapshot, state) or state.place(),
        "model_input_href": addresses.model_input(state),
        "previous_href": view.previous and addresses.page(view.previous),
        "previous_fragment": view.previous and addresses.rounds(view.previous) + "&towards=start",
        "next_href": view.next and addresses.page(view.next),
        "next_fragment": view.next and addresses.rounds(view.next) + "&towards=end",
    }


def shell_context(
    opened: OpenedShare, state: PageState, here: Callable[[PageState], str], language: str
) -> dict[str, Any]:
    """What stands on every page of a share. ``here`` gives the page's own address in another language or theme."""
    share, addresses = opened.share, opened.addresses
    everything = PageState(state.thread, state.language, state.theme, everything=True)
    return {
        "share": share,
        "key": opened.key,
        "referrer": "same-origin" if opened.unlocking else "",
        "snapshot": share.snapshot,
        "preview": link_preview(opened) if language and addresses.door is Door.PAGE else None,
        "is_draft": addresses.door is Door.DRAFT,
        "is_embed": addresses.door is Door.EMBED,
        "full_href": replace(addresses, door=Door.PAGE, sign=None).page(replace(state, theme="")),
        "left_out": left_out_of(share.snapshot),
        "moment_format": pgettext("date and time, as Django's date filter has it", "j M Y, H:i"),
        "title": shown_characters(share.shown_title),
        "title_is_long": len(share.shown_title) > _LONG_TITLE,
        "digest_groups": [share.snapshot.digest[at : at + 4] for at in (0, 4, 8)],
        "state": state,
        "lang": language,
        "theme": state.theme,
        "watermark": watermark_tile(share.watermark),
        "languages": _languages(state, here, language),
        "themes": _themes(state, here),
        "everything_href": addresses.page(everything),
        "search_href": addresses.search(state),
        "plain_href": addresses.page(state.carried()),
        "exports": [(ending, addresses.export(ending)) for ending in ("jsonl", "md", "txt")],
    }


def _address(here: Callable[[PageState], str], state: PageState) -> str:
    place = state.place()
    return here(state) + (fragment(place) if place else "")


def _languages(state: PageState, here: Callable[[PageState], str], current: str) -> list[Choice]:
    choices = (("en", "English", "en"), ("zh", "中文", "zh-Hans"))
    return [
        Choice(name, _address(here, replace(state, language=code)), tag == current, tag, "lang", code)
        for code, name, tag in choices
    ]


def _themes(state: PageState, here: Callable[[PageState], str]) -> list[Choice]:
    names = {"": pgettext("theme", "System"), "light": _("Light"), "dark": _("Dark")}
    return [
        Choice(names[theme], _address(here, replace(state, theme=theme)), theme == state.theme, "", "theme", theme)
        for theme in ("", *THEMES)
    ]
