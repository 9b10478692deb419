"""Addresses within one share."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from urllib.parse import quote, urlencode

from django.urls import reverse

from shareview.pages.states import PageState


class Door(StrEnum):
    """Where a share is read: on its own, in a frame of another site, or before there is a link.

    Its name is that of the addresses.
    """

    PAGE = "share"
    EMBED = "embed"
    DRAFT = "draft"


@dataclass(frozen=True)
class PageAddresses:
    """The addresses of the share with ``token`` behind ``door``.

    ``sign`` gives a ticket for an address that a browser fetches by itself, where the share asks for a password.
    """

    token: str
    door: Door = Door.PAGE
    sign: Callable[[str], str] | None = None

    def page(self, state: PageState) -> str:
        """The page in ``state``, relative to any address of the share."""
        query = state.query()
        return self._of("page") + (query if query != "?" else "")

    def sources(self, message: str, state: PageState) -> str:
        """The source panel of ``message`` alone, in ``state``."""
        return self._of("sources", message) + state.query()

    def steps(self, message: str, state: PageState) -> str:
        """The steps before ``message`` alone, in ``state``."""
        return self._of("steps", message) + state.query()

    def markdown(self, message: str) -> str:
        """One answer as Markdown, with its sources."""
        return self._of("markdown", message)

    def article(self, message: str, state: PageState, tries: int) -> str:
        """One answer alone, in ``state``, asked for the ``tries``-th time while its citations are being made."""
        query = state.query()
        return self._of("article", message) + f"{query}{'' if query == '?' else '&'}try={tries}"

    def card(self, message: str, span: str, state: PageState) -> str:
        """The card of one claim alone, in ``state``."""
        return self._of("card", message, span) + state.query()

    def claims(self, message: str, state: PageState, only: str = "") -> str:
        """The list of an answer's claims; ``only`` those of a kind."""
        query = state.carried().query()
        asked = f"{'&' if query != '?' else ''}only={only}" if only else ""
        return self._of("claims", message) + (query + asked if query != "?" or asked else "")

    def document(self, document: str, state: PageState) -> str:
        """A document as far as retrieval returned it."""
        query = state.carried().query()
        return self._of("document", document) + (query if query != "?" else "")

    def rounds(self, state: PageState) -> str:
        """The rounds of one part alone, in ``state``."""
        return self._of("rounds") + state.query()

    def thread(self, state: PageState) -> str:
        """A thread alone, in ``state``."""
        return self._of("thread") + state.query()

    def model_input(self, state: PageState) -> str:
        """What a model is given of the thread that ``state`` shows."""
        query = PageState(thread=state.thread).query()
        return self._of("model-input") + (query if query != "?" else "")

    def search(self, state: PageState, query: str = "", page: int = 1) -> str:
        """What ``query`` finds in the share, ``page`` of it from 1; without a question, where one is asked."""
        asked = {"q": query, "page": str(page) if page > 1 else "", "lang": state.language, "theme": state.theme}
        pairs = urlencode({name: value for name, value in asked.items() if value}, quote_via=quote)
        return self._of("search") + (f"?{pairs}" if pairs else "")

    def file(self, sha256: str) -> str:
        """The bytes of an attachment."""
        address = self._of("file", sha256)
        return f"{address}?{urlencode({'ticket': self.sign(address)})}" if self.sign else address

    def export(self, ending: str) -> str:
        """An export of what the share shows."""
        return self._of("export", ending)

    def preview(self) -> str:
        """The picture that stands for the share in a list of links."""
        return self._of("preview")

    def _of(self, name: str, *parts: str) -> str:
        return _address(self.door, name, self.token, *parts)


@lru_cache(maxsize=4_096)
def _address(door: Door, name: str, *parts: str) -> str:
    # A page asks for the same addresses again and again.
    return reverse(f"{door}:{name}", args=parts)
