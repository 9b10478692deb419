import django.db.models.deletion
import shareview.snapshots.full_text
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('snapshots', '0009_shown_versions'),
    ]

    operations = [
        migrations.CreateModel(
            name='SearchedPiece',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('words', shareview.snapshots.full_text.WordsField()),
                ('snapshot', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='searched', to='snapshots.snapshot')),
            ],
            options={
                'indexes': [models.Index(fields=['snapshot', 'position'], name='searched_message')],
            },
        ),
        shareview.snapshots.full_text.IndexWords(),
    ]
