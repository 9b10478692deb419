from django.db import migrations

ROLES = ("publisher", "admin", "auditor")


def make_groups(apps, schema_editor):
    group = apps.get_model("auth", "Group")
    for name in ROLES:
        group.objects.get_or_create(name=name)


class Migration(migrations.Migration):

    dependencies = [
        ('shares', '0010_refuse_changed_audit'),
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [migrations.RunPython(make_groups, migrations.RunPython.noop)]
