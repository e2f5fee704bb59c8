from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tournaments", "0040_free_auction_at_three_and_five"),
    ]

    operations = [
        migrations.AddField(
            model_name="tournament",
            name="drops_worst",
            field=models.BooleanField(default=False, verbose_name="the lowest marks of each team do not count"),
        ),
    ]
