import datetime as dt

from django.db import migrations, models
from django.db.models import F, Min


def begin_windows(apps, schema_editor):
    """What was published before there were windows has one too; its cards were shown."""
    Publication = apps.get_model("tournaments", "Publication")
    Session = apps.get_model("tournaments", "Session")
    Publication.objects.filter(status="provisional", official_from=None).update(
        official_from=F("published_at") + dt.timedelta(hours=48)
    )
    for session in Session.objects.annotate(first=Min("publications__published_at")).exclude(first=None):
        Session.objects.filter(pk=session.pk).update(cards_shown_at=session.first)


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0009_codes_of_links_and_devices_of_answers")]

    operations = [
        migrations.AddField(
            model_name="session",
            name="cards_shown_at",
            field=models.DateTimeField(blank=True, help_text="since when readers have known its cards", null=True),
        ),
        migrations.RunPython(begin_windows, migrations.RunPython.noop),
    ]
