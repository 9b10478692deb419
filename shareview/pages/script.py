"""htmx and the page's own script as one file: a page then asks for one file fewer."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage, Storage
from rjsmin import jsmin

_Messages: TypeAlias = list[CheckMessage]

SCRIPT: Final = "pages/script.js"
_HTMX: Final = "django_htmx/htmx-2.min.js"
_OURS: Final = "pages/share.js"
_BEFORE: Final = "pages/frame.js"
_PARENT: Final = "pages/embed.js"


class ScriptFinder(finders.BaseFinder):
    """Finds ``pages/script.js``, made of its pieces."""

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """The file's path on disk, nothing for any other file."""
        found = str(_joined() / path) if path == SCRIPT else ""
        return ([found] if found else []) if find_all else found or None

    def list(self, ignore_patterns: Iterable[str] | None) -> "Iterable[tuple[str, Storage]]":
        """The one file, with the storage that holds it."""
        yield SCRIPT, FileSystemStorage(location=str(_joined()))

    def check(self, **kwargs: Any) -> _Messages:
        """Nothing to say."""
        return []


@cache
def parent_script() -> str:
    """The script for pages that show a share in a frame."""
    return f"{jsmin(_read(_PARENT))}\n"


def _joined() -> Path:
    """The folder that the file lies in, which holds the pieces as they are now."""
    folder = Path(settings.SHAREVIEW_MADE_FILES)
    target = folder / SCRIPT
    script = f"{jsmin(_read(_BEFORE))}\n{_read(_HTMX)};\n{jsmin(_read(_OURS))}\n"
    if not target.exists() or target.read_text("utf-8") != script:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(script, "utf-8")
    return folder


def _read(static_file: str) -> str:
    return Path(str(finders.find(static_file))).read_text("utf-8")
