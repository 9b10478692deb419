"""Shares in the admin: found, changed after a question, proved to be dead."""

import re

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from sessions import ACTOR, NOW, TOKEN_KEY, FreezeRecords, PublishRecords
from signing_in import SignIn

from shareview.admins.share_actions import SHARE_ACTIONS
from shareview.shares.models import AuditEntry, Share, ViewDay
from shareview.shares.publish import ShareTerms, publish_snapshot
from shareview.shares.roles import Role
from shareview.shares.terms import rotate_shares

LIST = "/admin/shares/share/"


@pytest.fixture
def battery(publish: PublishRecords) -> Share:
    return publish("battery.en.jsonl", ShareTerms(recipients=["Acme Ltd"]))


def act(client: Client, action: str, *shares: Share, **answers: str) -> str:
    """The page after an action was confirmed."""
    data = {"action": action, "_selected_action": [share.pk for share in shares], "confirmed": "yes", **answers}
    answer = client.post(LIST, data, follow=True)
    assert answer.status_code == 200
    html: str = answer.content.decode()
    return html


def found(client: Client, term: str) -> list[str]:
    html = client.get(LIST, {"q": term}).content.decode()
    return re.findall(r"<strong>(s-\w+)</strong>", html)


@pytest.mark.parametrize("form", ["{}", "  {}?cite=4.1#src-4-1 ", "{}export.md"])
def test_a_pasted_link_finds_its_share(admin: Client, battery: Share, publish: PublishRecords, form: str) -> None:
    publish("deadline.zh.jsonl")
    assert found(admin, form.format(battery.link("https://share.example.org"))) == [battery.public_id]


def test_a_pasted_frame_address_a_token_and_an_old_link_find_it_too(admin: Client, battery: Share) -> None:
    old = battery.token()
    assert found(admin, f"https://share.example.org/embed/{old}/") == [battery.public_id]
    assert found(admin, old) == [battery.public_id]
    rotate_shares(
        Share.objects.all(), reason="", actor=ACTOR, now=NOW, token_key=TOKEN_KEY, random=lambda count: b"x" * count
    )
    assert found(admin, f"https://share.example.org/s/{old}/") == [battery.public_id]


@pytest.mark.parametrize("term", ["Sodium", "acme", "s-battery"])
def test_title_recipient_and_session_find_it(admin: Client, battery: Share, publish: PublishRecords, term: str) -> None:
    publish("deadline.zh.jsonl")
    assert found(admin, term) == [battery.public_id]


@pytest.mark.parametrize(
    ("query", "is_there"),
    [
        ("state=live", True), ("state=revoked", False), ("readers=recipient", True), ("readers=password", False),
        ("readers=embed", False), ("readers=none", True), ("snapshot__session_id=s-battery", True),
        ("snapshot__session_id=7", False), ("state=nonsense", True),
    ],
)  # fmt: skip
def test_filters_narrow_the_list(admin: Client, battery: Share, query: str, is_there: bool) -> None:
    assert (f"<strong>{battery.public_id}</strong>" in admin.get(f"{LIST}?{query}").content.decode()) is is_there


