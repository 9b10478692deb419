"""What a turn did before it answered, as the page shows it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from shareview.chat.messages import Message, Role, Status, ToolCall
from shareview.citations.markers import strip_markers
from shareview.citations.registry import OPEN_PAGE, SEARCH, Retrieved, retrieved_pages
from shareview.citations.web_addresses import is_showable
from shareview.pages.identifiers import html_id
from shareview.rendering.characters import shown_characters


@dataclass(frozen=True)
class FoundPage:
    """A page in a tool's result; ``address`` is empty where it may not be linked."""

    title: str
    address: str
    words: str


@dataclass(frozen=True)
class ResultView:
    """A tool's result: the pages it found, or its text. ``cut_to`` says how long the original was."""

    html_id: str
    failed: bool
    pages: tuple[FoundPage, ...]
    text: str
    truncation: str
    approval: str


@dataclass(frozen=True)
class CallView:
    """A tool call, what it was given, and what came back."""

    name: str
    arguments: tuple[tuple[str, str], ...]
    result: ResultView | None


@dataclass(frozen=True)
class StepView:
    """A message before the answer: what was thought, said and called."""

    html_id: str
    reasoning: str
    body: str
    calls: tuple[CallView, ...]
    result: ResultView | None
    status: str


@dataclass(frozen=True)
class StepSource:
    """A step's message with its stored HTML."""

    message: Message
    html: str
    reasoning_html: str


def step_views(steps: Sequence[StepSource]) -> tuple[StepView, ...]:
    """The steps in order, each result beside its call."""
    results = {step.message.tool_call_id: step.message for step in steps if step.message.role is Role.TOOL}
    called = {call.id for step in steps for call in step.message.tool_calls}
    return tuple(
        _step(step, results)
        for step in steps
        if step.message.role is not Role.TOOL or step.message.tool_call_id not in called
    )


def _step(step: StepSource, results: dict[str, Message]) -> StepView:
    message = step.message
    alone = message.role is Role.TOOL
    return StepView(
        html_id=html_id(message.id),
        reasoning=step.reasoning_html,
        body="" if alone or not message.content.strip() else step.html,
        calls=tuple(_call(call, results.get(call.id)) for call in message.tool_calls),
        result=_result(message, "") if alone else None,
        status="" if message.status is Status.COMPLETED else message.status.value,
    )


def _call(call: ToolCall, result: Message | None) -> CallView:
    return CallView(plain(call.name), _arguments(call.arguments), _result(result, call.name) if result else None)


def _arguments(text: str) -> tuple[tuple[str, str], ...]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict):
        return tuple(
            (plain(name), plain(item if isinstance(item, str) else _json(item))) for name, item in value.items()
        )
    return (("", plain(text)),) if text.strip() else ()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _result(message: Message, tool: str) -> ResultView:
    pages = tuple(_page(page) for page in retrieved_pages(tool, message.content)) if tool in (SEARCH, OPEN_PAGE) else ()
    return ResultView(
        html_id=html_id(message.id),
        failed=message.status is Status.FAILED or _is_error(message.content),
        pages=pages,
        text="" if pages else plain(_readable(message.content)),
        truncation=_truncation(message),
        approval=_approval(message),
    )


def _page(page: Retrieved) -> FoundPage:
    address = page.url if is_showable(page.url) else ""
    return FoundPage(plain(page.title or page.url), address, plain(page.text))


def _is_error(content: str) -> bool:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "error" in value and "results" not in value


def _readable(content: str) -> str:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return content
    return _json(value) if isinstance(value, dict | list) else content


def _truncation(message: Message) -> str:
    if message.truncation is None:
        return ""
    if message.truncation.original_length is None:
        return _("The chat kept only the start of this result.")
    return _("The chat kept only the start of this result of %(length)s characters.") % {
        "length": f"{message.truncation.original_length:,}"
    }


def _approval(message: Message) -> str:
    mark = message.approval
    if mark is None:
        return ""
    decided = _("approved") if mark.approved else _("rejected")
    return " · ".join(filter(None, (decided, plain(mark.by), plain(mark.at), plain(mark.reason))))


def steps_summary(steps: Sequence[StepSource]) -> str:
    """What the steps were, in a few words."""
    names = [call.name for step in steps for call in step.message.tool_calls]
    searches, pages = names.count(SEARCH), names.count(OPEN_PAGE)
    others = len(names) - searches - pages
    said = [
        ngettext("%d search", "%d searches", searches) % searches if searches else "",
        ngettext("%d page opened", "%d pages opened", pages) % pages if pages else "",
        ngettext("%d tool call", "%d tool calls", others) % others if others else "",
    ]
    if any(step.message.reasoning for step in steps):
        said.append(_("reasoning"))
    shown = pgettext("between facts", ", ").join(filter(None, said))
    return shown or ngettext("%d step", "%d steps", len(steps)) % len(steps)


def plain(text: str) -> str:
    """A text as it is shown outside Markdown: no markers, no unseen characters."""
    return strip_markers(shown_characters(text))
