"""The database refuses to change what is frozen, on the database these tests run on."""

import pytest
from django.db import DatabaseError, connection, transaction
from sessions import NOW, FreezeRecords

from shareview.snapshots.models import FACT_TABLES, AnnotationTrace, ErasureGuard, FrozenRecord, Snapshot
from shareview.snapshots.protection import missing_triggers
from shareview.snapshots.triggers import REFUSAL


def refused(statement: str) -> bool:
    """Whether the database refuses ``statement`` as a change to frozen rows."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    except DatabaseError as error:
        return REFUSAL in str(error)
    return False


@pytest.fixture
def snapshot(freeze: FreezeRecords) -> Snapshot:
    image = {"name": "a.png", "media_type": "image/png", "data": "data:image/png;base64,iVBORw0KGgo="}
    forged = {"citations": [{"n": 9, "url": "https://forged.example/", "title": "x"}]}
    frozen = freeze(
        [
            {"id": 1, "role": "USER", "content": "Q", "metadata": {"attachments": [image]}},
            {"id": 2, "role": "TOOL", "tool_call_id": "none", "content": "x"},
            {"id": 3, "role": "ASSISTANT", "content": "A", "metadata": forged},
            {"kind": "citation_artifact", "message": 3, "version": 1, "status": "pending"},
        ]
    ).snapshot
    AnnotationTrace.objects.create(
        snapshot=frozen, message_id="3", purpose="annotate", made_at=NOW, span_count=1, block_count=1, input_tokens=1,
        output_tokens=1, latency_ms=1,
    )  # fmt: skip
    return frozen


@pytest.mark.parametrize("table", FACT_TABLES)
def test_a_frozen_row_cannot_be_updated(snapshot: Snapshot, table: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {table}")
        assert cursor.fetchone()[0] > 0
    assert refused(f"UPDATE {table} SET id = id")


@pytest.mark.parametrize("table", FACT_TABLES[1:])
def test_a_frozen_row_cannot_be_deleted(snapshot: Snapshot, table: str) -> None:
    assert refused(f"DELETE FROM {table}")


def test_the_models_cannot_change_a_frozen_row_either(snapshot: Snapshot) -> None:
    snapshot.title = "Another title"
    with pytest.raises(DatabaseError, match=REFUSAL), transaction.atomic():
        snapshot.save()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="INSERT OR REPLACE is SQLite's own")
def test_insert_or_replace_does_not_slip_past(snapshot: Snapshot) -> None:
    record = FrozenRecord.objects.filter(kind="message").first()
    assert record is not None
    assert refused(
        "INSERT OR REPLACE INTO snapshots_frozenrecord (id, snapshot_id, position, kind, record_id, line) "
        f"VALUES ({record.pk}, {snapshot.pk}, {record.position}, 'message', '{record.record_id}', 'forged')"
    )


@pytest.mark.skipif(connection.vendor != "postgresql", reason="TRUNCATE is PostgreSQL's own")
@pytest.mark.parametrize("table", FACT_TABLES)
def test_truncate_does_not_slip_past(snapshot: Snapshot, table: str) -> None:
    with connection.cursor() as cursor:
        # Deferred checks of the rows just written would refuse the TRUNCATE for a reason of their own.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    assert refused(f"TRUNCATE {table} CASCADE")


def test_erasing_on_purpose_may_delete_but_never_update(snapshot: Snapshot) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('shareview.erasing', 'on', true)")
    else:
        ErasureGuard.objects.create(reason="a test")
    assert refused("UPDATE snapshots_frozenrecord SET line = ''")
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM snapshots_frozenrecord")
        assert cursor.rowcount == 3


def test_derived_html_may_be_rebuilt(snapshot: Snapshot) -> None:
    assert not refused("UPDATE snapshots_renderedmessage SET html = ''")


def test_every_trigger_is_there(db: None) -> None:
    assert missing_triggers(FACT_TABLES) == []


def test_a_trigger_that_is_gone_is_named(db: None) -> None:
    on = " ON snapshots_frozenrecord" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER refuse_update_snapshots_frozenrecord{on}")
    assert missing_triggers(FACT_TABLES) == ["refuse_update_snapshots_frozenrecord"]
