from django.db import migrations


class Migration(migrations.Migration):
    """The API's tokens are signed and no longer stored: the table they were in would hold on to its users."""

    dependencies = [("clubs", "0003_names_are_seen")]

    operations = [migrations.RunSQL("DROP TABLE IF EXISTS authtoken_token", migrations.RunSQL.noop)]
