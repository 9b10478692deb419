import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('shares', '0006_retired_tokens'),
    ]

    operations = [
        migrations.CreateModel(
            name='ViewDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('views', models.PositiveIntegerField(default=0)),
                ('crawler_views', models.PositiveIntegerField(default=0)),
            ],
            options={
                'ordering': ['day'],
            },
        ),
        migrations.AddField(
            model_name='share',
            name='crawler_views',
            field=models.PositiveBigIntegerField(default=0, verbose_name='views by crawlers'),
        ),
        migrations.AddField(
            model_name='share',
            name='last_viewed_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='last view'),
        ),
        migrations.AddField(
            model_name='viewday',
            name='share',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='view_days', to='shares.share'),
        ),
        migrations.AddConstraint(
            model_name='viewday',
            constraint=models.UniqueConstraint(fields=('share', 'day'), name='one_count_a_day'),
        ),
    ]
