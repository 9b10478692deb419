"""Links of a share with a password, as buttons: where no script runs, a form alone can carry the key."""

import re

_LINK = re.compile(
    r'<a (?P<before>[^>]*?)href="(?P<to>/(?:s|embed)/[^"]*)"(?P<after>[^>]*)>(?P<inner>.*?)</a>', re.DOTALL
)
_CLASS = re.compile(r'\bclass="')


def links_as_buttons(html: str) -> str:
    """``html`` with each link into a share as a button of the form ``key-form``, with the link's attributes.

    No link of a message leads there (design, difference 3), so these are our own.
    """
    return _LINK.sub(_button, html)


def _button(found: "re.Match[str]") -> str:
    attributes = f"{found['before']}{found['after'].lstrip()}".strip()
    named = _CLASS.sub('class="as-link ', attributes, count=1)
    if named == attributes:
        named = f'class="as-link" {attributes}'.strip()
    # Where a link opens, a button says for the form that it sends.
    named = named.replace(' target="', ' formtarget="')
    return f'<button type="submit" form="key-form" formaction="{found["to"]}" {named}>{found["inner"]}</button>'
