"""The gate answers as the site does, to the header, and only what is certain."""

import gzip
from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from typing import Any

import brotli
import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client
from django.utils import timezone
from sessions import ACTOR, NOW, TOKEN_KEY, How, PublishRecords, turn

from shareview.pages import compositions
from shareview.pages.compositions import compose_share
from shareview.pages.gate import Gate
from shareview.pages.inner_site import InnerSite
from shareview.pages.models import ComposedPage
from shareview.shares.models import Share
from shareview.shares.publish import ShareTerms
from shareview.shares.revoke import revoke_shares
from shareview.shares.terms import change_password, pause_shares, rotate_shares
from shareview.shares.view_counts import VIEWS
from shareview.snapshots.shown_versions import note_change

BROWSER = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"
Answer = tuple[str, dict[str, str], bytes]


class Watched:
    """The site behind the gate, and how often it was asked."""

    def __init__(self) -> None:
        self.count = 0
        self._site = InnerSite()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        self.count += 1
        return self._site(environ, start_response)


def ask(application: Any, path: str, method: str = "GET", **headers: str) -> Answer:
    """Status, headers and body that ``application`` answers."""
    route, _, query = path.partition("?")
    environ = {
        "REQUEST_METHOD": method, "PATH_INFO": route, "QUERY_STRING": query, "SERVER_NAME": "testserver",
        "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "HTTP_HOST": "testserver", "REMOTE_ADDR": "127.0.0.1",
        "HTTP_ACCEPT_ENCODING": "br, gzip", "HTTP_ACCEPT_LANGUAGE": "en", "HTTP_USER_AGENT": BROWSER,
        "wsgi.url_scheme": "http", "wsgi.input": BytesIO(), "wsgi.errors": BytesIO(), "wsgi.version": (1, 0),
        "wsgi.multithread": True, "wsgi.multiprocess": True, "wsgi.run_once": False,
        **{f"HTTP_{name.upper()}": value for name, value in headers.items()},
    }  # fmt: skip
    started: list[tuple[str, dict[str, str]]] = []
    pieces = application(environ, lambda status, found, *_: started.append((status, dict(found))))
    return *started[0], b"".join(pieces)


@pytest.fixture
def site() -> Watched:
    return Watched()


@pytest.fixture
def gate(site: Watched) -> Gate:
    return Gate(site)


@pytest.fixture
def share(publish: PublishRecords) -> Iterator[Share]:
    share = publish(turn("One[^1^]."))
    compose_share(share, now=NOW)
    yield share
    VIEWS.forget()


def how() -> How:
    return {"reason": "", "actor": ACTOR, "now": timezone.now()}


def at(share: Share) -> str:
    return f"/s/{share.token()}/"


def test_a_composed_page_is_answered_without_the_site(gate: Gate, site: Watched, share: Share) -> None:
    first = ask(gate, at(share))
    second = ask(gate, at(share))
    assert site.count == 1, "it was asked once for the headers of such an answer"
    assert first == second
    assert (first[0], first[1]["Content-Encoding"]) == ("200 OK", "br")
    assert brotli.decompress(first[2]).decode() == Client().get(at(share)).content.decode()


def test_whoever_has_it_is_sent_nothing_by_a_process_that_has_not_answered_yet(gate: Gate, share: Share) -> None:
    tag = ask(Gate(InnerSite()), at(share))[1]["ETag"]
    assert ask(gate, at(share), if_none_match=tag)[0] == "304 Not Modified"


def test_a_share_that_was_not_composed_is_composed_by_its_first_reader(gate: Gate, site: Watched, share: Share) -> None:
    share.composed_pages.all().delete()
    assert ask(gate, at(share))[0] == "200 OK"
    assert list(share.composed_pages.values_list("view", "language")) == [("", "en")]
    for query in ("?theme=dark", "?part=7", "?open=4.steps", "?at=4"):
        ask(gate, at(share) + query)
    assert share.composed_pages.count() == 1


