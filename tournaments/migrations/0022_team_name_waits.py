from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0021_wide_index_of_appearances")]

    operations = [
        migrations.AddField(
            model_name="applicant",
            name="team_name_shown_at",
            field=models.DateTimeField(blank=True, help_text="since when everybody sees that name", null=True),
        ),
    ]
