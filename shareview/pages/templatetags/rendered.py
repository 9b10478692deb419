"""The one place that marks HTML as safe: what ``rendering`` made, and nothing else."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from shareview.rendering.characters import shown_characters

register = template.Library()


@register.filter
def rendered(html: str) -> SafeString:
    """HTML that came out of ``shareview.rendering``, sanitized there."""
    return mark_safe(html)  # noqa: S308 - the single exit of the sanitizer


@register.filter
def shown(text: str) -> str:
    """A text without the characters that are never shown; escaped by the template as any other."""
    return shown_characters(text)
