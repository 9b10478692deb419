from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('shares', '0005_embed_origins'),
    ]

    operations = [
        migrations.CreateModel(
            name='RetiredToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('public_id', models.CharField(db_index=True, max_length=16)),
                ('retired_at', models.DateTimeField()),
            ],
        ),
    ]
