"""Of which version pages are."""

import hashlib
from functools import cache
from typing import Final

from django.conf import settings

from shareview.environment import PROJECT

_MAKES_PAGES: Final = frozenset({".css", ".html", ".js", ".mo", ".py", ".svg"})


@cache
def page_version() -> str:
    """Changes with all that pages are made of, so that no stale page is taken for current."""
    digest = hashlib.sha256()
    for folder in (PROJECT / "templates", PROJECT / "static", PROJECT / "shareview"):
        for file in sorted(path for path in folder.rglob("*") if path.suffix in _MAKES_PAGES):
            digest.update(file.read_bytes())
    options = settings.SHAREVIEW_RENDERING
    digest.update(repr(options).encode())
    return digest.hexdigest()[:16]
