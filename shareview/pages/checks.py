"""An answer whose citations are being made: it is shown at once, and looked at again until they are there."""

from dataclasses import dataclass
from typing import Final

from shareview.pages.addresses import PageAddresses
from shareview.pages.identifiers import fragment, html_id
from shareview.pages.states import PageState

MOST_TRIES: Final = 120
MOST_AT_ONCE: Final = 40
"""How many answers a page looks at again by itself."""
_FIRST_SECONDS: Final = 2
_LONGEST_SECONDS: Final = 15
_TRIES_A_SECOND_MORE: Final = 3


@dataclass(frozen=True)
class CheckView:
    """Where the answer is looked at again by hand, and by itself after ``seconds``; never by itself once that is 0."""

    href: str
    fragment_address: str
    seconds: int


def check_view(
    message: str, state: PageState, addresses: PageAddresses, tries: int = 0, *, by_itself: bool = True
) -> CheckView:
    """The check of ``message`` that was looked at ``tries`` times: ever more slowly, and not for ever.

    From 2 to 15 seconds apart, 120 times: about 25 minutes in all.
    """
    seconds = min(_FIRST_SECONDS + tries // _TRIES_A_SECOND_MORE, _LONGEST_SECONDS)
    return CheckView(
        href=addresses.page(state.at_message(message)) + fragment(html_id(message)),
        fragment_address=addresses.article(message, state, tries + 1),
        seconds=seconds if by_itself and tries < MOST_TRIES else 0,
    )
