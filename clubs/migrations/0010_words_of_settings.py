"""Names of settings and choices as the pages say them now: nothing changes in the database."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0009_words_of_fields'),
    ]

    operations = [
        migrations.AlterField(
            model_name='clubsettings',
            name='fixed_note',
            field=models.DecimalField(decimal_places=2, default=60, max_digits=5, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(100)], verbose_name='lowest note for a play spoiled by others'),
        ),
        migrations.AlterField(
            model_name='clubsettings',
            name='indexed',
            field=models.BooleanField(default=True, verbose_name='tournaments and rankings, in search engines'),
        ),
    ]
