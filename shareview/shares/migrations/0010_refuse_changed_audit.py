from django.db import migrations

from shareview.snapshots.triggers import RefuseChanges


class Migration(migrations.Migration):

    dependencies = [
        ('shares', '0009_audit_trail'),
        ('snapshots', '0002_refuse_changes'),
    ]

    operations = [RefuseChanges(("shares_auditentry",), is_erasable=False)]
