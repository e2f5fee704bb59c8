"""A tournament's format takes the place of its auction: the same two, by the names that standings files have."""

from django.db import migrations, models

FORMATS = {"imposed": "individual", "free": "free_auction"}


def name_formats(apps, schema_editor):
    tournaments = apps.get_model("tournaments", "Tournament").objects
    for auction, name in FORMATS.items():
        tournaments.filter(auction=auction).update(format=name)


def name_auctions(apps, schema_editor):
    """All were the format `individual` then, and the auction told them apart."""
    tournaments = apps.get_model("tournaments", "Tournament").objects
    for auction, name in FORMATS.items():
        tournaments.filter(format=name).update(format="individual", auction=auction)


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0007_feuilles_by_mail"),
    ]

    operations = [
        migrations.AlterField(
            model_name="tournament",
            name="format",
            field=models.CharField(choices=[("individual", "imposed Garde: the étui names the taker"), ("free_auction", "free auction: the table bids")], default="individual", max_length=20, verbose_name="contract"),
        ),
        migrations.RunPython(name_formats, name_auctions, elidable=False),
        migrations.RemoveField(model_name="tournament", name="auction"),
    ]
