"""What a turn did before it answered, as the page shows it."""

import json
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from shareview.chat.messages import HiddenPart, Message, Role, Status, ToolCall
from shareview.citations.markers import strip_markers
from shareview.citations.registry import OPEN_PAGE, SEARCH, Retrieved, retrieved_pages
from shareview.citations.web_addresses import is_showable
from shareview.pages.attachments import AttachmentView
from shareview.pages.identifiers import html_id
from shareview.pages.left_out import arguments_left_out, left_out
from shareview.rendering.characters import shown_characters

_SHOWN_KEYS: Final = {
    SEARCH: {"query", "results", "total_results"},
    OPEN_PAGE: {"url", "title", "content", "content_length", "truncated"},
}
_ENTRY_KEYS: Final = {"title", "url", "content"}


@dataclass(frozen=True)
class FoundPage:
    """A page in a tool's result; ``address`` is empty where it may not be linked."""

    title: str
    address: str
    words: str


@dataclass(frozen=True)
class ResultView:
    """A tool's result: the pages it found, or its text; what the chat cut off, and who allowed the call."""

    html_id: str
    failed: bool
    pages: tuple[FoundPage, ...]
    text: str
    attachments: tuple[AttachmentView, ...]
    truncation: str
    approval: str
    reasoning: str
    status: str
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class CallView:
    """A tool call, what it was given, and what came back."""

    name: str
    arguments: tuple[tuple[str, str], ...]
    result: ResultView | None
    left_out: str


@dataclass(frozen=True)
class StepView:
    """A message before the answer: what was thought, said and called."""

    html_id: str
    reasoning: str
    body: str
    calls: tuple[CallView, ...]
    result: ResultView | None
    attachments: tuple[AttachmentView, ...]
    approval: str
    status: str
    left_out: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether the message holds nothing at all."""
        return not (
            self.reasoning or self.body or self.calls or self.result or self.attachments or self.status or self.left_out
        )


@dataclass(frozen=True)
class StepSource:
    """A step's message with its stored HTML."""

    message: Message
    html: str
    reasoning_html: str
    attachments: tuple[AttachmentView, ...] = ()


def step_views(steps: Sequence[StepSource]) -> tuple[StepView, ...]:
    """The steps in order, each result beside its call; a result that no call takes stands by itself."""
    results: dict[str, deque[StepSource]] = {}
    for step in steps:
        if step.message.role is Role.TOOL:
            results.setdefault(step.message.tool_call_id, deque()).append(step)
    calls = {
        step.message.id: tuple(_call(call, step.message, results) for call in step.message.tool_calls) for step in steps
    }
    left = {step.message.id for queue in results.values() for step in queue}
    return tuple(
        _step(step, calls[step.message.id])
        for step in steps
        if step.message.role is not Role.TOOL or step.message.id in left
    )


def _step(step: StepSource, calls: tuple[CallView, ...]) -> StepView:
    message = step.message
    alone = message.role is Role.TOOL
    return StepView(
        html_id=html_id(message.id),
        reasoning=step.reasoning_html,
        body="" if alone or not message.content.strip() else step.html,
        calls=calls,
        result=_result(step, "") if alone else None,
        attachments=() if alone else step.attachments,
        approval="" if alone else approval_text(message),
        status="" if message.status is Status.COMPLETED else message.status.value,
        left_out=() if alone else left_out(message),
    )


def _call(call: ToolCall, message: Message, results: dict[str, deque[StepSource]]) -> CallView:
    """A call, with the first result that answers it and that no call before has taken."""
    queue = results.get(call.id)
    return CallView(
        plain(call.name),
        _arguments(call.arguments),
        _result(queue.popleft(), call.name) if queue else None,
        arguments_left_out(message),
    )


def _arguments(text: str) -> tuple[tuple[str, str], ...]:
    """Names and texts where the arguments are nothing else, so that no number or repeated name is altered."""
    try:
        pairs = json.loads(text, object_pairs_hook=list)
    except (ValueError, RecursionError):
        pairs = None
    if isinstance(pairs, list) and all(isinstance(pair, tuple) and isinstance(pair[1], str) for pair in pairs):
        return tuple((plain(name), plain(value)) for name, value in pairs)
    return (("", plain(text)),) if text.strip() else ()


def _result(step: StepSource, tool: str) -> ResultView:
    message = step.message
    is_left_out = HiddenPart.CONTENT in message.hidden
    pages = _named_pages(message.content) if is_left_out else _pages(tool, message.content)
    return ResultView(
        html_id=html_id(message.id),
        failed=message.status is Status.FAILED or _is_error(message.content),
        pages=pages,
        text="" if pages or is_left_out else plain(message.content),
        attachments=step.attachments,
        truncation=_truncation(message),
        approval=approval_text(message),
        reasoning=step.reasoning_html if tool else "",
        status="" if message.status in (Status.COMPLETED, Status.FAILED) else message.status.value,
        left_out=left_out(message),
    )


def _pages(tool: str, content: str) -> tuple[FoundPage, ...]:
    """The pages of a web tool's result; none where that would leave out a part of what it found."""
    if tool not in _SHOWN_KEYS:
        return ()
    pages = tuple(_page(page) for page in retrieved_pages(tool, content))
    if not pages or not all(page.address for page in pages):
        return ()
    result = json.loads(content)
    entries = result.get("results", []) if tool == SEARCH else []
    whole = set(result) <= _SHOWN_KEYS[tool] and all(set(entry) <= _ENTRY_KEYS for entry in entries)
    return pages if whole and len(pages) == max(1, len(entries)) else ()


def _named_pages(content: str) -> tuple[FoundPage, ...]:
    """The pages that a result still names after it was left out: those that an answer cites."""
    return tuple(_page(page) for page in retrieved_pages(SEARCH, content) if page.url)


def _page(page: Retrieved) -> FoundPage:
    address = page.url if is_showable(page.url) else ""
    return FoundPage(plain(page.title or page.url), address, plain(page.text))


def _is_error(content: str) -> bool:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "error" in value and "results" not in value


def _is_cut(content: str) -> bool:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and value.get("truncated") is True


def _truncation(message: Message) -> str:
    if message.truncation is None:
        return _("The chat kept only the start of this result.") if _is_cut(message.content) else ""
    if message.truncation.original_length is None:
        return _("The chat kept only the start of this result.")
    return _("The chat kept only the start of this result of %(length)s characters.") % {
        "length": f"{message.truncation.original_length:,}"
    }


def approval_text(message: Message) -> str:
    """Who allowed or refused a call, in a line; empty where nobody was asked."""
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
    """A text as it is shown outside Markdown: no markers, no unseen characters, no half of a surrogate pair."""
    return strip_markers(shown_characters(text))
