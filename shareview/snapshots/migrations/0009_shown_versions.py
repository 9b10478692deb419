import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('snapshots', '0008_what_was_left_out'),
    ]

    operations = [
        migrations.CreateModel(
            name='ShownVersion',
            fields=[
                ('snapshot', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='shown_version', serialize=False, to='snapshots.snapshot')),
                ('number', models.PositiveBigIntegerField(default=0)),
            ],
        ),
    ]
