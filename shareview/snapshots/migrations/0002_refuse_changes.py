from django.db import migrations

from shareview.snapshots.triggers import RefuseChanges


class Migration(migrations.Migration):
    dependencies = [("snapshots", "0001_tables")]

    operations = [
        RefuseChanges(
            tables=(
                "snapshots_snapshot",
                "snapshots_frozenrecord",
                "snapshots_frozenartifact",
                "snapshots_frozenfile",
                "snapshots_droppedcitation",
            )
        ),
    ]
