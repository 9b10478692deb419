"""In which language a page speaks: as its address says, else as the reader's browser prefers."""

from typing import Final

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest
from django.utils.translation import get_language, get_language_from_request

from shareview.rendering.languages import language_of

_ASKED_FOR: Final = {"en": "en", "zh": "zh-hans", "zh-cn": "zh-hans", "zh-hans": "zh-hans"}
_TAGS: Final = {"en": "en", "zh-hans": "zh-Hans"}


def chosen_language(request: HttpRequest) -> str:
    """Django's code of the language for ``request``."""
    try:
        asked = _ASKED_FOR.get(request.GET.get("lang", "").lower())
    except SuspiciousOperation:
        asked = None  # More parameters than are read: whether there is something to show comes first.
    return spoken(asked or get_language_from_request(request))


def spoken(code: str) -> str:
    """``code`` where pages speak that language, else English."""
    return code if code in _TAGS else "en"


def language_tag(code: str) -> str:
    """The BCP 47 tag for the ``lang`` attribute."""
    return _TAGS.get(code, "en")


def lang_attribute(text: str) -> str | None:
    """``lang`` of the element that holds ``text``: None where it is the page's, empty where nobody can tell."""
    language = language_of(text)
    page = "zh" if (get_language() or "").startswith("zh") else ""
    return None if language == page else language
