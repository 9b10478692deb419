"""What a page says of what its publisher left out."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from shareview.chat.messages import HiddenPart, Message
from shareview.snapshots.hiding import HiddenKind, hidden_kinds
from shareview.snapshots.models import Snapshot


def left_out(message: Message) -> tuple[str, ...]:
    """A sentence for each part of ``message`` that is missing at its place."""
    kinds = {
        HiddenKind.RESULT: _("This result was left out."),
        HiddenKind.MESSAGE: _("This message was left out."),
        HiddenKind.REASONING: _("The reasoning was left out."),
    }
    return tuple(kinds[kind] for kind in hidden_kinds(message))


def arguments_left_out(message: Message) -> str:
    """A sentence where the calls of ``message`` stand without what the tools were given."""
    return _("What the tool was given was left out.") if HiddenPart.ARGUMENTS in message.hidden else ""


def left_out_of(snapshot: Snapshot) -> tuple[str, ...]:
    """What is missing of the whole conversation, counted."""
    counts = (
        (
            snapshot.hidden_messages,
            ngettext("%d message left out", "%d messages left out", snapshot.hidden_messages),
        ),
        (
            snapshot.hidden_results,
            ngettext("%d tool result left out", "%d tool results left out", snapshot.hidden_results),
        ),
        (
            snapshot.hidden_reasonings,
            ngettext(
                "reasoning of %d message left out", "reasoning of %d messages left out", snapshot.hidden_reasonings
            ),
        ),
    )
    return tuple(sentence % count for count, sentence in counts if count)
