"""What the API takes and gives."""

from datetime import UTC, datetime
from typing import Annotated, ClassVar, Final

from ninja import Schema
from pydantic import AfterValidator, AwareDatetime, ConfigDict, Field

from shareview.api.problems import FindingOut
from shareview.rendering.characters import shown_characters
from shareview.shares.embed_snippets import embed_address
from shareview.shares.models import PreviewDetail, Share
from shareview.shares.publish import WORDS_LIMIT

_LATEST: Final = datetime(2200, 1, 1, tzinfo=UTC)
_EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)


def _without_nul(text: str) -> str:
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise ValueError("characters that no database can hold")
    return text


def _not_blank(text: str) -> str:
    if not shown_characters(text).strip():
        raise ValueError("a name, or no recipient at all")
    return text


def _in_our_time(moment: datetime) -> datetime:
    if not _EARLIEST <= moment <= _LATEST:
        raise ValueError("a moment between 2000 and 2200")
    return moment


Text = Annotated[str, AfterValidator(_without_nul)]
Id = Annotated[Text, Field(min_length=1, max_length=512)]
Words = Annotated[Text, Field(max_length=WORDS_LIMIT)]
Name = Annotated[Text, Field(min_length=1, max_length=WORDS_LIMIT), AfterValidator(_not_blank)]
Reason = Annotated[Text, Field(max_length=1000)]
Moment = Annotated[AwareDatetime, AfterValidator(_in_our_time)]


class _In(Schema):
    model_config: ClassVar = ConfigDict(extra="forbid")


class FreezeQuery(_In):
    """How a session is frozen; the options of the `publish` command."""

    up_to: list[Id] = Field([], max_length=100, description="the last message that is shown; one a thread")
    thread: list[Id] = Field([], max_length=100, description="only this thread, with what it was forked from")
    show_system: bool = Field(False, description="SYSTEM messages too")
    hide: list[Annotated[str, Field(pattern="^(reasoning|tools)$")]] = Field(
        [], max_length=2, description="`reasoning`, `tools`: left out, and the page says so"
    )
    hide_message: list[Id] = Field([], max_length=100, description="messages that are left out")
    redact: bool = Field(False, description="takes secrets out")
    acknowledge: bool = Field(False, description="publishes secrets as they are")
    lenient: bool = Field(False, description="passes over bad message lines, and lists them")
    format: Annotated[str, Field(pattern="^native$")] = "native"


class LeftOut(Schema):
    """How much was left out."""

    messages: int
    results: int
    reasonings: int


class FrozenOut(Schema):
    """A frozen session. `frozen` is what it is published with, within a day, by the owner of the key alone."""

    frozen: str
    digest: str = Field(description="SHA-256 of its canonical lines")
    session: str
    title: str
    messages: int
    left_out: LeftOut
    preview: str = Field(description="shows it for an hour as a reader would see it; there is no link yet")
    is_redacted: bool = Field(description="whether findings were taken out")
    findings: list[FindingOut]
    notices: list[str] = Field(description="what was noticed while reading and checking it")


class PublishIn(_In):
    """The terms of a link, or of one for each recipient."""

    frozen: Annotated[Text, Field(max_length=1000)]
    title: Annotated[Text, Field(max_length=500)] = ""
    watermark: Words = ""
    recipients: list[Name] = Field([], max_length=100)
    thread: Annotated[Text, Field(max_length=512)] = ""
    starts_at: Moment | None = None
    expires_at: Moment | None = None
    password: Annotated[Words, Field(min_length=1)] | None = None
    embeds: list[Annotated[Text, Field(max_length=300)]] = Field([], max_length=20)
    link_preview: PreviewDetail = PreviewDetail.TITLE


class ShareOut(Schema):
    """A link and what became of it."""

    id: str
    link: str
    embed: str | None = Field(description="the address for a frame, where a site may show it in one")
    state: str = Field(description="`live`, `paused`, `not yet`, `revoked` or `expired`")
    title: str
    recipient: str
    watermark: str
    session: str
    digest: str
    thread: str
    owner: str | None
    created_at: datetime
    starts_at: datetime | None
    expires_at: datetime | None
    revoked_at: datetime | None
    revoke_reason: str
    is_protected: bool = Field(description="whether readers must know a password")
    embeds: list[str]
    link_preview: str
    views: int
    crawler_views: int
    last_viewed_at: datetime | None

    @classmethod
    def of(cls, share: Share, *, base_url: str, now: datetime) -> "ShareOut":
        """``share`` as it is at ``now``."""
        embeds = share.embed_origins()
        return cls(
            id=share.public_id,
            link=share.link(base_url),
            embed=embed_address(share, base_url) if embeds else None,
            state=share.state(now).value,
            title=share.shown_title,
            recipient=share.recipient,
            watermark=share.watermark,
            session=share.snapshot.session_id,
            digest=share.snapshot.digest,
            thread=share.thread,
            owner=share.owner.get_username() if share.owner else None,
            created_at=share.created_at,
            starts_at=share.starts_at,
            expires_at=share.expires_at,
            revoked_at=share.revoked_at,
            revoke_reason=share.revoke_reason,
            is_protected=bool(share.password),
            embeds=embeds,
            link_preview=share.preview,
            views=share.views,
            crawler_views=share.crawler_views,
            last_viewed_at=share.last_viewed_at,
        )


class SharesOut(Schema):
    """Links, the newest first."""

    shares: list[ShareOut]
    next: str | None = Field(None, description="`after` of the request for what follows")


class PreviewsOut(Schema):
    """An address for each link that would be made; each shows for an hour what that link would."""

    previews: list[str]


class ShareFilter(_In):
    """Which links are listed."""

    state: Annotated[str, Field(pattern="^(live|paused|not yet|revoked|expired)$")] | None = None
    session: Id | None = None
    recipient: Words | None = None
    after: Annotated[Text, Field(max_length=16)] | None = Field(None, description="the id that a list ended with")
    limit: int = Field(50, ge=1, le=100)


class ReasonIn(_In):
    """Why it is done; kept in the audit trail."""

    reason: Reason = ""


class ExtendIn(ReasonIn):
    """Until when a link can be read; `null` for no end."""

    expires_at: Moment | None
