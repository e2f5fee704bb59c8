import deals.secret
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    replaces = [('deals', name) for name in (
        '0002_words_of_fields 0003_encrypted_cards 0004_sets_without_their_cards 0005_copies 0006_hours_of_copies'
        ' 0007_sets_without_a_club 0008_free_sets 0009_looks_by_bots'
    ).split()]

    dependencies = [
        ('clubs', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='DealSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120, verbose_name='name')),
                ('players', models.PositiveSmallIntegerField(default=4)),
                ('free', models.BooleanField(default=False)),
                ('seed', deals.secret.SecretTextField(blank=True, help_text='hexadecimal; secret until every user of the set is through')),
                ('seed_digest', models.CharField(blank=True, db_index=True, max_length=64)),
                ('seed_imported', models.BooleanField(default=False)),
                ('commitment', models.CharField(blank=True, max_length=64)),
                ('created_at', models.DateTimeField()),
                ('profile', models.CharField(blank=True, max_length=20, verbose_name='taker profile')),
                ('value_name', models.CharField(blank=True, max_length=200, verbose_name='public value announced')),
                ('value', models.CharField(blank=True, max_length=200, verbose_name='public value')),
                ('sealed_at', models.DateTimeField(blank=True, null=True)),
                ('revealed_at', models.DateTimeField(blank=True, null=True)),
                ('given_up_at', models.DateTimeField(blank=True, null=True)),
                ('played_on', models.DateField(blank=True, null=True)),
                ('opens_at', models.DateTimeField(blank=True, null=True)),
                ('held_until', models.DateTimeField(blank=True, null=True)),
                ('club', models.ForeignKey(blank=True, null=True, on_delete=models.CASCADE, related_name='deal_sets', to='clubs.club')),
                ('created_by', models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('master', models.ForeignKey(blank=True, null=True, on_delete=models.PROTECT, related_name='copies', to='deals.dealset')),
            ],
            options={
                'ordering': ['-created_at', '-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('master', None), ('seed', ''), _connector='OR'), name='dealset_copy_without_seed'), models.CheckConstraint(condition=models.Q(('seed', ''), models.Q(('commitment', ''), _negated=True), _connector='OR'), name='dealset_seed_with_commitment'), models.CheckConstraint(condition=models.Q(('seed', ''), models.Q(('seed_digest', ''), _negated=True), _connector='OR'), name='dealset_seed_with_digest'), models.CheckConstraint(condition=models.Q(('players__in', [3, 4, 5])), name='dealset_players_3_4_5'), models.CheckConstraint(condition=models.Q(('value', ''), models.Q(('value_name', ''), _negated=True), _connector='OR'), name='dealset_value_named_in_advance'), models.CheckConstraint(condition=models.Q(('revealed_at', None), models.Q(models.Q(('seed', ''), _negated=True), ('sealed_at__isnull', False)), _connector='OR'), name='dealset_reveals_a_sealed_seed'), models.CheckConstraint(condition=models.Q(('free', False), models.Q(('commitment', ''), ('master', None), ('played_on', None), ('profile', ''), ('sealed_at', None), ('seed', ''), ('value_name', '')), _connector='OR'), name='dealset_free_has_no_seed')],
            },
        ),
        migrations.CreateModel(
            name='DealLook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first_etui', models.PositiveSmallIntegerField()),
                ('last_etui', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(choices=[('seen', 'seen on the screen'), ('printed', 'printed'), ('exported', 'exported'), ('statistics', 'statistics'), ('seed', 'brought the seed'), ('bots', 'played by bots'), ('played', 'declared played')], default='seen', max_length=10)),
                ('document', models.CharField(blank=True, max_length=20)),
                ('looked_at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=models.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('deal_set', models.ForeignKey(on_delete=models.PROTECT, related_name='looks', to='deals.dealset')),
            ],
            options={
                'ordering': ['-looked_at', '-id'],
            },
        ),
        migrations.CreateModel(
            name='Etui',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(verbose_name='étui')),
                ('taker', models.CharField(blank=True, choices=[('N', 'North'), ('E', 'East'), ('S', 'South'), ('W', 'West'), ('F', 'Fifth')], max_length=1, verbose_name='taker')),
                ('dealer', models.CharField(blank=True, choices=[('N', 'North'), ('E', 'East'), ('S', 'South'), ('W', 'West'), ('F', 'Fifth')], max_length=1, verbose_name='dealer')),
                ('attempt', models.PositiveIntegerField(blank=True, null=True)),
                ('cards', deals.secret.SecretTextField(blank=True)),
                ('origin', models.CharField(choices=[('none', 'dealt at the table'), ('awaited', 'awaiting the public value'), ('generated', 'generated from the seed'), ('typed', 'typed from the diagrams'), ('imported', 'imported')], default='none', max_length=10)),
                ('deal_set', models.ForeignKey(on_delete=models.CASCADE, related_name='etuis', to='deals.dealset')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('deal_set', 'number'), name='etui_number_once_per_set'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='etui_number_from_1'), models.CheckConstraint(condition=models.Q(('cards', ''), models.Q(('origin__in', ['none', 'awaited']), _negated=True), _connector='OR'), name='etui_cards_with_origin'), models.CheckConstraint(condition=models.Q(models.Q(('dealer', ''), _negated=True), models.Q(('cards', ''), ('origin', 'none'), ('taker', '')), _connector='OR'), name='etui_without_dealer_is_a_number')],
            },
        ),
    ]
