from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('shares', '0008_stops'),
    ]

    operations = [
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveBigIntegerField(unique=True, verbose_name='number')),
                ('at', models.DateTimeField(verbose_name='when')),
                ('actor', models.CharField(max_length=200, verbose_name='who')),
                ('address', models.CharField(max_length=100, verbose_name='from where')),
                ('action', models.CharField(choices=[('publish', 'published'), ('revoke', 'revoked'), ('rotate', 'link replaced'), ('dates', 'dates changed'), ('pause', 'paused'), ('resume', 'resumed'), ('password', 'password changed'), ('stop', 'stopped'), ('release', 'released'), ('erase', 'erased'), ('export', 'trail exported')], max_length=10, verbose_name='what')),
                ('subject', models.CharField(max_length=700, verbose_name='of what')),
                ('reason', models.TextField(blank=True, verbose_name='why')),
                ('details', models.JSONField(default=dict, verbose_name='details')),
                ('previous_hash', models.CharField(max_length=64)),
                ('hash', models.CharField(max_length=64, verbose_name='SHA-256')),
            ],
            options={
                'verbose_name': 'audit entry',
                'verbose_name_plural': 'audit trail',
                'ordering': ['-number'],
            },
        ),
        migrations.CreateModel(
            name='AuditHead',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveBigIntegerField(default=0)),
                ('hash', models.CharField(blank=True, max_length=64)),
            ],
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['subject'], name='entries_of_subject'),
        ),
    ]
