from django.db import migrations

from shareview.snapshots.triggers import RefuseChanges


class Migration(migrations.Migration):
    dependencies = [("snapshots", "0004_annotation")]

    operations = [RefuseChanges(tables=("snapshots_annotationtrace", "snapshots_frozenartifact"))]
