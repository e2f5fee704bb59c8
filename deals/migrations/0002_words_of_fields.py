"""Names of fields and choices as the pages say them now: nothing changes in the database."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('deals', '0001_initial'),
    ]

    operations = [
        migrations.AlterField(
            model_name='dealset',
            name='value_name',
            field=models.CharField(blank=True, max_length=200, verbose_name='public value announced'),
        ),
    ]
