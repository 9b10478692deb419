"""A preview before there is a link: what the reader will see, for an hour, and no share."""

from datetime import timedelta

import html5lib
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from page_reading import by_class, text
from running_commands import run
from sessions import ACTOR, NOW, TOKEN_KEY, FreezeRecords, Records, jsonl, turn

from shareview.pages.logs import without_secrets
from shareview.shares.drafts import draft_links
from shareview.shares.erase import erase_snapshot
from shareview.shares.models import Share, StopKind
from shareview.shares.publish import ShareTerms, publish_snapshot
from shareview.shares.revoke import revoke_shares
from shareview.shares.stops import stop_everything
from shareview.snapshots.models import Snapshot


@pytest.fixture
def snapshot(freeze: FreezeRecords) -> Snapshot:
    return freeze(turn("One[^1^].")).snapshot


def draft(snapshot: Snapshot, terms: ShareTerms | None = None, *, age: timedelta = timedelta()) -> str:
    """The path of a preview that was made ``age`` ago."""
    (link,) = draft_links(snapshot, terms or ShareTerms(), "", now=timezone.now() - age)
    return link


def test_a_preview_shows_what_the_reader_will_see(snapshot: Snapshot, reader: Client) -> None:
    path = draft(snapshot, ShareTerms(title="For the board", watermark="Draft", recipients=["Acme"]))
    page = reader.get(path).content.decode()
    assert '<h1 id="title" dir="auto">For the board</h1>' in page
    assert "Acme · Draft · preview · " in page
    assert 'class="draft-note"' in page
    assert 'property="og:' not in page


def test_every_part_of_a_preview_can_be_asked_for(snapshot: Snapshot, reader: Client) -> None:
    path = draft(snapshot)
    for part in ("m/4/sources/", "m/4/steps/", "export.md", "?open=all", "?cite=4.1", "search/?q=one"):
        response = reader.get(f"{path}{part}", headers={"HX-Request": "true"} if part.startswith("m/") else {})
        assert response.status_code == 200
        assert "/s/" not in response.content.decode().replace("</s", "")


def test_a_preview_makes_no_share_and_counts_no_view(snapshot: Snapshot, reader: Client) -> None:
    assert reader.get(draft(snapshot)).status_code == 200
    assert not Share.objects.exists()


@pytest.mark.parametrize(("minutes", "status"), [(59, 200), (61, 404)])
def test_a_preview_ends_within_an_hour(snapshot: Snapshot, reader: Client, minutes: int, status: int) -> None:
    assert reader.get(draft(snapshot, age=timedelta(minutes=minutes))).status_code == status


def test_a_forged_preview_is_none(snapshot: Snapshot, reader: Client) -> None:
    path = draft(snapshot)
    assert reader.get(path[:-3] + "xx/").status_code == 404
    assert reader.get("/preview/x/").status_code == 404


def test_a_preview_of_what_is_stopped_is_none(snapshot: Snapshot, reader: Client) -> None:
    path = draft(snapshot)
    stop_everything(StopKind.SESSION, snapshot.session_id, reason="x", actor=ACTOR, now=NOW)
    assert reader.get(path).status_code == 404


def test_a_preview_of_what_was_erased_is_none(snapshot: Snapshot, reader: Client) -> None:
    path = draft(snapshot)
    erase_snapshot(snapshot, reason="x", actor=ACTOR, now=NOW)
    assert reader.get(path).status_code == 404


def test_no_page_may_show_a_preview_in_a_frame(snapshot: Snapshot, reader: Client) -> None:
    policy = reader.get(draft(snapshot))["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy


def test_publish_prints_a_preview_for_each_recipient_and_no_link(db: None, tmp_path: object, reader: Client) -> None:
    records: Records = turn("One[^1^].")
    path = f"{tmp_path}/session.jsonl"
    with open(path, "wb") as file:  # noqa: PTH123 - a path in a text
        file.write(jsonl(records))
    out, _ = run(
        "publish", path, "--preview", "--recipient", "Acme", "--recipient", "王芳", "--base-url", "https://x.example"
    )
    lines = out.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("https://x.example/preview/") for line in lines)
    assert not Share.objects.exists()
    assert "王芳" in reader.get(lines[1].removeprefix("https://x.example")).content.decode()


def test_a_log_names_no_preview() -> None:
    assert without_secrets("GET /preview/abc:def/m/4 and /admin/try/abc:d/") == "GET /preview/…/m/4 and /admin/try/…/"


def test_the_note_stands_above_the_conversation(snapshot: Snapshot, reader: Client) -> None:
    tree = html5lib.parse(reader.get(draft(snapshot)).content.decode(), namespaceHTMLElements=False)
    assert text(by_class(tree, "draft-note")[0]).startswith("Preview: there is no link yet")


@pytest.mark.parametrize(("kind", "value"), [(StopKind.OWNER, "back-end"), (StopKind.RECIPIENT, "acme")])
def test_a_preview_of_a_stopped_owner_or_recipient_is_none(
    snapshot: Snapshot, reader: Client, kind: StopKind, value: str
) -> None:
    path = draft(snapshot, ShareTerms(owner=User.objects.create(username="back-end"), recipients=["Acme"]))
    assert reader.get(path).status_code == 200
    stop_everything(kind, value, reason="x", actor=ACTOR, now=NOW)
    assert reader.get(path).status_code == 404


def test_a_preview_ends_with_the_links_of_its_session(snapshot: Snapshot, reader: Client) -> None:
    path = draft(snapshot)
    publish_snapshot(snapshot, ShareTerms(), actor=ACTOR, now=NOW, token_key=TOKEN_KEY)
    revoke_shares(Share.objects.all(), reason="x", actor=ACTOR, now=timezone.now())
    assert reader.get(path).status_code == 404
    later = draft(snapshot, age=-timedelta(seconds=5))
    assert reader.get(later).status_code == 200
