from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('shares', '0007_views_by_day'),
    ]

    operations = [
        migrations.CreateModel(
            name='Stop',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('session', 'session'), ('owner', 'owner'), ('recipient', 'recipient'), ('origin', 'embed origin')], max_length=10, verbose_name='kind')),
                ('value', models.CharField(max_length=512, verbose_name='of which')),
                ('reason', models.TextField(verbose_name='reason')),
                ('stopped_at', models.DateTimeField(verbose_name='stopped')),
                ('stopped_by', models.CharField(max_length=200, verbose_name='stopped by')),
                ('ended', models.PositiveIntegerField(default=0, verbose_name='links ended')),
                ('lifted_at', models.DateTimeField(blank=True, null=True, verbose_name='lifted')),
                ('lifted_by', models.CharField(blank=True, max_length=200, verbose_name='lifted by')),
                ('lift_reason', models.TextField(blank=True, verbose_name='reason for lifting')),
            ],
            options={
                'verbose_name': 'stop',
                'verbose_name_plural': 'stops',
                'ordering': ['-pk'],
            },
        ),
        migrations.AddConstraint(
            model_name='stop',
            constraint=models.UniqueConstraint(condition=models.Q(('lifted_at__isnull', True)), fields=('kind', 'value'), name='one_stop_at_a_time'),
        ),
    ]
