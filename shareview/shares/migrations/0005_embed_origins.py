import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('shares', '0004_owner_dates_and_password'),
    ]

    operations = [
        migrations.CreateModel(
            name='ShareEmbed',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('origin', models.CharField(db_index=True, max_length=300, verbose_name='embed origin')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.AddField(
            model_name='shareembed',
            name='share',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='embeds', to='shares.share'),
        ),
        migrations.AddConstraint(
            model_name='shareembed',
            constraint=models.UniqueConstraint(fields=('share', 'origin'), name='one_embed_an_origin'),
        ),
    ]
