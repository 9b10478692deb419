"""What the templates of a conversation are given."""

from dataclasses import dataclass

from shareview.pages.attachments import AttachmentView
from shareview.pages.checks import CheckView
from shareview.pages.claims import ClaimsView, EvidenceView
from shareview.pages.quote_cards import ArrivalView, QuoteCardView
from shareview.pages.sources import SourcesView
from shareview.pages.steps import StepView


@dataclass(frozen=True)
class StepsView:
    """The steps before an answer; ``items`` is None while they are folded."""

    message: str
    html_id: str
    summary: str
    is_open: bool
    items: tuple[StepView, ...]
    toggle_href: str
    toggle_fragment: str


@dataclass(frozen=True)
class OriginView:
    """The thread that a message was inherited from."""

    title: str
    href: str
    fragment_address: str


@dataclass(frozen=True)
class VersionsView:
    """The versions of a message: ``count`` with the newest; ``href`` shows the earlier ones, or hides them."""

    count: int
    is_open: bool
    href: str
    fragment_address: str


@dataclass(frozen=True)
class MessageView:
    """A question or an answer."""

    id: str
    html_id: str
    role: str
    model: str
    created_at: object
    is_another_day: bool
    lang: str | None
    is_wide: bool
    body: str
    reasoning: str
    left_out: tuple[str, ...]
    citations: str
    claims: ClaimsView | None
    check: CheckView | None
    evidence: tuple[EvidenceView, ...]
    sources: SourcesView | None
    href: str
    markdown_href: str
    attachments: tuple[AttachmentView, ...]
    approval: str
    status: str
    quotes: tuple[QuoteCardView, ...] = ()
    arrival: ArrivalView | None = None
    origin: OriginView | None = None
    versions: VersionsView | None = None
    is_earlier: bool = False
    newest_href: str = ""
    newest_fragment: str = ""


@dataclass(frozen=True)
class EarlierView:
    """A piece of what was replaced: a message, or the steps of that time."""

    message: MessageView | None
    steps: StepsView | None


@dataclass(frozen=True)
class RoundView:
    """A question, what was done, and the answer; SYSTEM messages where they stood, before it or after."""

    number: int
    href: str
    before: tuple[MessageView, ...]
    question: MessageView | None
    steps: tuple[StepsView, ...]
    answer: MessageView | None
    later_steps: tuple[StepsView, ...]
    after: tuple[MessageView, ...]
    earlier_questions: tuple[EarlierView, ...] = ()
    earlier_answers: tuple[EarlierView, ...] = ()
    is_inherited: bool = False
    fork_title: str = ""
    fork_id: str = ""
