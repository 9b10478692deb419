"""Erasing in the admin: asked twice, and proved."""

from django.test import Client
from sessions import PublishRecords

from shareview.shares.models import AuditEntry
from shareview.snapshots.models import Snapshot

LIST = "/admin/snapshots/snapshot/"


def test_erasing_asks_for_the_digest_and_a_reason_and_ends_with_the_proof(
    admin: Client, publish: PublishRecords, reader: Client
) -> None:
    share = publish("battery.en.jsonl")
    token, digest = share.token(), share.snapshot.digest
    action = {"action": "erase", "_selected_action": [share.snapshot_id]}
    asked = admin.post(LIST, action).content.decode()
    assert digest in asked
    assert share.public_id in asked
    wrong = admin.post(LIST, {**action, "confirmed": "yes", "digest": "00000000", "reason": "Art. 17"}).content.decode()
    assert "These are not the first eight characters of the digest." in wrong
    assert Snapshot.objects.count() == 1
    done = {**action, "confirmed": "yes", "digest": digest[:8].upper(), "reason": "Art. 17"}
    html = admin.post(LIST, done).content.decode()
    assert "requests were answered with 410 Gone." in html
    assert 'data-gone="false"' not in html
    assert Snapshot.objects.count() == 0
    assert reader.get(f"/s/{token}/").status_code == 410
    assert AuditEntry.objects.get(action="erase").reason == "Art. 17"


def test_sessions_are_erased_one_at_a_time(admin: Client, publish: PublishRecords) -> None:
    keys = [publish(name).snapshot_id for name in ("battery.en.jsonl", "deadline.zh.jsonl")]
    answer = admin.post(LIST, {"action": "erase", "_selected_action": keys, "confirmed": "yes"}, follow=True)
    assert "One at a time is erased." in answer.content.decode()
    assert Snapshot.objects.count() == 2
