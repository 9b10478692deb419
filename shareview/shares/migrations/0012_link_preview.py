from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('shares', '0011_groups_of_roles'),
    ]

    operations = [
        migrations.AddField(
            model_name='share',
            name='preview',
            field=models.CharField(choices=[('none', 'nothing'), ('title', 'title and date'), ('content', 'how the first answer begins, too')], default='title', max_length=8, verbose_name='link preview'),
        ),
    ]
