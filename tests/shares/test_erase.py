"""Erasing for good: nothing of what was said is left, and the links answer as ended ever after."""

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction
from django.test import Client
from sessions import ACTOR, NOW, FreezeRecords, PublishRecords, turn

from shareview.shares.erase import erase_snapshot
from shareview.shares.models import AuditEntry, RetiredToken, Share
from shareview.shares.publish import ShareTerms
from shareview.snapshots.models import ErasureGuard, FrozenRecord, Snapshot
from shareview.snapshots.triggers import REFUSAL


def all_text() -> str:
    """Everything that the project's tables hold."""
    return str(
        [
            list(model._default_manager.values())
            for label in ("snapshots", "shares")
            for model in apps.get_app_config(label).get_models()
        ]
    )


def test_an_erased_session_is_in_no_table_any_more(publish: PublishRecords) -> None:
    share = publish("claims.zh.jsonl", ShareTerms(recipients=["Acme Ltd"], title="A title of its own"))
    publish("battery.en.jsonl")
    assert "Acme" in all_text()
    assert erase_snapshot(share.snapshot, reason="Art. 17", actor=ACTOR, now=NOW) == [share.public_id]
    left = all_text()
    assert "Acme" not in left
    assert "A title of its own" not in left
    assert "可信引用" not in left
    assert "Sodium" in left


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL's index goes with its rows, by VACUUM")
def test_its_words_are_in_no_block_of_the_search_index(publish: PublishRecords) -> None:
    share = publish([{**one, "content": f"{one['content']} Zanzibar 缓存"} for one in turn("One.")])
    publish("battery.en.jsonl")
    assert (words_in_index(b"anzibar"), words_in_index("缓".encode().hex()[1:].encode())) == (True, True)
    erase_snapshot(share.snapshot, reason="Art. 17", actor=ACTOR, now=NOW)
    assert (words_in_index(b"anzibar"), words_in_index("缓".encode().hex()[1:].encode())) == (False, False)
    assert words_in_index(b"odium")


def words_in_index(piece: bytes) -> bool:
    """Whether SQLite's index holds ``piece``; the first letters of a word may be shared with the word before."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT block FROM searched_words_data")
        return any(piece in bytes(block) for (block,) in cursor.fetchall())


def test_its_links_answer_as_ended(publish: PublishRecords, reader: Client) -> None:
    share = publish("battery.en.jsonl")
    token = share.token()
    erase_snapshot(share.snapshot, reason="Art. 17", actor=ACTOR, now=NOW)
    assert reader.get(f"/s/{token}/").status_code == 410
    assert reader.get(f"/s/{token}/export.jsonl").status_code == 410


def test_the_trail_keeps_ids_the_digest_and_the_reason(publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl")
    digest = share.snapshot.digest
    erase_snapshot(share.snapshot, reason="Art. 17", actor=ACTOR, now=NOW)
    entry = AuditEntry.objects.get(action="erase")
    assert (entry.subject, entry.reason) == ("session s-battery", "Art. 17")
    assert entry.details == {"digest": digest, "shares": [share.public_id]}
    assert AuditEntry.objects.filter(action="revoke", subject=share.public_id).exists()


def test_afterwards_the_database_refuses_again(publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl")
    publish("deadline.zh.jsonl")
    erase_snapshot(share.snapshot, reason="Art. 17", actor=ACTOR, now=NOW)
    assert ErasureGuard.objects.count() == 0
    with pytest.raises(DatabaseError, match=REFUSAL), transaction.atomic():
        FrozenRecord.objects.all().delete()


def test_what_fails_in_the_middle_erases_nothing(publish: PublishRecords, monkeypatch: pytest.MonkeyPatch) -> None:
    share = publish("battery.en.jsonl")

    monkeypatch.setattr("shareview.shares.erase.AuditAction", object())
    with pytest.raises(AttributeError):
        erase_snapshot(share.snapshot, reason="Art. 17", actor=ACTOR, now=NOW)
    monkeypatch.undo()
    assert Share.objects.get() == share
    assert FrozenRecord.objects.filter(snapshot=share.snapshot).exists()
    assert RetiredToken.objects.count() == 0
    with pytest.raises(DatabaseError, match=REFUSAL), transaction.atomic():
        FrozenRecord.objects.all().delete()


def test_an_erased_session_can_be_frozen_anew(freeze: FreezeRecords, publish: PublishRecords) -> None:
    share = publish("battery.en.jsonl")
    digest = share.snapshot.digest
    erase_snapshot(share.snapshot, reason="Art. 17", actor=ACTOR, now=NOW)
    assert freeze("battery.en.jsonl").snapshot.digest == digest
    assert Snapshot.objects.count() == 1
