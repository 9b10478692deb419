from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('shares', '0013_api_keys'),
    ]

    operations = [
        migrations.AlterField(
            model_name='auditentry',
            name='action',
            field=models.CharField(choices=[('publish', 'published'), ('revoke', 'revoked'), ('rotate', 'link replaced'), ('dates', 'dates changed'), ('pause', 'paused'), ('resume', 'resumed'), ('password', 'password changed'), ('stop', 'stopped'), ('release', 'released'), ('erase', 'erased'), ('export', 'trail exported'), ('secrets', 'secrets published as they are'), ('key made', 'API key made'), ('key ended', 'API key ended')], max_length=10, verbose_name='what'),
        ),
    ]
