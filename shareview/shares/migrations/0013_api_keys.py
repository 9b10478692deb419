import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('shares', '0012_link_preview'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='auditentry',
            name='action',
            field=models.CharField(choices=[('publish', 'published'), ('revoke', 'revoked'), ('rotate', 'link replaced'), ('dates', 'dates changed'), ('pause', 'paused'), ('resume', 'resumed'), ('password', 'password changed'), ('stop', 'stopped'), ('release', 'released'), ('erase', 'erased'), ('export', 'trail exported'), ('key made', 'API key made'), ('key ended', 'API key ended')], max_length=10, verbose_name='what'),
        ),
        migrations.CreateModel(
            name='ApiKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('public_id', models.CharField(max_length=16, unique=True, verbose_name='id')),
                ('secret_hash', models.CharField(max_length=64)),
                ('scopes', models.JSONField(default=list, verbose_name='may')),
                ('created_at', models.DateTimeField(verbose_name='made')),
                ('expires_at', models.DateTimeField(blank=True, null=True, verbose_name='expires')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended')),
                ('last_used_at', models.DateTimeField(blank=True, null=True, verbose_name='last used')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='api_keys', to=settings.AUTH_USER_MODEL, verbose_name='owner')),
            ],
            options={
                'verbose_name': 'API key',
                'verbose_name_plural': 'API keys',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='IdempotentCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('value', models.CharField(max_length=200)),
                ('fingerprint', models.CharField(max_length=64)),
                ('began_at', models.DateTimeField(db_index=True)),
                ('result', models.JSONField(null=True)),
                ('key', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='calls', to='shares.apikey')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('key', 'value'), name='one_call_a_value')],
            },
        ),
    ]
