"""Names of fields and choices as the pages say them now: nothing changes in the database."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0008_format_of_a_tournament'),
    ]

    operations = [
        migrations.AlterField(
            model_name='registration',
            name='way',
            field=models.CharField(choices=[('word', 'anybody; a director accepts each name before it is shown'), ('password', 'anybody who has the club’s password'), ('account', 'anybody who is logged in')], default='word', max_length=8, verbose_name='who may sign up'),
        ),
        migrations.AlterField(
            model_name='resultentry',
            name='check_by',
            field=models.CharField(choices=[('none', 'no check'), ('same', 'on the same device, passed on'), ('other', 'on another device'), ('blind', 'blind second entry')], default='same', max_length=6),
        ),
        migrations.AlterField(
            model_name='session',
            name='check_by',
            field=models.CharField(choices=[('none', 'no check'), ('same', 'on the same device, passed on'), ('other', 'on another device'), ('blind', 'blind second entry')], default='same', max_length=6, verbose_name='check by the other side'),
        ),
        migrations.AlterField(
            model_name='session',
            name='etuis_per_position',
            field=models.PositiveSmallIntegerField(default=4, verbose_name='étuis per position'),
        ),
        migrations.AlterField(
            model_name='session',
            name='minutes_per_etui',
            field=models.PositiveSmallIntegerField(default=9, verbose_name='minutes per étui'),
        ),
        migrations.AlterField(
            model_name='session',
            name='stage',
            field=models.CharField(blank=True, choices=[('', 'all count the same'), ('qualifying', 'qualifying'), ('final', 'final')], default='', max_length=10, verbose_name='stage'),
        ),
        migrations.AlterField(
            model_name='tournament',
            name='best_of',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='number of best sessions that count'),
        ),
        migrations.AlterField(
            model_name='tournament',
            name='least_sessions',
            field=models.PositiveSmallIntegerField(default=1, verbose_name='smallest number of sessions'),
        ),
        migrations.AlterField(
            model_name='tournament',
            name='least_share',
            field=models.PositiveSmallIntegerField(default=50, verbose_name='smallest share of the étuis, in per cent'),
        ),
    ]
