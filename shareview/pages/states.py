"""The state of a page, read from its address: every state is an address, with and without JavaScript."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote, urlencode

from django.http import QueryDict

from shareview.chat.quotes import Selector
from shareview.pages.identifiers import card_id, html_id, source_id

THEMES: Final = ("light", "dark")
EVERYTHING: Final = "all"
LONGEST_PASSAGE: Final = 600
"""Code points of a passage that an address may name."""
_LONGEST_LIST: Final = 4_000


@dataclass(frozen=True)
class Cited:
    """The source of a message that was followed: ``k`` is its display number."""

    message: str
    k: int


@dataclass(frozen=True)
class ClaimPlace:
    """The claim of a message whose card is open."""

    message: str
    span: str


@dataclass(frozen=True)
class QuotePlace:
    """A quote of a question that was followed: ``number`` counts the question's quotes from 1."""

    message: str
    number: int


@dataclass(frozen=True)
class PageState:
    """What a reader asked to see. ``opened`` and ``folded`` hold ``MESSAGE.sources`` and ``MESSAGE.steps``."""

    thread: str = ""
    language: str = ""
    theme: str = ""
    cited: Cited | None = None
    claim: ClaimPlace | None = None
    quote: QuotePlace | None = None
    passage: Selector | None = None
    versions: str = ""
    opened: frozenset[str] = frozenset()
    folded: frozenset[str] = frozenset()
    everything: bool = False
    part: int = 0
    at: str = ""

    def is_open(self, message: str, what: str, *, by_itself: bool) -> bool:
        """Whether ``what`` of ``message`` is unfolded, given whether it is when nothing is asked."""
        name = _name(message, what)
        if name in self.folded:
            return False
        if self.everything or name in self.opened:
            return True
        if what == "sources" and self.cited and self.cited.message == message:
            return True
        return by_itself

    def opening(self, message: str, what: str) -> "PageState":
        """The state in which ``what`` of ``message`` is unfolded."""
        name = _name(message, what)
        return replace(self, opened=self.opened | {name}, folded=self.folded - {name}, at=message)

    def folding(self, message: str, what: str) -> "PageState":
        """The state in which ``what`` of ``message`` is folded."""
        name = _name(message, what)
        cited = None if self.cited and self.cited.message == message and what == "sources" else self.cited
        return replace(self, opened=self.opened - {name}, folded=self.folded | {name}, cited=cited, at=message)

    def citing(self, message: str, k: int) -> "PageState":
        """The state in which source ``k`` of ``message`` was followed."""
        return replace(
            self, cited=Cited(message, k), claim=None, folded=self.folded - {_name(message, "sources")}, at=""
        )

    def claiming(self, message: str, span: str) -> "PageState":
        """The state in which the card of a claim is open."""
        return replace(self, claim=ClaimPlace(message, span), cited=None, at="")

    def doing(self, asked: "PageState", message: str, what: str) -> "PageState":
        """This state, and in it what ``asked`` has of ``what`` of ``message``: followed, unfolded or folded."""
        if what == "sources" and asked.cited and asked.cited.message == message:
            return self.citing(message, asked.cited.k)
        if asked.is_open(message, what, by_itself=False):
            return self.opening(message, what)
        return self.folding(message, what)

    def place(self) -> str:
        """The id of the element that this state leads to; empty for the top of the page."""
        if self.cited:
            return source_id(self.cited.message, self.cited.k)
        if self.passage:
            return html_id(self.at)
        if self.claim:
            return card_id(self.claim.message)
        return html_id(self.at) if self.at else ""

    def at_message(self, message: str) -> "PageState":
        """The state that leads to ``message`` and asks for nothing else."""
        return replace(self.carried(), everything=self.everything, at=message)

    def in_thread(self, thread: str, *, at: str = "") -> "PageState":
        """The state that shows ``thread``, and leads to a message of it."""
        return PageState(thread=thread, language=self.language, theme=self.theme, everything=self.everything, at=at)

    def following(self, thread: str, quote: QuotePlace) -> "PageState":
        """The state in which ``quote`` was followed into ``thread``."""
        return replace(self.in_thread(thread), quote=quote)

    def showing_versions(self, message: str) -> "PageState":
        """The state in which the earlier versions of ``message`` are shown; none where it is empty."""
        return replace(self, versions=message, quote=None, passage=None, cited=None, claim=None)

    def carried(self) -> "PageState":
        """Only what every link carries on: thread, language, theme."""
        return PageState(thread=self.thread, language=self.language, theme=self.theme)

    def query(self) -> str:
        """The state as a query, with its ``?``; empty where nothing was asked."""
        pairs = {
            "thread": self.thread,
            "lang": self.language,
            "theme": self.theme,
            "part": str(self.part) if self.part else "",
            "at": self.at,
            "open": EVERYTHING if self.everything else ",".join(sorted(self.opened)),
            "fold": ",".join(sorted(self.folded)),
            "cite": f"{self.cited.message}.{self.cited.k}" if self.cited else "",
            "quote": f"{self.quote.message}.{self.quote.number}" if self.quote else "",
            "versions": self.versions,
            "exact": self.passage.exact if self.passage else "",
            "prefix": self.passage.prefix if self.passage else "",
            "suffix": self.passage.suffix if self.passage else "",
            "start": str(self.passage.start) if self.passage and self.passage.start is not None else "",
            "claim": f"{self.claim.message}.{self.claim.span.replace('.', '%2E')}" if self.claim else "",
        }
        return "?" + urlencode({name: value for name, value in pairs.items() if value}, safe=",", quote_via=quote)


