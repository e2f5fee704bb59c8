"""Names of fields and choices as the pages say them now: nothing changes in the database."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0008_usual_format'),
    ]

    operations = [
        migrations.AlterField(
            model_name='clubsettings',
            name='embedders',
            field=models.JSONField(blank=True, default=list, help_text='their origins: clubs.origins.read_origins', verbose_name='websites that may embed our rankings'),
        ),
        migrations.AlterField(
            model_name='clubsettings',
            name='etuis_per_position',
            field=models.PositiveSmallIntegerField(default=4, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(12)], verbose_name='étuis per position'),
        ),
        migrations.AlterField(
            model_name='clubsettings',
            name='fixed_note',
            field=models.DecimalField(decimal_places=2, default=60, max_digits=5, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(100)], verbose_name='lowest note for a play fouled by others'),
        ),
        migrations.AlterField(
            model_name='clubsettings',
            name='listed',
            field=models.BooleanField(default=True, verbose_name='the club, in the list on the home page'),
        ),
        migrations.AlterField(
            model_name='clubsettings',
            name='minutes_per_etui',
            field=models.PositiveSmallIntegerField(default=9, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(60)], verbose_name='minutes per étui'),
        ),
        migrations.AlterField(
            model_name='clubsettings',
            name='player_accounts',
            field=models.CharField(choices=[('none', 'for nobody'), ('link', 'by a personal link'), ('open', 'for anybody who asks by e-mail')], default='none', max_length=4, verbose_name='players’ accounts'),
        ),
        migrations.AlterField(
            model_name='clubsettings',
            name='shows_address',
            field=models.BooleanField(default=True, verbose_name='the club’s address and contact'),
        ),
        migrations.AlterField(
            model_name='clubsettings',
            name='shows_members',
            field=models.BooleanField(default=False, verbose_name='the list of members, those shown by name'),
        ),
        migrations.AlterField(
            model_name='personlink',
            name='reason',
            field=models.CharField(choices=[('licence', 'the same licence'), ('directors', 'confirmed by both clubs'), ('account', 'by their own account')], max_length=9),
        ),
    ]
