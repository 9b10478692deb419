import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('shares', '0003_opening_thread'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='share',
            name='owner',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='shares', to=settings.AUTH_USER_MODEL, verbose_name='owner'),
        ),
        migrations.AddField(
            model_name='share',
            name='password',
            field=models.CharField(blank=True, editable=False, max_length=200),
        ),
        migrations.AddField(
            model_name='share',
            name='paused_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='paused'),
        ),
        migrations.AddField(
            model_name='share',
            name='starts_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='begins'),
        ),
        migrations.AddConstraint(
            model_name='share',
            constraint=models.CheckConstraint(condition=models.Q(('starts_at__isnull', True), ('expires_at__isnull', True), ('expires_at__gt', models.F('starts_at')), _connector='OR'), name='expires_after_it_begins'),
        ),
    ]
