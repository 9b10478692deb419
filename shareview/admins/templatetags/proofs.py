"""What the proof's template shows of an address."""

from django import template

from shareview.admins.proof import hidden_token

register = template.Library()


@register.filter
def without_token(path: str) -> str:
    """``path`` with its token cut short."""
    return hidden_token(path)
