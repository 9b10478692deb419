"""Stopping everything of something, and releasing it, in the admin."""

import pytest
from django.test import Client
from sessions import PublishRecords

from shareview.shares.models import Share, Stop
from shareview.shares.publish import ShareTerms
from shareview.shares.stops import StoppedError

ADD = "/admin/shares/stop/add/"
ASKED = {"kind": "session", "value": "s-battery", "reason": "a complaint"}


def test_what_ends_is_said_before_it_is_done(admin: Client, publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl")
    html = admin.post(ADD, ASKED).content.decode()
    assert "1 link ends" in html
    assert share.public_id in html
    assert Stop.objects.count() == 0


def test_a_stopped_session_is_published_again_only_after_its_release(admin: Client, publish: PublishRecords) -> None:
    publish("battery.en.jsonl")
    html = admin.post(ADD, {**ASKED, "confirmed": "yes"}, follow=True).content.decode()
    assert "Stopped; 1 link ended." in html
    with pytest.raises(StoppedError):
        publish("battery.en.jsonl")
    stop = Stop.objects.get()
    assert stop.stopped_by == "admin"
    action = {"action": "release", "_selected_action": [stop.pk]}
    assert "Links that ended stay ended." in admin.post("/admin/shares/stop/", action).content.decode()
    released = admin.post("/admin/shares/stop/", {**action, "reason": "settled", "confirmed": "yes"}, follow=True)
    assert "1 stop released." in released.content.decode()
    assert publish("battery.en.jsonl").revoked_at is None


def test_the_page_of_a_share_leads_to_stopping_all_of_its_kind(admin: Client, publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl", ShareTerms(recipients=["王 & Co"], embeds=["https://blog.example.org"]))
    html = admin.get(f"/admin/shares/share/{share.pk}/change/").content.decode()
    for query in (
        "kind=session&amp;value=s-battery",
        "kind=recipient&amp;value=%E7%8E%8B%20%26%20Co",
        "kind=origin&amp;value=https%3A%2F%2Fblog.example.org",
    ):
        assert f"{ADD}?{query}" in html
    assert 'value="王 &amp; Co"' in admin.get(f"{ADD}?kind=recipient&value=%E7%8E%8B%20%26%20Co").content.decode()


@pytest.mark.parametrize(("asked", "fault"), [
    ({**ASKED, "kind": "origin"}, "Expected an origin"),
    ({**ASKED, "reason": ""}, "This field is required."),
    ({**ASKED, "kind": "nonsense"}, "Select a valid choice."),
])  # fmt: skip
def test_a_stop_that_makes_no_sense_is_refused(admin: Client, asked: dict[str, str], fault: str) -> None:
    assert fault in admin.post(ADD, {**asked, "confirmed": "yes"}).content.decode()
    assert Stop.objects.count() == 0
    assert Share.objects.count() == 0
