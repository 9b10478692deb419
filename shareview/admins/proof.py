"""The proof that a link is dead: the server asks itself for every address of a share, and shows what each answered."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from io import BytesIO
from typing import Final
from urllib.parse import quote, unquote_to_bytes, urlsplit

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from shareview.chat.turns import MessagePart
from shareview.pages.addresses import Door, PageAddresses
from shareview.pages.claims import document_of
from shareview.pages.conversations import all_claims
from shareview.pages.gate import Gate
from shareview.pages.inner_site import InnerSite
from shareview.pages.states import Cited, PageState
from shareview.shares.models import Share

MOST_OF_A_KIND: Final = 300
GONE: Final = 410
_TOKEN: Final = re.compile(r"((?:/|%2F)(?:s|embed)(?:/|%2F)[^/%]{6})[^/%]+")
_WAYS: Final[tuple[tuple[str, Mapping[str, str]], ...]] = (
    ("GET", {"HTTP_IF_NONE_MATCH": "*"}),
    ("HEAD", {}),
    ("GET", {"HTTP_HX_REQUEST": "true"}),
    ("GET", {"HTTP_ACCEPT_ENCODING": "br, gzip"}),
)
"""Each address is asked as a page whose copy a browser has, for its head alone, as a part of a page, and compressed.