def test_what_changes_while_a_page_is_filled_makes_it_stale(
    gate: Gate, site: Watched, share: Share, monkeypatch: pytest.MonkeyPatch
) -> None:
    share.composed_pages.all().delete()
    fill = compositions.whole_page

    def fill_and_change(*args: Any) -> str:
        page = fill(*args)
        note_change(share.snapshot)
        return page

    monkeypatch.setattr(compositions, "whole_page", fill_and_change)
    ask(gate, at(share))
    monkeypatch.undo()
    assert share.composed_pages.count() == 1
    before = site.count
    ask(gate, at(share))
    assert site.count > before, "what was kept is not served"


def test_a_share_that_its_reader_composed_first_is_composed_again(gate: Gate, share: Share) -> None:
    kept = share.composed_pages.get(language="en")
    assert compose_share(share, now=NOW) == 2
    assert share.composed_pages.get(language="en").pk == kept.pk
    assert share.composed_pages.count() == 2


def test_before_static_files_are_collected_nothing_is_composed(share: Share, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staticfiles_storage, "hashed_files", {}, raising=False)
    assert compose_share(share, now=NOW) == 0


def test_its_headers_are_those_of_the_site(gate: Gate, share: Share) -> None:
    ours, theirs = ask(gate, at(share)), ask(InnerSite(), at(share))
    of_one = {"ETag", "Content-Length", "Content-Encoding"}
    assert {k: v for k, v in ours[1].items() if k not in of_one} == {
        k: v for k, v in theirs[1].items() if k not in of_one
    }


def test_whoever_has_it_is_sent_nothing(gate: Gate, site: Watched, share: Share) -> None:
    ask(gate, at(share))
    tag = ask(gate, at(share))[1]["ETag"]
    for asked in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        status, headers, body = ask(gate, at(share), if_none_match=asked)
        assert (status, body) == ("304 Not Modified", b"")
        assert (headers["ETag"], headers["Cache-Control"]) == (tag, "private, no-cache")
    assert ask(gate, at(share), if_none_match='"other"')[0] == "200 OK"
    assert site.count == 1


def test_a_head_has_the_length_of_the_page_and_no_body(gate: Gate, share: Share) -> None:
    ask(gate, at(share))
    whole, head = ask(gate, at(share)), ask(gate, at(share), "HEAD")
    assert head[1] == whole[1]
    assert head[2] == b""


def revoke() -> None:
    revoke_shares(Share.objects.all(), **how())


def expire() -> None:
    Share.objects.update(expires_at=timezone.now() - timedelta(days=1))


def pause() -> None:
    pause_shares(Share.objects.all(), **how())


def put_off() -> None:
    Share.objects.update(starts_at=timezone.now() + timedelta(days=1))


@pytest.mark.parametrize(
    ("close", "status"),
    [(revoke, "410 Gone"), (expire, "410 Gone"), (pause, "403 Forbidden"), (put_off, "403 Forbidden")],
)
@pytest.mark.parametrize("part", ["", "m/4/sources/", "export.md", "preview.png", "?theme=dark"])
def test_a_closed_share_is_answered_as_the_site_answers_it(
    gate: Gate, site: Watched, share: Share, close: Any, status: str, part: str
) -> None:
    tag = [ask(gate, at(share))[1]["ETag"] for _ in range(2)][1]
    close()
    first = ask(gate, at(share) + part, if_none_match=tag)
    again = ask(gate, at(share) + part, if_none_match=tag)
    assert first[0] == again[0] == status
    assert again[1:] == first[1:]
    assert again[1]["Cache-Control"] == "no-store"
    assert site.count == 2


@pytest.mark.parametrize("part", ["", "m/4/sources/", "export.md"])
def test_the_old_link_of_a_share_is_answered_as_the_site_answers_it(
    gate: Gate, site: Watched, share: Share, part: str
) -> None:
    old = at(share)
    rotate_shares(Share.objects.all(), token_key=TOKEN_KEY, random=lambda count: b"r" * count, **how())
    first, again = ask(gate, old + part), ask(gate, old + part)
    assert first == again
    assert first[0] == "410 Gone"
    assert site.count == 1


