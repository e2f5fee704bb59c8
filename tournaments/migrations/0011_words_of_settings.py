"""Names of settings and choices as the pages say them now: nothing changes in the database."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0010_bounds_of_date_and_hidden_positions'),
    ]

    operations = [
        migrations.AlterField(
            model_name='session',
            name='hidden_positions',
            field=models.PositiveSmallIntegerField(default=1, verbose_name='last positions without the ranking so far'),
        ),
        migrations.AlterField(
            model_name='session',
            name='shows_after',
            field=models.CharField(choices=[('nothing', 'nothing'), ('topage', 'the étui’s topage so far'), ('ranking', 'the ranking so far')], default='nothing', max_length=8, verbose_name='shown after an entry'),
        ),
        migrations.AlterField(
            model_name='tournament',
            name='federation',
            field=models.BooleanField(default=False, verbose_name='federation event'),
        ),
    ]