The last is what the gate answers by itself; the others it leaves to the site.
"""


@dataclass(frozen=True)
class AddressKind:
    """Addresses of one kind; ``named`` tells it apart in the address patterns of ``pages.urls``."""

    title: str
    named: str
    paths: Sequence[str]


@dataclass(frozen=True)
class KindProof:
    """What the addresses of a kind answered: each with its statuses. ``count`` of them there are in all."""

    title: str
    count: int
    answers: Sequence[tuple[str, tuple[int, ...]]]

    @property
    def is_gone(self) -> bool:
        """Whether each said that the link has ended."""
        return all(status == GONE for _path, statuses in self.answers for status in statuses)

    @property
    def statuses(self) -> Sequence[int]:
        """The different statuses that were given."""
        return sorted({status for _path, statuses in self.answers for status in statuses})


@dataclass(frozen=True)
class Proof:
    """What every address of a share answered, when."""

    public_id: str
    asked_at: datetime
    kinds: Sequence[KindProof] = field(default_factory=tuple)

    @property
    def is_gone(self) -> bool:
        """Whether all said that the link has ended."""
        return all(kind.is_gone for kind in self.kinds)

    @property
    def count(self) -> int:
        """How many requests were answered."""
        return sum(len(statuses) for kind in self.kinds for _path, statuses in kind.answers)


def prove(public_id: str, kinds: Sequence[AddressKind], *, now: datetime) -> Proof:
    """Asks for all of ``kinds``, at most 300 of each, spread evenly over the share."""
    with translation.override(translation.get_language()):
        return Proof(public_id, now, [_prove_kind(kind) for kind in kinds])


def _prove_kind(kind: AddressKind) -> KindProof:
    every = -(-len(kind.paths) // MOST_OF_A_KIND) or 1
    asked = kind.paths[::every]
    return KindProof(kind.title, len(kind.paths), [(path, tuple(_ask(path, *way) for way in _WAYS)) for path in asked])


def addresses_of(share: Share) -> list[AddressKind]:
    """Every address that ``share`` has, on its own and in a frame."""
    return [kind for kind in _kinds(share) if kind.paths]


def addresses_of_token(token: str) -> list[AddressKind]:
    """What can be asked of a link whose share has another one now."""
    doors = [PageAddresses(token, door) for door in Door]
    return [
        AddressKind(_("page"), "page", [doors[0].page(PageState())]),
        AddressKind(_("in a frame"), "page", [doors[1].page(PageState())]),
        AddressKind(_("exports"), "export", [doors[0].export(ending) for ending in ("jsonl", "md", "txt")]),
    ]


def _kinds(share: Share) -> Iterator[AddressKind]:
    for door, where in ((Door.PAGE, ""), (Door.EMBED, _(" (in a frame)"))):
        addresses = PageAddresses(share.token(), door)
        home = addresses.page(PageState())
        yield AddressKind(_("page") + where, "page", [home, home.removesuffix("/"), *_states(share, addresses)])
        for title, named, paths in _parts(share, addresses):
            yield AddressKind(title + where, named, paths)
        yield AddressKind(_("preview image") + where, "preview", [addresses.preview()])
        yield AddressKind(_("any other address") + where, "nothing", [f"{home}anything"])
    link = quote(share.link(), safe="")
    yield AddressKind(_("oEmbed"), "oembed", [f"/oembed?url={link}&format=json"])


def _states(share: Share, addresses: PageAddresses) -> list[str]:
    plain = PageState()
    threads = [plain.in_thread(thread) for thread in share.snapshot.threads.values_list("thread", flat=True)]
    states = [PageState(everything=True), PageState(language="zh"), PageState(theme="dark"), *threads]
    states += [PageState(cited=Cited(message, 1)) for message in _answers(share)]
    return [addresses.page(state) for state in states]


def _answers(share: Share) -> list[str]:
    return list(share.snapshot.rendered.filter(part=MessagePart.ANSWER).values_list("message_id", flat=True))


def _parts(share: Share, addresses: PageAddresses) -> Iterator[tuple[str, str, list[str]]]:
    state, messages = PageState(), _answers(share)
    yield _("sources"), "sources", [addresses.sources(message, state) for message in messages]
    yield _("steps"), "steps", [addresses.steps(message, state) for message in messages]
    yield _("answers"), "article", [addresses.article(message, state, 1) for message in messages]
    yield _("answers as Markdown"), "markdown", [addresses.markdown(message) for message in messages]
    answers = all_claims(share.snapshot)
    yield _("claims"), "claims", [addresses.claims(answer.message, state) for answer in answers]
    spans = [(answer.message, claim.span.id) for answer in answers for claim in answer.claims]
    yield _("evidence cards"), "card", [addresses.card(message, span, state) for message, span in spans]
    documents = dict.fromkeys(document_of(block) for answer in answers for block in answer.artifact.blocks)
    yield _("document pages"), "document", [addresses.document(document, state) for document in documents]
    yield _("rounds"), "rounds", [addresses.rounds(PageState(part=1))]
    yield _("threads"), "thread", [addresses.thread(state)]
    yield _("search"), "search", [addresses.search(state), addresses.search(state, "a")]
    yield _("input for a model"), "model-input", [addresses.model_input(state)]
    files = share.snapshot.files.values_list("sha256", flat=True)
    yield _("files"), "file", [addresses.file(sha256) for sha256 in files]
    yield _("exports"), "export", [addresses.export(ending) for ending in ("jsonl", "md", "txt")]


def hidden_token(path: str) -> str:
    """``path`` with its token cut short: a proof is shown to others, and may be printed."""
    return _TOKEN.sub(r"\1…", path)


@cache
def _application() -> Gate:
    return Gate(InnerSite())


def _ask(path: str, method: str, headers: Mapping[str, str]) -> int:
    """The status that ``path`` answers, asked through everything that a request from outside goes through."""
    base = urlsplit(settings.SHAREVIEW_BASE_URL)
    route, _mark, query = path.partition("?")
    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": _as_wsgi(route),
        "QUERY_STRING": query,
        "SERVER_NAME": base.hostname or "",
        "SERVER_PORT": str(base.port or {"https": 443, "http": 80}[base.scheme]),
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": base.netloc,
        "HTTP_X_FORWARDED_PROTO": base.scheme,
        "HTTP_USER_AGENT": "",
        "REMOTE_ADDR": "127.0.0.1",
        "wsgi.url_scheme": base.scheme,
        "wsgi.input": BytesIO(),
        "wsgi.errors": BytesIO(),
        "wsgi.multithread": True,
        **headers,
    }
    statuses: list[int] = []
    for _piece in _application()(environ, lambda status, _headers: statuses.append(int(status[:3]))):
        pass
    return statuses[0]


def _as_wsgi(route: str) -> str:
    # PEP 3333: the decoded path's bytes, each as one character.
    return unquote_to_bytes(route).decode("latin-1")
