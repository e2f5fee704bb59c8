"""Columns for encrypted seeds and cards, and the digest by which copies of a set are found.

A later run of `manage.py rekey` encrypts the rows that exist, once the site has a key.
"""

from hashlib import sha256

import deals.secret
from django.conf import settings
from django.db import migrations, models


def fill_digests(apps, schema_editor):
    """Write the digest of each seed, by which the copies of a set are found from here on."""
    sets = apps.get_model('deals', 'DealSet').objects.exclude(seed='')
    for deal_set in sets.only('pk', 'seed').iterator():
        digest = sha256(b'TDGC' + bytes.fromhex(deal_set.seed)).hexdigest()
        sets.filter(pk=deal_set.pk).update(seed_digest=digest)


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0010_words_of_settings'),
        ('deals', '0002_words_of_fields'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='dealset',
            name='seed_digest',
            field=models.CharField(blank=True, db_index=True, max_length=64),
        ),
        migrations.AlterField(
            model_name='dealset',
            name='seed',
            field=deals.secret.SecretTextField(blank=True, help_text='hexadecimal; secret until every user of the set is through'),
        ),
        migrations.AlterField(
            model_name='etui',
            name='cards',
            field=deals.secret.SecretTextField(blank=True),
        ),
        migrations.RunPython(fill_digests, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='dealset',
            constraint=models.CheckConstraint(condition=models.Q(('seed', ''), models.Q(('seed_digest', ''), _negated=True), _connector='OR'), name='dealset_seed_with_digest'),
        ),
    ]
