from django.db import migrations, models

from shareview.snapshots.triggers import RefuseChanges


class Migration(migrations.Migration):

    dependencies = [
        ('snapshots', '0007_words_for_the_admin'),
    ]

    operations = [
        migrations.AddField(
            model_name='snapshot',
            name='hidden_messages',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='snapshot',
            name='hidden_reasonings',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='snapshot',
            name='hidden_results',
            field=models.PositiveIntegerField(default=0),
        ),
        # SQLite rebuilds the table, and its triggers go with it.
        RefuseChanges(tables=("snapshots_snapshot",)),
    ]
