from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    replaces = [('rooms', name) for name in (
        '0002_programs_at_closing 0003_tables_for_four 0004_simple_names'
    ).split()]

    dependencies = [
        ('deals', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Room',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('half', 'half-hour'), ('day', 'étui of the day'), ('week', 'room of the week'), ('classic', 'classic')], max_length=10)),
                ('opens_at', models.DateTimeField()),
                ('closes_at', models.DateTimeField()),
                ('etuis', models.PositiveSmallIntegerField()),
                ('level', models.PositiveSmallIntegerField()),
                ('bots_version', models.CharField(max_length=20)),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('deal_set', models.OneToOneField(on_delete=models.PROTECT, related_name='room', to='deals.dealset')),
            ],
            options={
                'ordering': ['-opens_at', '-id'],
                'indexes': [models.Index(condition=models.Q(('closed_at', None)), fields=['closes_at'], name='room_to_close')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('kind', 'classic'), _negated=True), fields=('kind', 'opens_at'), name='room_departs_once'), models.CheckConstraint(condition=models.Q(('closes_at__gt', models.F('opens_at'))), name='room_closes_after_it_opens'), models.CheckConstraint(condition=models.Q(('etuis__gte', 1)), name='room_has_etuis')],
            },
        ),
        migrations.CreateModel(
            name='ClassicTerms',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hall', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('day', models.DateField(blank=True, null=True)),
                ('link', models.CharField(blank=True, max_length=32)),
                ('is_duplicate', models.BooleanField(default=True)),
                ('deals', models.PositiveSmallIntegerField(default=0)),
                ('score', models.PositiveSmallIntegerField(default=0)),
                ('clock', models.PositiveSmallIntegerField(default=45)),
                ('takes_over', models.BooleanField(default=False)),
                ('wait', models.PositiveSmallIntegerField(default=30)),
                ('room', models.OneToOneField(on_delete=models.CASCADE, related_name='terms', to='rooms.room')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('hall__isnull', False)), fields=('hall', 'day'), name='hall_once_a_day'), models.UniqueConstraint(condition=models.Q(('link', ''), _negated=True), fields=('link',), name='classic_link_once'), models.CheckConstraint(condition=models.Q(models.Q(('day__isnull', False), ('hall__isnull', False), ('link', '')), models.Q(('day', None), ('hall', None), models.Q(('link', ''), _negated=True)), _connector='OR'), name='classic_hall_or_link')],
            },
        ),
        migrations.CreateModel(
            name='RoomTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('is_filler', models.BooleanField(default=False)),
                ('room', models.ForeignKey(on_delete=models.CASCADE, related_name='tables', to='rooms.room')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('room', 'number'), name='room_table_number_once')],
            },
        ),
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('record', models.TextField(blank=True)),
                ('length', models.PositiveSmallIntegerField(default=0)),
                ('result', models.JSONField(blank=True, null=True)),
                ('score', models.SmallIntegerField(blank=True, null=True)),
                ('note', models.CharField(blank=True, max_length=40)),
                ('finished_by', models.CharField(blank=True, choices=[('hand', 'played by hand'), ('bot', 'finished by the bot')], max_length=4)),
                ('begun_at', models.DateTimeField()),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('bot_seats', models.CharField(blank=True, max_length=4)),
                ('etui', models.ForeignKey(on_delete=models.PROTECT, related_name='games', to='deals.etui')),
                ('table', models.ForeignKey(on_delete=models.CASCADE, related_name='games', to='rooms.roomtable')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('table', 'etui'), name='game_once_per_table'), models.CheckConstraint(condition=models.Q(models.Q(('finished_at', None), ('finished_by', ''), ('score', None)), models.Q(('finished_at__isnull', False), models.Q(('finished_by', ''), _negated=True), ('score__isnull', False)), _connector='OR'), name='game_finished_with_score')],
            },
        ),
        migrations.CreateModel(
            name='ClassicTable',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begins_at', models.DateTimeField()),
                ('turn_at', models.DateTimeField(blank=True, null=True)),
                ('ready', models.CharField(blank=True, max_length=4)),
                ('phrases', models.JSONField(blank=True, default=list)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('table', models.OneToOneField(on_delete=models.CASCADE, related_name='classic', to='rooms.roomtable')),
            ],
        ),
        migrations.CreateModel(
            name='Visitor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(blank=True, max_length=40)),
                ('simple_name', models.CharField(blank=True, max_length=80)),
                ('cookie_digest', models.CharField(blank=True, max_length=64)),
                ('is_program', models.BooleanField(default=False)),
                ('country', models.CharField(blank=True, max_length=60)),
                ('created_at', models.DateTimeField()),
                ('seen_at', models.DateTimeField()),
                ('reported_at', models.DateTimeField(blank=True, null=True)),
                ('hidden_at', models.DateTimeField(blank=True, null=True)),
                ('forgotten_at', models.DateTimeField(blank=True, null=True)),
                ('account', models.OneToOneField(blank=True, null=True, on_delete=models.CASCADE, related_name='visitor', to=settings.AUTH_USER_MODEL)),
                ('hidden_by', models.ForeignKey(blank=True, null=True, on_delete=models.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('account', None)), fields=['seen_at'], name='visitor_guest_seen'), models.Index(condition=models.Q(('simple_name', ''), _negated=True), fields=['simple_name'], name='visitor_simple_name')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('cookie_digest', ''), _negated=True), fields=('cookie_digest',), name='visitor_cookie_digest_once'), models.UniqueConstraint(condition=models.Q(('account', None), ('forgotten_at', None), models.Q(('name', ''), _negated=True)), fields=('name',), name='visitor_guest_name_once'), models.CheckConstraint(condition=models.Q(('account__isnull', False), models.Q(('cookie_digest', ''), _negated=True), ('forgotten_at__isnull', False), _connector='OR'), name='visitor_is_somebody'), models.CheckConstraint(condition=models.Q(('forgotten_at', None), models.Q(('account', None), ('cookie_digest', ''), ('name', '')), _connector='OR'), name='visitor_forgotten_without_name')],
            },
        ),
        migrations.CreateModel(
            name='RoomSeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('letter', models.CharField(choices=[('N', 'North'), ('E', 'East'), ('S', 'South'), ('W', 'West')], max_length=1)),
                ('is_solo', models.BooleanField(default=True)),
                ('joined_at', models.DateTimeField()),
                ('left_at', models.DateTimeField(blank=True, null=True)),
                ('away_at', models.DateTimeField(blank=True, null=True)),
                ('missed', models.PositiveSmallIntegerField(default=0)),
                ('notes_sum', models.CharField(blank=True, max_length=200)),
                ('deals', models.PositiveSmallIntegerField(default=0)),
                ('own_deals', models.PositiveSmallIntegerField(default=0)),
                ('is_guest', models.BooleanField(default=False)),
                ('is_program', models.BooleanField(default=False)),
                ('rank', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('left_out_at', models.DateTimeField(blank=True, null=True)),
                ('left_out_reason', models.CharField(blank=True, max_length=200)),
                ('left_out_by', models.ForeignKey(blank=True, null=True, on_delete=models.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('room', models.ForeignKey(on_delete=models.CASCADE, related_name='seats', to='rooms.room')),
                ('table', models.ForeignKey(on_delete=models.CASCADE, related_name='seats', to='rooms.roomtable')),
                ('visitor', models.ForeignKey(blank=True, null=True, on_delete=models.PROTECT, related_name='seats', to='rooms.visitor')),
            ],
            options={
                'ordering': ['table', 'letter'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_solo', True)), fields=('room', 'visitor'), name='room_seat_once_per_visitor'), models.UniqueConstraint(condition=models.Q(('left_at', None)), fields=('table', 'letter'), name='room_seat_one_at_a_time'), models.UniqueConstraint(condition=models.Q(('is_solo', False), ('left_at', None)), fields=('visitor',), name='room_seat_one_classic_table')],
            },
        ),
        migrations.CreateModel(
            name='VisitorEtui',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('shown_at', models.DateTimeField()),
                ('etui', models.ForeignKey(on_delete=models.PROTECT, related_name='visitors', to='deals.etui')),
                ('visitor', models.ForeignKey(on_delete=models.CASCADE, related_name='etuis_met', to='rooms.visitor')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('visitor', 'etui'), name='visitor_meets_etui_once')],
            },
        ),
    ]