@pytest.mark.parametrize("path", ["/s/" + "x" * 32 + "/", "/s/x/m/4/sources/", "/s/%3Cscript%3E/export.md"])
def test_an_unknown_link_is_answered_as_the_site_answers_it(gate: Gate, site: Watched, share: Share, path: str) -> None:
    first, again = ask(gate, path), ask(gate, path)
    assert first == again
    assert first[0] == "404 Not Found"
    assert site.count == 1
    assert ask(gate, path, "HEAD")[2] == b""


def test_unknown_links_are_counted_at_the_gate(gate: Gate, site: Watched, share: Share) -> None:
    statuses = [ask(gate, f"/s/unknown-{n}/")[0] for n in range(62)]
    assert statuses == ["404 Not Found"] * 60 + ["429 Too Many Requests"] * 2
    assert ask(gate, at(share))[0] == "200 OK"


def test_a_password_is_the_sites_to_ask_for(gate: Gate, site: Watched, share: Share) -> None:
    ask(gate, at(share))
    change_password(Share.objects.all(), "open sesame", **how())
    assert [ask(gate, at(share))[0] for _ in range(2)] == ["401 Unauthorized"] * 2
    assert site.count == 3


def test_a_stale_page_is_never_served_and_made_anew(gate: Gate, site: Watched, share: Share) -> None:
    ask(gate, at(share))
    before = ask(gate, at(share))[1]["ETag"]
    note_change(share.snapshot)
    assert ask(gate, at(share))[1]["ETag"] != before
    assert site.count == 2
    ask(gate, at(share))
    assert site.count == 2
    ComposedPage.objects.update(version="of old")
    ask(gate, at(share))
    assert site.count == 3


def test_a_page_of_the_old_link_is_not_served_for_the_new_one(gate: Gate, site: Watched, share: Share) -> None:
    ask(gate, at(share))
    rotate_shares(Share.objects.all(), token_key=TOKEN_KEY, random=lambda count: b"r" * count, **how())
    share.refresh_from_db()
    page = gzip.decompress(ask(gate, at(share))[2])
    assert share.token().encode() in page
    assert site.count == 2


@pytest.mark.parametrize(
    "headers",
    [
        {"accept_encoding": "identity"}, {"accept_encoding": ""}, {"host": "evil.example"}, {"hx_request": "true"},
        {"cookie": "django_language=zh-hans"}, {"sec_purpose": "prefetch"},
    ],
)  # fmt: skip
def test_what_the_gate_is_not_sure_of_passes(gate: Gate, site: Watched, share: Share, headers: dict[str, str]) -> None:
    ask(gate, at(share))
    ask(gate, at(share), **headers)
    assert site.count == 2


def test_each_language_has_its_own(gate: Gate, share: Share) -> None:
    ask(gate, at(share))
    for accepted, tag in (("zh-CN,zh;q=0.9", "zh-Hans"), ("fr", "en"), ("en-GB", "en")):
        status, headers, _ = ask(gate, at(share), accept_language=accepted)
        assert (status, headers["Content-Language"]) == ("200 OK", tag)


def test_views_are_counted_at_the_gate(gate: Gate, share: Share) -> None:
    for _ in range(3):
        ask(gate, at(share))
    ask(gate, at(share), "HEAD")
    ask(gate, at(share), sec_fetch_site="same-origin")
    ask(gate, at(share), user_agent="Googlebot/2.1 (+http://www.google.com/bot.html)")
    VIEWS.write()
    share.refresh_from_db()
    assert (share.views, share.crawler_views) == (3, 1)


def test_every_part_and_thread_is_composed_in_each_language(publish: PublishRecords) -> None:
    records = [record for n in range(60) for record in turn(f"Answer {n}.", first=4 * n + 1)]
    share = publish(records, ShareTerms())
    assert compose_share(share, now=NOW) == 2 * 3
    assert set(share.composed_pages.values_list("view", flat=True)) == {"", "part=2", "part=3"}