def read_state(query: QueryDict) -> PageState:
    """The state that an address asks for; what cannot be read counts as not asked."""
    opened = _names(query, "open")
    return PageState(
        thread=query.get("thread", ""),
        language=query.get("lang", "")[:10],
        theme=query.get("theme", "") if query.get("theme") in THEMES else "",
        cited=_cited(query),
        claim=_claim(query),
        quote=_quote(query),
        passage=_passage(query),
        versions=query.get("versions", ""),
        opened=opened - {EVERYTHING},
        folded=_names(query, "fold"),
        everything=EVERYTHING in opened,
        part=read_number(query.get("part", "")),
        at=query.get("at", ""),
    )


def _name(message: str, what: str) -> str:
    # The comma parts the names of a list.
    return f"{message.replace(',', '%2C')}.{what}"


def read_number(text: str) -> int:
    """The whole number of at most six digits that ``text`` is, else 0."""
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 7 else 0


def _names(query: Mapping[str, str], name: str) -> frozenset[str]:
    asked = query.get(name, "")
    # Every link carries the list on: one that nobody could have opened by hand is not taken.
    return frozenset(filter(None, asked.split(","))) if len(asked) <= _LONGEST_LIST else frozenset()


def _claim(query: QueryDict) -> ClaimPlace | None:
    # Split at the last dot: a message's id may hold dots, a span's has them escaped.
    message, _, span = query.get("claim", "").rpartition(".")
    return ClaimPlace(message, span.replace("%2E", ".")) if message and span else None


def _quote(query: QueryDict) -> QuotePlace | None:
    message, _, number = query.get("quote", "").rpartition(".")
    return QuotePlace(message, read_number(number)) if message and read_number(number) else None


def _passage(query: QueryDict) -> Selector | None:
    """Words that a reader chose in the message that the address leads to."""
    words = query.get("exact", ""), query.get("prefix", ""), query.get("suffix", "")
    if not words[0].strip() or not query.get("at") or any(len(one) > LONGEST_PASSAGE for one in words):
        return None
    start = query.get("start", "")
    return Selector(*words, read_number(start) if start else None)


def _cited(query: QueryDict) -> Cited | None:
    # Split at the last dot: a message's id may hold dots.
    message, _, k = query.get("cite", "").rpartition(".")
    return Cited(message, read_number(k)) if message and read_number(k) else None