def test_the_list_asks_as_many_questions_for_many_shares_as_for_few(
    admin: Client, freeze: FreezeRecords, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    terms = ShareTerms(recipients=[f"Person {number}" for number in range(40)], embeds=["https://blog.example.org"])
    publish_snapshot(freeze("battery.en.jsonl").snapshot, terms, actor=ACTOR, now=NOW, token_key=TOKEN_KEY)
    with django_assert_max_num_queries(24):
        html = admin.get(LIST).content.decode()
    assert html.count('class="sparkline"') == 40


def test_an_action_first_says_what_will_happen_and_asks_why(admin: Client, battery: Share) -> None:
    html = admin.post(LIST, {"action": "revoke", "_selected_action": [battery.pk]}).content.decode()
    assert "answers “410 Gone” from the next request on" in html
    assert battery.public_id in html
    assert Share.objects.get().revoked_at is None


def test_without_a_reason_nothing_is_done(admin: Client, battery: Share) -> None:
    assert "This field is required." in act(admin, "revoke", battery, reason="  ")
    assert Share.objects.get().revoked_at is None


def test_a_revoked_link_is_proved_to_be_dead_at_every_address(admin: Client, battery: Share) -> None:
    html = act(admin, "revoke", battery, reason="sent to the wrong list")
    share = Share.objects.get()
    assert share.revoke_reason == "sent to the wrong list"
    assert re.search(r"All \d{2,} requests were answered with 410 Gone\.", html)
    assert 'data-gone="false"' not in html
    for kind in ("page", "sources", "exports", "preview image", "oEmbed", "page (in a frame)"):
        assert f">{kind}</th>" in html
    assert battery.token() not in html
    entry = AuditEntry.objects.get(action="revoke")
    assert (entry.actor, entry.address, entry.subject) == ("admin", "127.0.0.1", battery.public_id)


def test_an_action_passes_over_links_that_are_in_no_state_for_it(admin: Client, battery: Share) -> None:
    act(admin, "revoke", battery, reason="first")
    html = act(admin, "pause", battery, reason="second")
    assert "None of these links is in a state for that." in html
    assert AuditEntry.objects.filter(action="pause").count() == 0


def test_another_link_is_shown_and_the_old_one_is_dead(admin: Client, battery: Share, reader: Client) -> None:
    old = battery.token()
    html = act(admin, "rotate", battery, reason="left in a chat")
    new = Share.objects.get().token()
    assert f"/s/{new}/" in html
    assert f"The old link of {battery.public_id} answers 410, 410, 410." in html
    assert reader.get(f"/s/{old}/").status_code == 410
    assert reader.get(f"/s/{new}/").status_code == 200


def test_dates_are_extended(admin: Client, battery: Share) -> None:
    act(admin, "dates", battery, reason="more time", expires_at="2099-02-01T10:00")
    assert f"{Share.objects.get().expires_at:%Y-%m-%d %H:%M}" == "2099-02-01 10:00"
    html = admin.post(LIST, {"action": "dates", "_selected_action": [battery.pk]}).content.decode()
    assert 'value="2099-02-01T10:00"' in html


def test_an_end_in_the_past_is_refused(admin: Client, battery: Share) -> None:
    html = act(admin, "dates", battery, reason="oops", expires_at="2020-02-01T10:00")
    assert "A link must end after it begins, and in the time to come." in html
    assert Share.objects.get().expires_at is None


def test_pausing_closes_and_resuming_opens(admin: Client, battery: Share, reader: Client) -> None:
    act(admin, "pause", battery, reason="a question came up")
    assert reader.get(f"/s/{battery.token()}/").status_code == 403
    act(admin, "resume", battery, reason="answered")
    assert reader.get(f"/s/{battery.token()}/").status_code == 200


def test_a_password_is_set_and_taken_away(admin: Client, battery: Share, reader: Client) -> None:
    act(admin, "password", battery, reason="not for all", password="open sesame")
    assert reader.get(f"/s/{battery.token()}/").status_code == 401
    act(admin, "password", battery, reason="for all", password="")
    assert reader.get(f"/s/{battery.token()}/").status_code == 200


def test_the_page_of_a_share_shows_its_views_and_what_was_done_to_it(admin: Client, battery: Share) -> None:
    ViewDay.objects.create(share=battery, day=timezone.now().date(), views=3, crawler_views=2)
    act(admin, "pause", battery, reason="a question came up")
    html = admin.get(f"{LIST}{battery.pk}/change/").content.decode()
    assert f"{timezone.now():%Y-%m-%d}: 3 + 2" in html
    assert "a question came up" in html
    assert battery.link() in html


def test_a_live_share_has_nothing_to_prove(admin: Client, battery: Share) -> None:
    html = admin.get(f"{LIST}proof/?shares={battery.pk}").content.decode()
    assert f"{battery.public_id} can be read now: there is nothing to prove." in html


def test_nothing_of_a_share_can_be_edited_by_a_form(admin: Client, battery: Share) -> None:
    assert admin.post(f"{LIST}{battery.pk}/change/", {"title": "Another"}).status_code == 403
    assert admin.get(f"{LIST}add/").status_code == 403
    assert admin.post(f"{LIST}{battery.pk}/delete/").status_code == 403


def test_a_publisher_sees_and_ends_their_own_alone(sign_in: SignIn, freeze: FreezeRecords, admin: Client) -> None:
    publisher = sign_in(Role.PUBLISHER)
    owner = User.objects.get(username="publisher")
    snapshot = freeze("battery.en.jsonl").snapshot
    own, other = (
        publish_snapshot(snapshot, ShareTerms(owner=one), actor=ACTOR, now=NOW, token_key=TOKEN_KEY)[0]
        for one in (owner, None)
    )
    html = publisher.get(LIST).content.decode()
    assert own.public_id in html
    assert other.public_id not in html
    assert found(publisher, other.link()) == []
    assert publisher.get(f"{LIST}{other.pk}/change/").status_code == 302
    act(publisher, "revoke", own, other, reason="mine")
    assert Share.objects.get(pk=own.pk).revoked_at is not None
    assert Share.objects.get(pk=other.pk).revoked_at is None
    assert publisher.get(f"{LIST}proof/?shares={other.pk}").status_code == 404
    assert publisher.get(f"{LIST}proof/?shares={own.pk}").status_code == 200


HOSTILE = "<b>x</b> \" ' & {{ 7*7 }} %s %(id)s {}"


def test_titles_recipients_and_reasons_are_shown_and_never_run(admin: Client, publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl", ShareTerms(recipients=[HOSTILE], title=HOSTILE))
    pages = [admin.get(LIST), admin.get(f"{LIST}{share.pk}/change/")]
    pages += [admin.post(LIST, {"action": name.name, "_selected_action": [share.pk]}) for name in SHARE_ACTIONS]
    html = "".join(page.content.decode() for page in pages)
    html += act(admin, "rotate", share, reason=HOSTILE) + act(admin, "revoke", share, reason=HOSTILE)
    assert "&lt;b&gt;x&lt;/b&gt;" in html
    assert "<b>x" not in html


@pytest.mark.parametrize("query", ["q=%00", "state=%00", "snapshot__session_id=%00", "created_at__year=99999", "o=99"])
def test_an_address_that_makes_no_sense_breaks_nothing(admin: Client, query: str) -> None:
    assert admin.get(f"{LIST}?{query}").status_code in {200, 302, 400}
    assert admin.get(f"/admin/shares/auditentry/export.csv?{query}").status_code in {200, 302, 400}


@pytest.mark.parametrize("shares", ["", "x", "9" * 30, "-1", "1,,2", "%00"])
def test_a_proof_of_nothing_is_empty_or_not_there(admin: Client, shares: str) -> None:
    assert admin.get(f"{LIST}proof/?shares={shares}").status_code in {200, 404, 400}


@pytest.mark.parametrize("date", ["0001-01-01T00:00", "9999-12-31T23:59", "tomorrow", "2099-13-01T00:00"])
def test_dates_at_the_end_of_time_break_nothing(admin: Client, battery: Share, date: str) -> None:
    for field in ("starts_at", "expires_at"):
        act(admin, "dates", battery, **{"reason": "so", field: date})
        assert admin.get(LIST).status_code == 200


def test_whoever_may_only_look_at_a_share_neither_changes_it_nor_sees_its_link(sign_in: SignIn, battery: Share) -> None:
    client = sign_in(Role.PUBLISHER)
    User.objects.get(username=Role.PUBLISHER).groups.add(Group.objects.get(name=Role.AUDITOR))
    shown = client.get(f"{LIST}{battery.pk}/change/").content.decode()
    assert battery.public_id in shown
    assert battery.token() not in shown
    assert 'name="action" value="revoke"' not in shown
    act(client, "revoke", battery, reason="not mine")
    battery.refresh_from_db()
    assert battery.revoked_at is None
