"""Accounts, and the words on how somebody is shown, belong to players and no longer to persons; questions between clubs.

Here the columns are added and filled; 0005 takes the old ones away.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from clubs.migrations._moving import check_keys, move_accounts, move_links, move_words


class Migration(migrations.Migration):
    dependencies = [("clubs", "0003_who_invited")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="account",
            field=models.ForeignKey(
                blank=True,
                editable=False,
                help_text="the account that is this player: clubs.accounts.players.tie",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="players",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="shownword",
            name="player",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="shown_words",
                to="clubs.player",
            ),
        ),
        migrations.AddField(
            model_name="personlink",
            name="asked_club",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="clubs.club"
            ),
        ),
        migrations.AddField(
            model_name="personlink", name="asked", field=models.CharField(blank=True, default="", max_length=160),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="personlink",
            name="one_agreed_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(model_name="personlink", name="one_agreed_at", field=models.DateTimeField(null=True)),
        migrations.AddField(
            model_name="personlink",
            name="other_agreed_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(model_name="personlink", name="other_agreed_at", field=models.DateTimeField(null=True)),
        migrations.AddField(
            model_name="personlink",
            name="refused_at",
            field=models.DateTimeField(
                help_text="the asked side said no: not shown to the club that asks", null=True
            ),
        ),
        migrations.AlterField(
            model_name="personlink",
            name="other",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="clubs.player"
            ),
        ),
        migrations.RunPython(move_links, migrations.RunPython.noop),
        migrations.RunPython(move_accounts, migrations.RunPython.noop),
        migrations.RunPython(move_words, migrations.RunPython.noop),
        migrations.RunPython(check_keys, migrations.RunPython.noop),
    ]
