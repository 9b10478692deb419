"""The audit trail: what is done is written down with it, and what is written stays."""

import hashlib
import json

import pytest
from django.core.management import CommandError
from django.db import DatabaseError, connection, transaction
from running_commands import refusal, run
from sessions import ACTOR, NOW, PublishRecords

from shareview.shares.audit import auditing, check_trail
from shareview.shares.models import AuditAction, AuditEntry, AuditHead, Share
from shareview.shares.publish import ShareTerms
from shareview.shares.revoke import revoke_shares
from shareview.snapshots.models import ErasureGuard
from shareview.snapshots.triggers import REFUSAL

pytestmark = pytest.mark.django_db


def write(count: int) -> None:
    with auditing(ACTOR, now=NOW) as audit:
        for number in range(count):
            audit.add(AuditAction.PAUSE, f"s-{number}", reason="because", details={"n": number})


def without_triggers(statement: str, *values: str) -> None:
    """What somebody does who owns the database."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE shares_auditentry DISABLE TRIGGER USER")
        else:
            cursor.execute("DROP TRIGGER refuse_update_shares_auditentry")
            cursor.execute("DROP TRIGGER refuse_delete_shares_auditentry")
        cursor.execute(statement, values)


def test_what_is_done_to_a_share_is_in_the_trail_with_who_when_why_and_from_where(publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl")
    revoke_shares(Share.objects.all(), reason="sent to the wrong list", actor=ACTOR, now=NOW)
    published, revoked = AuditEntry.objects.order_by("number")
    assert (published.action, published.subject) == ("publish", share.public_id)
    assert (revoked.action, revoked.subject, revoked.actor, revoked.address, revoked.reason, revoked.at) == (
        "revoke", share.public_id, "tester", "192.0.2.1", "sent to the wrong list", NOW,
    )  # fmt: skip


def test_the_trail_says_nothing_of_what_a_session_says_or_for_whom_it_is(publish: PublishRecords) -> None:
    publish("battery.en.jsonl", ShareTerms(title="Secret plan", recipients=["Acme Ltd"], watermark="Draft"))
    entry = AuditEntry.objects.get()
    said = json.dumps([entry.subject, entry.reason, entry.details])
    assert not any(word in said for word in ("Secret", "Acme", "Draft", "Sodium"))


def test_a_hash_covers_the_entry_and_the_hash_before_it() -> None:
    write(2)
    first, second = AuditEntry.objects.order_by("number")
    # Worked out by the words of the documentation: RFC 8785 puts the names in order and leaves no space.
    fields = (
        '{"action":"pause","actor":"tester","address":"192.0.2.1","at":"2026-01-05T12:00:00.000000+00:00",'
        f'"details":{{"n":1}},"number":2,"previous_hash":"{first.hash}","reason":"because","subject":"s-1"}}'
    )
    assert second.hash == hashlib.sha256(fields.encode()).hexdigest()
    assert first.previous_hash == ""


def test_an_untouched_trail_is_found_untouched() -> None:
    write(3)
    found = check_trail()
    assert (found.count, found.faults) == (3, ())
    assert found.head == f"3:{AuditEntry.objects.get(number=3).hash}"


@pytest.mark.parametrize("statement", ["UPDATE shares_auditentry SET reason = ''", "DELETE FROM shares_auditentry"])
def test_the_database_refuses_to_change_or_remove_an_entry_even_while_something_is_erased(statement: str) -> None:
    write(1)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT set_config('shareview.erasing', 'on', true)")
    ErasureGuard.objects.create(reason="open")
    with pytest.raises(DatabaseError, match=REFUSAL), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_a_changed_row_is_found() -> None:
    write(3)
    without_triggers("UPDATE shares_auditentry SET reason = %s WHERE number = 2", "another reason")
    assert check_trail().faults == ("entry 2 is not as it was written",)


def test_a_removed_row_is_found() -> None:
    write(4)
    without_triggers("DELETE FROM shares_auditentry WHERE number IN (2, 3)")
    assert check_trail().faults == ("entry 2 is missing (up to 3)",)


def test_a_trail_cut_short_is_found() -> None:
    write(3)
    without_triggers("DELETE FROM shares_auditentry WHERE number = 3")
    assert check_trail().faults == ("the last entry is 2, and the last that was written is 3",)


def test_an_inserted_row_is_found() -> None:
    write(2)
    last = AuditEntry.objects.get(number=2)
    AuditEntry.objects.create(
        number=3, at=NOW, actor="nobody", address="-", action="pause", subject="s-9", previous_hash=last.hash,
        hash="0" * 64,
    )  # fmt: skip
    assert check_trail().faults == (
        "entry 3 is not as it was written",
        "the last entry is 3, and the last that was written is 2",
    )


def test_a_whole_new_trail_does_not_lead_through_the_entry_that_was_noted() -> None:
    write(2)
    noted = check_trail().head
    without_triggers("DELETE FROM shares_auditentry WHERE number > 0")
    AuditHead.objects.update(number=0, hash="")
    with auditing(ACTOR, now=NOW) as audit:
        for number in range(2):
            audit.add(AuditAction.RESUME, f"s-{number}", details={})
    assert check_trail().faults == ()
    assert check_trail(noted).faults == (f"the trail does not lead through {noted}",)


def test_what_fails_leaves_no_entry() -> None:
    def fail() -> None:
        with auditing(ACTOR, now=NOW) as audit:
            audit.add(AuditAction.PAUSE, "s-1", details={})
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert AuditEntry.objects.count() == 0


def test_the_command_prints_the_head_to_be_noted_and_names_each_fault() -> None:
    write(2)
    out, err = run("check_audit")
    assert out.strip() == check_trail().head
    assert err == "2 entries are as they were written\n"
    without_triggers("UPDATE shares_auditentry SET actor = %s WHERE number = 1", "somebody else")
    with pytest.raises(CommandError):
        run("check_audit")
    sentence, status = refusal("check_audit")
    assert status == 1
    # On SQLite the triggers are gone as well, and on PostgreSQL switched off.
    assert sentence.endswith("faults in 2 entries")
