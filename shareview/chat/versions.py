"""Versions: which message took the place of one that an edit or a retry replaced (session-export, "replaces")."""

from collections.abc import Iterable, Mapping, Sequence

from shareview.chat.turns import MessagePart, Turn


def successors(turns: Sequence[Turn]) -> dict[str, str]:
    """For each message of a thread's ``turns`` that is history, the one that came in its place.

    With a question that was asked anew its whole turn is history; what stood in it gives way to the new question. An
    answer that a retry's first step replaced gives way to the answer that the retry came to.
    """
    newer = {message.replaces: message.id for turn in turns for message in turn.messages if message.replaces}
    steps = {
        message.id: turn.answer.id
        for turn in turns
        for message in turn.messages
        if turn.answer and turn.part(message) is MessagePart.STEP
    }
    found: dict[str, str] = {}
    for turn in turns:
        question = newer.get(turn.question.id, "") if turn.question else ""
        for message in turn.messages:
            direct = newer.get(message.id, "") or (question if turn.is_history else "")
            if direct and turn.part(message) is MessagePart.HISTORY:
                found[message.id] = steps.get(direct, direct)
    return found


def newest_version(message: str, successors: Mapping[str, str]) -> str:
    """The message that stands now where ``message`` stood; itself where nothing replaced it."""
    while message in successors:
        message = successors[message]
    return message


def earlier_versions(successors: Mapping[str, str], of: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """For each message of ``of`` that replaced others, those others in the order of ``successors``."""
    found: dict[str, list[str]] = {message: [] for message in of}
    for older in successors:
        newest = newest_version(older, successors)
        if newest in found:
            found[newest].append(older)
    return {message: tuple(older) for message, older in found.items() if older}
