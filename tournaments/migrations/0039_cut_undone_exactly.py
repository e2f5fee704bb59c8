from django.db import migrations, models


def mark_rows_of_cuts(apps, schema_editor):
    """Mark the players whom earlier cuts have put on a list. Before, their rows had no mark."""
    applicants = apps.get_model("tournaments", "Applicant").objects.exclude(cut_rank=None)
    for session, made_at in apps.get_model("tournaments", "Cut").objects.values_list("session", "made_at"):
        applicants.filter(session=session, registered_at__gte=made_at, user=None, contact="").update(by_cut=True)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0038_cash_box")]

    operations = [
        migrations.AddField(
            model_name="applicant",
            name="by_cut",
            field=models.BooleanField(default=False, help_text="put on the list by the cut"),
        ),
        migrations.AddField(
            model_name="cut",
            name="places_before",
            field=models.PositiveSmallIntegerField(help_text="the places of registration before the cut", null=True),
        ),
        migrations.AddField(
            model_name="cut",
            name="was_open",
            field=models.BooleanField(help_text="whether registration was open before the cut", null=True),
        ),
        migrations.RunPython(mark_rows_of_cuts, migrations.RunPython.noop),
    ]
