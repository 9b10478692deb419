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

    def rounds(self, state: PageState) -> str:
        """The rounds of one part alone, in ``state``."""
        return reverse("rounds", args=[self.token]) + state.query()

    def file(self, sha256: str) -> str:
        """The bytes of an attachment."""
        return reverse("file", args=[self.token, sha256])

    def export(self, ending: str) -> str:
        """An export of what the share shows."""
        return reverse("export", args=[self.token, ending])
