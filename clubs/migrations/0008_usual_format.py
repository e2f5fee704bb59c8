"""A club's usual evening names a format, as its tournaments do."""

from django.db import migrations, models

FORMATS = {"imposed": "individual", "free": "free_auction"}


def name_formats(apps, schema_editor):
    houses = apps.get_model("clubs", "ClubSettings").objects
    for auction, name in FORMATS.items():
        houses.filter(auction=auction).update(format=name)


def name_auctions(apps, schema_editor):
    houses = apps.get_model("clubs", "ClubSettings").objects
    for auction, name in FORMATS.items():
        houses.filter(format=name).update(auction=auction)


class Migration(migrations.Migration):

    dependencies = [
        ("clubs", "0007_who_may_embed"),
    ]

    operations = [
        migrations.AddField(
            model_name="clubsettings",
            name="format",
            field=models.CharField(default="individual", help_text="the name of a format: scoring.formats", max_length=20, verbose_name="contract"),
        ),
        migrations.RunPython(name_formats, name_auctions, elidable=False),
        migrations.RemoveField(model_name="clubsettings", name="auction"),
    ]
