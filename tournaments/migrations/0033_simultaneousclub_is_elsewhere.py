"""The mark of clubs on other sites. Until now they were known by having no roles."""

from django.db import migrations, models


def mark_guests(apps, schema_editor):
    rows = apps.get_model("tournaments", "SimultaneousClub").objects
    guests = rows.filter(club__memberships=None, session__tournament__archive_key__isnull=False)
    rows.filter(pk__in=list(guests.values_list("pk", flat=True))).update(is_elsewhere=True)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0032_field_letters")]

    operations = [
        migrations.AddField("simultaneousclub", "is_elsewhere", models.BooleanField(default=False)),
        migrations.RunPython(mark_guests, migrations.RunPython.noop),
    ]
