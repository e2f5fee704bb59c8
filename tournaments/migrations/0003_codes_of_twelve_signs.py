from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0002_publication_compared_etuis"),
    ]

    operations = [
        migrations.AlterField(
            model_name="tabletoken",
            name="number",
            field=models.CharField(blank=True, max_length=12),
        ),
        migrations.AddField(
            model_name="registration",
            name="code",
            field=models.CharField(
                blank=True, help_text="the drawn password, which the club gives out", max_length=12
            ),
        ),
        migrations.AlterField(
            model_name="registration",
            name="password",
            field=models.CharField(
                blank=True, help_text="a digest of a chosen one, from before passwords were drawn", max_length=128
            ),
        ),
    ]
