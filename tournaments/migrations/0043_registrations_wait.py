from django.db import migrations, models


class Migration(migrations.Migration):
    """The setting by which new registrations wait for the director. Registrations that exist keep accepting people at once."""

    dependencies = [("tournaments", "0042_queued_mails")]

    operations = [
        migrations.AddField(
            "registration", "accepts_at_once", models.BooleanField(default=True, verbose_name="accept at once")
        ),
        migrations.AlterField(
            "registration", "accepts_at_once", models.BooleanField(default=False, verbose_name="accept at once")
        ),
        migrations.AddField(
            "applicant",
            "needs_acceptance",
            models.BooleanField(default=False, help_text="has no place before a director has accepted it"),
        ),
        migrations.AddField(
            "applicant",
            "address_digest",
            models.CharField(blank=True, help_text="a keyed digest of address and day", max_length=32),
        ),
    ]
