"""The snippet in the admin: shown where it will work, with a page at another origin that tries it out."""

import html
import re
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from sessions import PublishRecords
from signing_in import SignIn

from shareview.admins.trial import second_origin, trial_address
from shareview.shares.embed_snippets import embed_snippet
from shareview.shares.models import Share
from shareview.shares.publish import ShareTerms
from shareview.shares.roles import Role
from shareview.shares.trial_frames import trial_origins, trial_share, trial_ticket

BLOG = "https://blog.example.org"
LOCAL = "http://localhost:3000"
BASE = "http://127.0.0.1:8000"


@pytest.fixture(autouse=True)
def _base(settings: LazySettings) -> None:
    settings.SHAREVIEW_BASE_URL = BASE
    settings.ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]


@pytest.fixture
def share(publish: PublishRecords) -> Share:
    return publish("battery.en.jsonl", ShareTerms(embeds=[LOCAL], title='A "title" <b>'))


def page(client: Client, share: Share) -> str:
    text: str = client.get(f"/admin/shares/share/{share.pk}/change/").content.decode()
    return text


def test_the_snippet_is_the_frame_as_it_works(admin: Client, share: Share) -> None:
    found = re.search(r"<pre tabindex=\"0\"><code>(.*?)</code></pre>", page(admin, share), re.DOTALL)
    assert found is not None
    assert html.unescape(found[1]) == (
        f'<iframe src="{BASE}/embed/{share.token()}/" title="A &quot;title&quot; &lt;b&gt;" width="100%" height="600" '
        'loading="lazy" sandbox="allow-scripts allow-same-origin allow-forms allow-popups '
        'allow-popups-to-escape-sandbox" allow="clipboard-write" referrerpolicy="no-referrer" style="border:0">'
        f'</iframe>\n<script src="{BASE}/embed.js" async></script>'
    )


def test_the_origins_where_it_works_are_named(admin: Client, publish: PublishRecords, settings: LazySettings) -> None:
    share = publish("battery.en.jsonl", ShareTerms(embeds=[LOCAL, BLOG]))
    # A page that has https shows nothing that has not.
    assert f"<code>{BLOG}</code>" not in page(admin, share)
    assert f"<code>{LOCAL}</code>" in page(admin, share)
    settings.SHAREVIEW_BASE_URL = "https://share.example.org"
    assert f"<code>{BLOG}</code>" in page(admin, share)


def test_there_is_no_snippet_where_no_site_may_show_the_share(admin: Client, publish: PublishRecords) -> None:
    shown = page(admin, publish("battery.en.jsonl"))
    assert "&lt;iframe" not in shown
    assert "published without an embed origin" in shown


def test_there_is_no_snippet_of_a_share_that_cannot_be_read(admin: Client, share: Share) -> None:
    Share.objects.update(paused_at=timezone.now())
    shown = page(admin, share)
    assert "&lt;iframe" not in shown
    assert "It would not be shown now" in shown


def test_whoever_may_not_see_links_sees_no_snippet(sign_in: SignIn, share: Share) -> None:
    assert share.token() not in page(sign_in(Role.AUDITOR), share)


@pytest.mark.parametrize(
    ("base", "admin_host", "other"),
    [
        ("http://127.0.0.1:8000", "", "http://localhost:8000"),
        ("http://localhost", "", "http://127.0.0.1"),
        ("https://share.example.org", "admin.example.org", "https://admin.example.org"),
        ("https://share.example.org", "", ""),
    ],
)
def test_the_second_origin_is_another_name_of_this_site(
    settings: LazySettings, base: str, admin_host: str, other: str
) -> None:
    settings.SHAREVIEW_BASE_URL, settings.SHAREVIEW_ADMIN_HOST = base, admin_host
    assert second_origin() == other


def test_the_trial_page_shows_the_share_as_an_allowed_site_and_as_another(share: Share, reader: Client) -> None:
    address = trial_address(share)
    assert address.startswith("http://localhost:8000/admin/try/")
    answer = reader.get(address.removeprefix("http://localhost:8000"), headers={"host": "localhost:8000"})
    assert answer.status_code == 200
    frames = re.findall(r'<iframe src="([^"]+)"', answer.content.decode())
    ticket = address.rstrip("/").rsplit("/", 1)[-1]
    assert [html.unescape(frame) for frame in frames] == [
        f"{BASE}/embed/{share.token()}/?try={ticket}", f"{BASE}/embed/{share.token()}/",
    ]  # fmt: skip
    policy = answer["Content-Security-Policy"]
    assert f"frame-src {BASE}" in policy
    assert "frame-ancestors 'none'" in policy
    assert "Set-Cookie" not in answer.headers
    framed = reader.get(f"/embed/{share.token()}/?try={ticket}")["Content-Security-Policy"]
    assert f"frame-ancestors {LOCAL} http://localhost:8000" in framed


def test_the_trial_page_is_nowhere_else(share: Share, reader: Client) -> None:
    path = trial_address(share).removeprefix("http://localhost:8000")
    assert reader.get(path, headers={"host": "127.0.0.1:8000"}).status_code == 404
    assert reader.get("/admin/try/x/", headers={"host": "localhost:8000"}).status_code == 404


def test_a_ticket_is_for_one_share_and_ten_minutes(share: Share, publish: PublishRecords) -> None:
    now = timezone.now()
    ticket = trial_ticket(share, "http://localhost:8000", now=now)
    other = publish("deadline.zh.jsonl", ShareTerms(embeds=[LOCAL]))
    late = now + timedelta(minutes=11)
    assert trial_origins(share.token(), ticket, now=now) == ["http://localhost:8000"]
    assert trial_origins(other.token(), ticket, now=now) == []
    assert trial_origins(share.token(), ticket, now=late) == []
    assert trial_origins(share.token(), ticket[:-1], now=now) == []
    assert trial_share(ticket, now=late) is None


def test_a_snippet_has_the_size_that_it_is_given(share: Share) -> None:
    assert 'width="100%" height="600"' in embed_snippet(share, BASE)
