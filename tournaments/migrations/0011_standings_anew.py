"""Kept standings have more to say of each player than those of before: they are computed anew, from nothing."""

from django.db import migrations


def forget(apps, schema_editor):
    apps.get_model("tournaments", "SessionStandings").objects.update(results_version=0, sums={})


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0010_windows_of_publications")]
    operations = [migrations.RunPython(forget, migrations.RunPython.noop)]
