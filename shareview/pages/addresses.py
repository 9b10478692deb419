"""Addresses within one share."""

from dataclasses import dataclass

from django.urls import reverse

from shareview.pages.states import PageState


@dataclass(frozen=True)
class PageAddresses:
    """The addresses of the share with ``token``."""

    token: str

    def page(self, state: PageState) -> str:
        """The page in ``state``, relative to any address of the share."""
        return reverse("share", args=[self.token]) + (state.query() if state.query() != "?" else "")

    def sources(self, message: str, state: PageState) -> str:
        """The source panel of ``message`` alone, in ``state``."""
        return reverse("sources", args=[self.token, message]) + state.query()

    def steps(self, message: str, state: PageState) -> str:
        """The steps before ``message`` alone, in ``state``."""
        return reverse("steps", args=[self.token, message]) + state.query()

    def markdown(self, message: str) -> str:
        """One answer as Markdown, with its sources."""
        return reverse("markdown", args=[self.token, message])

    def article(self, message: str, state: PageState, tries: int) -> str:
        """One answer alone, in ``state``, asked for the ``tries``-th time while its citations are being made."""
        query = state.query()
        return reverse("article", args=[self.token, message]) + f"{query}{'' if query == '?' else '&'}try={tries}"

    def card(self, message: str, span: str, state: PageState) -> str:
        """The card of one claim alone, in ``state``."""
        return reverse("card", args=[self.token, message, span]) + state.query()

    def claims(self, message: str, state: PageState, only: str = "") -> str:
        """The list of an answer's claims; ``only`` those of a kind."""
        query = state.carried().query()
        asked = f"{'&' if query != '?' else ''}only={only}" if only else ""
        return reverse("claims", args=[self.token, message]) + (query + asked if query != "?" or asked else "")

    def document(self, document: str, state: PageState) -> str:
        """A document as far as retrieval returned it."""
        query = state.carried().query()
        return reverse("document", args=[self.token, document]) + (query if query != "?" else "")

    def rounds(self, state: PageState) -> str:
        """The rounds of one part alone, in ``state``."""
        return reverse("rounds", args=[self.token]) + state.query()

    def thread(self, state: PageState) -> str:
        """A thread alone, in ``state``."""
        return reverse("thread", args=[self.token]) + state.query()

    def model_input(self, state: PageState) -> str:
        """What a model is given of the thread that ``state`` shows."""
        query = PageState(thread=state.thread).query()
        return reverse("model-input", args=[self.token]) + (query if query != "?" else "")

    def file(self, sha256: str) -> str:
        """The bytes of an attachment."""
        return reverse("file", args=[self.token, sha256])

    def export(self, ending: str) -> str:
        """An export of what the share shows."""
        return reverse("export", args=[self.token, ending])
