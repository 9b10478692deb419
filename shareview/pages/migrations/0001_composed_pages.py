import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('shares', '0014_secrets_acknowledged'),
    ]

    operations = [
        migrations.CreateModel(
            name='ComposedPage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('view', models.CharField(max_length=700)),
                ('language', models.CharField(max_length=10)),
                ('version', models.CharField(max_length=64)),
                ('shown', models.PositiveBigIntegerField()),
                ('token_hash', models.CharField(max_length=64)),
                ('etag', models.CharField(max_length=64)),
                ('gzip', models.BinaryField()),
                ('brotli', models.BinaryField()),
                ('share', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='composed_pages', to='shares.share')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('share', 'view', 'language'), name='one_composition_a_view')],
            },
        ),
    ]
