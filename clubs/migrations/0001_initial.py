import clubs.models.accounts
import clubs.models.folded
import clubs.models.house
import clubs.models.shown_names
import datetime
import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    replaces = [('clubs', name) for name in (
        '0002_password_links 0003_who_invited 0004_rights_of_players 0005_players_own_rights 0006_series_and_ladies'
        ' 0007_who_may_embed 0008_usual_format 0009_words_of_fields 0010_words_of_settings 0011_numbers_of_erased_players'
        ' 0012_licences_of_a_list 0013_program_tokens 0014_rating_wish 0015_webhooks 0016_cash_box 0017_federation_lists'
    ).split()]

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='ErasedHolder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
            ],
        ),
        migrations.CreateModel(
            name='FirstRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key_digest', models.CharField(blank=True, editable=False, max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name='Person',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('shown', models.CharField(choices=[('name', 'by name'), ('initials', 'by initials'), ('hidden', 'hidden')], default='name', editable=False, max_length=8)),
            ],
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('access_version', models.PositiveIntegerField(default=0, editable=False, help_text='raised to end every session and token: accounts.changing.end_access')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'account',
                'verbose_name_plural': 'accounts',
                'abstract': False,
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120, validators=[clubs.models.shown_names.validate_name], verbose_name='name')),
                ('slug', models.SlugField(max_length=60, unique=True)),
                ('time_zone', models.CharField(blank=True, max_length=60, validators=[clubs.models.accounts.validate_zone], verbose_name='time zone')),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now, editable=False)),
                ('names_version', models.PositiveIntegerField(default=0, editable=False, help_text='raised by each write that changes a name shown: players.raise_names_version')),
                ('folded', clubs.models.folded.FoldedField(db_index=True, default='', editable=False, max_length=300, of=('name',))),
                ('practice_of', models.OneToOneField(blank=True, editable=False, null=True, on_delete=models.PROTECT, related_name='practice', to='clubs.club')),
            ],
            options={
                'verbose_name': 'club',
                'verbose_name_plural': 'clubs',
                'ordering': ['name'],
            },
        ),
        migrations.CreateModel(
            name='ClubLogEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('action', models.CharField(max_length=30)),
                ('params', models.JSONField(default=dict)),
                ('author', models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=models.CASCADE, related_name='log', to='clubs.club')),
            ],
            options={
                'ordering': ['-at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='ClubLogo',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('data', models.BinaryField()),
                ('digest', models.CharField(max_length=16)),
                ('club', models.OneToOneField(on_delete=models.CASCADE, related_name='logo', to='clubs.club')),
            ],
        ),
        migrations.CreateModel(
            name='ClubSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.TextField(blank=True, max_length=500, validators=[clubs.models.house.validate_address], verbose_name='address')),
                ('contact', models.EmailField(blank=True, max_length=254, verbose_name='e-mail address for visitors')),
                ('language', models.CharField(blank=True, choices=[('fr', 'French'), ('en', 'English')], max_length=2, verbose_name='language')),
                ('starts_at', models.TimeField(default=datetime.time(20, 30), verbose_name='beginning')),
                ('positions', models.PositiveSmallIntegerField(default=5, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(60)], verbose_name='positions')),
                ('etuis_per_position', models.PositiveSmallIntegerField(default=4, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(12)], verbose_name='étuis per position')),
                ('minutes_per_etui', models.PositiveSmallIntegerField(default=9, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(60)], verbose_name='minutes per étui')),
                ('fixed_note', models.DecimalField(decimal_places=2, default=60, max_digits=5, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(100)], verbose_name='lowest note for a play spoiled by others')),
                ('window_hours', models.PositiveSmallIntegerField(default=48, validators=[django.core.validators.MaxValueValidator(720)], verbose_name='hours until a ranking is official')),
                ('format', models.CharField(default='individual', help_text='the name of a format: scoring.formats', max_length=20, verbose_name='contract')),
                ('shows_address', models.BooleanField(default=True, verbose_name='the club’s address and contact')),
                ('player_accounts', models.CharField(choices=[('none', 'for nobody'), ('link', 'by a personal link'), ('open', 'for anybody who asks by e-mail')], default='none', max_length=4, verbose_name='players’ accounts')),
                ('listed', models.BooleanField(default=True, verbose_name='the club, in the list on the home page')),
                ('indexed', models.BooleanField(default=True, verbose_name='tournaments and rankings, in search engines')),
                ('shows_members', models.BooleanField(default=False, verbose_name='the list of members, those shown by name')),
                ('embedders', models.JSONField(blank=True, default=list, help_text='their origins: clubs.origins.read_origins', verbose_name='websites that may embed our rankings')),
                ('keeps_cash', models.BooleanField(default=False, verbose_name='a cash box at the evenings: fees, payments and prizes')),
                ('cash_years', models.PositiveSmallIntegerField(default=10, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(30)], verbose_name='years for which payments are kept')),
                ('told_version', models.PositiveIntegerField(default=0, editable=False, help_text='raised where its evenings say something else of the club in calendars')),
                ('told_at', models.DateTimeField(editable=False, null=True)),
                ('club', models.OneToOneField(on_delete=models.CASCADE, related_name='house', to='clubs.club')),
            ],
        ),
        migrations.CreateModel(
            name='LicenceList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file', models.CharField(max_length=200)),
                ('columns', models.JSONField(default=list)),
                ('read_at', models.DateTimeField()),
                ('club', models.OneToOneField(on_delete=models.CASCADE, related_name='licence_list', to='clubs.club')),
                ('read_by', models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('director', 'director'), ('helper', 'helper')], max_length=10, verbose_name='role')),
                ('ends_on', models.DateField(blank=True, null=True, verbose_name='last day')),
                ('club', models.ForeignKey(on_delete=models.CASCADE, related_name='memberships', to='clubs.club')),
                ('invited_by', models.ForeignKey(blank=True, editable=False, help_text='whose invitation gave the role', null=True, on_delete=models.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=models.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'role',
                'verbose_name_plural': 'roles',
                'constraints': [models.UniqueConstraint(fields=('user', 'club'), name='membership_once_per_club'), models.CheckConstraint(condition=models.Q(('role__in', ['director', 'helper'])), name='membership_role_known')],
            },
        ),
        migrations.CreateModel(
            name='PasswordLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('by_site', models.BooleanField(default=False, editable=False, help_text='made for the site, by its administrator or a command of its server')),
                ('made_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(null=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('access', models.CharField(editable=False, help_text='what sessions are held against: another password ends the link too', max_length=64)),
                ('club', models.ForeignKey(null=True, on_delete=models.CASCADE, related_name='password_links', to='clubs.club')),
                ('made_by', models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=models.CASCADE, related_name='password_links', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-made_at'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Player',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('last_name', models.CharField(max_length=80, validators=[clubs.models.shown_names.validate_name], verbose_name='family name')),
                ('first_name', models.CharField(blank=True, max_length=80, validators=[clubs.models.shown_names.validate_name], verbose_name='first name')),
                ('licence', models.CharField(blank=True, max_length=20, validators=[clubs.models.shown_names.validate_name], verbose_name='licence number')),
                ('category', models.CharField(blank=True, choices=[('youth', 'under 18'), ('junior', 'junior'), ('senior', 'senior'), ('veteran', 'veteran')], max_length=8, verbose_name='category')),
                ('series', models.CharField(blank=True, choices=[('1', 'series 1'), ('2', 'series 2'), ('3', 'series 3'), ('4', 'series 4'), ('promotion', 'promotion')], max_length=9, verbose_name='series')),
                ('ladies', models.CharField(blank=True, choices=[('ladies', 'ladies')], max_length=6, verbose_name='ladies’ ranking')),
                ('country', models.CharField(blank=True, max_length=60, validators=[clubs.models.shown_names.validate_name], verbose_name='country')),
                ('origin', models.CharField(blank=True, max_length=120, validators=[clubs.models.shown_names.validate_name], verbose_name='club of origin')),
                ('licence_until', models.DateField(blank=True, editable=False, null=True, verbose_name='last day of the licence')),
                ('member_until', models.DateField(blank=True, editable=False, null=True, verbose_name='member of the club until')),
                ('put_away_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('erasure_asked_at', models.DateTimeField(blank=True, editable=False, help_text='by the player’s own link', null=True)),
                ('erased_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('unrated_by_self', models.BooleanField(default=False, editable=False, help_text='the person’s own wish: no rating')),
                ('unrated_by_club', models.BooleanField(default=False, editable=False, help_text='a director’s wish for the player')),
                ('erased_number', models.PositiveBigIntegerField(blank=True, editable=False, help_text='the number by which an erased player is called: the row’s own, or that on the site of an archive', null=True)),
                ('folded', clubs.models.folded.FoldedField(db_index=True, default='', editable=False, max_length=300, of=('first_name', 'last_name'))),
                ('account', models.ForeignKey(blank=True, editable=False, help_text='the account that is this player: clubs.accounts.players.tie', null=True, on_delete=models.SET_NULL, related_name='players', to=settings.AUTH_USER_MODEL)),
                ('club', models.ForeignKey(on_delete=models.CASCADE, related_name='players', to='clubs.club')),
                ('merged_into', models.ForeignKey(blank=True, editable=False, null=True, on_delete=models.PROTECT, related_name='merged', to='clubs.player')),
                ('person', models.ForeignKey(editable=False, on_delete=models.PROTECT, related_name='players', to='clubs.person')),
            ],
            options={
                'verbose_name': 'player',
                'verbose_name_plural': 'players',
                'ordering': ['last_name', 'first_name', 'id'],
                'constraints': [models.UniqueConstraint(condition=models.Q(models.Q(('licence', ''), _negated=True), ('merged_into', None)), fields=('club', 'licence'), name='player_licence_once_per_club'), models.UniqueConstraint(condition=models.Q(('licence', ''), ('merged_into', None)), fields=('club', 'last_name', 'first_name'), name='player_name_once_per_club'), models.UniqueConstraint(condition=models.Q(('account__isnull', False), ('merged_into', None)), fields=('club', 'account'), name='player_account_once_per_club')],
            },
        ),
        migrations.CreateModel(
            name='PersonLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked', models.CharField(blank=True, max_length=160)),
                ('reason', models.CharField(choices=[('licence', 'the same licence'), ('directors', 'confirmed by both clubs'), ('account', 'by their own account')], max_length=9)),
                ('proposed_at', models.DateTimeField()),
                ('one_agreed_at', models.DateTimeField(null=True)),
                ('other_agreed_at', models.DateTimeField(null=True)),
                ('accepted_at', models.DateTimeField(help_text='when both sides had agreed: one person from then on', null=True)),
                ('refused_at', models.DateTimeField(help_text='the asked side said no: not shown to the club that asks', null=True)),
                ('ended_at', models.DateTimeField(help_text='taken back, undone, or not answered for 30 days', null=True)),
                ('accepted_by', models.ForeignKey(null=True, on_delete=models.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('asked_club', models.ForeignKey(null=True, on_delete=models.CASCADE, related_name='+', to='clubs.club')),
                ('ended_by', models.ForeignKey(null=True, on_delete=models.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('one_agreed_by', models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('other_agreed_by', models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('proposed_by', models.ForeignKey(null=True, on_delete=models.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('one', models.ForeignKey(on_delete=models.CASCADE, related_name='+', to='clubs.player')),
                ('other', models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name='+', to='clubs.player')),
            ],
            options={
                'ordering': ['-id'],
                'constraints': [models.CheckConstraint(condition=models.Q(('one', models.F('other')), _negated=True), name='person_link_of_two')],
            },
        ),
        migrations.CreateModel(
            name='LicenceChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('before', models.JSONField()),
                ('after', models.JSONField()),
                ('entry', models.ForeignKey(on_delete=models.CASCADE, related_name='licence_changes', to='clubs.clublogentry')),
                ('player', models.ForeignKey(on_delete=models.CASCADE, related_name='licence_changes', to='clubs.player')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='PlayerClaim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField()),
                ('club', models.ForeignKey(on_delete=models.CASCADE, related_name='claims', to='clubs.club')),
                ('user', models.ForeignKey(on_delete=models.CASCADE, related_name='claims', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['asked_at'],
                'constraints': [models.UniqueConstraint(fields=('club', 'user'), name='claim_once_per_club')],
            },
        ),
        migrations.CreateModel(
            name='PlayerLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('by_site', models.BooleanField(default=False, editable=False, help_text='made for the site, by its administrator or a command of its server')),
                ('made_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(null=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('made_by', models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=models.CASCADE, related_name='account_links', to='clubs.player')),
            ],
            options={
                'ordering': ['-made_at'],
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='PlayerMerge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('moved', models.JSONField(default=dict)),
                ('had', models.JSONField(default=dict)),
                ('gained', models.JSONField(default=dict, help_text='fields that were empty and took the other’s value')),
                ('at', models.DateTimeField()),
                ('undone_at', models.DateTimeField(null=True)),
                ('by', models.ForeignKey(on_delete=models.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('gone', models.ForeignKey(on_delete=models.CASCADE, related_name='+', to='clubs.player')),
                ('kept', models.ForeignKey(on_delete=models.CASCADE, related_name='+', to='clubs.player')),
                ('person', models.ForeignKey(help_text='who the gone one was', on_delete=models.PROTECT, related_name='+', to='clubs.person')),
                ('undone_by', models.ForeignKey(null=True, on_delete=models.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='ProgramToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80, validators=[clubs.models.shown_names.validate_name], verbose_name='name')),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('access', models.CharField(editable=False, help_text='what sessions are held against: another password ends the token too', max_length=64)),
                ('may_read', models.BooleanField()),
                ('may_enter', models.BooleanField()),
                ('may_direct', models.BooleanField()),
                ('made_at', models.DateTimeField()),
                ('ends_on', models.DateField(verbose_name='last day')),
                ('used_at', models.DateTimeField(help_text='the last use, up to ten minutes earlier than it was', null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('ended_by', models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('member', models.ForeignKey(on_delete=models.CASCADE, related_name='program_tokens', to='clubs.membership')),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('member', 'name'), name='program_token_name_once_in_use'), models.CheckConstraint(condition=models.Q(('may_read', True), ('may_enter', True), ('may_direct', True), _connector='OR'), name='program_token_has_a_scope')],
            },
        ),
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, validators=[clubs.models.shown_names.validate_name], verbose_name='name')),
                ('starts_on', models.DateField(verbose_name='first day')),
                ('ends_on', models.DateField(verbose_name='last day')),
                ('club', models.ForeignKey(on_delete=models.CASCADE, related_name='seasons', to='clubs.club')),
            ],
            options={
                'verbose_name': 'season',
                'verbose_name_plural': 'seasons',
                'ordering': ['-starts_on'],
                'constraints': [models.UniqueConstraint(fields=('club', 'name'), name='season_name_once_per_club'), models.CheckConstraint(condition=models.Q(('ends_on__gte', models.F('starts_on'))), name='season_ends_after_its_start')],
            },
        ),
        migrations.CreateModel(
            name='ShownWord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('shown', models.CharField(blank=True, choices=[('name', 'by name'), ('initials', 'by initials'), ('hidden', 'hidden')], help_text='empty where nothing is said any more', max_length=8)),
                ('own', models.BooleanField(help_text='the person’s own word, which no director takes back')),
                ('way', models.CharField(choices=[('account', 'Account'), ('link', 'Link'), ('director', 'Director')], max_length=8)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=models.CASCADE, related_name='shown_words', to='clubs.player')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(max_length=500, verbose_name='address')),
                ('on_published', models.BooleanField(default=True)),
                ('on_corrected', models.BooleanField(default=True)),
                ('on_official', models.BooleanField(default=True)),
                ('on_withdrawn', models.BooleanField(default=True)),
                ('key', models.CharField(editable=False, max_length=43, unique=True)),
                ('made_at', models.DateTimeField()),
                ('since', models.DateTimeField()),
                ('off_at', models.DateTimeField(null=True)),
                ('off_reason', models.CharField(blank=True, choices=[('unreached', 'five tries over a day have failed'), ('director', 'a director has switched it off')], max_length=10)),
                ('club', models.ForeignKey(on_delete=models.CASCADE, related_name='webhooks', to='clubs.club')),
                ('made_by', models.ForeignKey(on_delete=models.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('club', 'url'), name='webhook_address_once_per_club'), models.CheckConstraint(condition=models.Q(('on_published', True), ('on_corrected', True), ('on_official', True), ('on_withdrawn', True), _connector='OR'), name='webhook_has_an_event'), models.CheckConstraint(condition=models.Q(models.Q(('off_at', None), ('off_reason', '')), models.Q(('off_at__isnull', False), models.Q(('off_reason', ''), _negated=True)), _connector='OR'), name='webhook_off_with_reason')],
            },
        ),
        migrations.CreateModel(
            name='WebhookCall',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('event', models.CharField(choices=[('published', 'published'), ('corrected', 'corrected'), ('official', 'official'), ('withdrawn', 'withdrawn'), ('trial', 'trial')], max_length=10)),
                ('kind', models.CharField(max_length=12)),
                ('owner', models.PositiveBigIntegerField()),
                ('version', models.PositiveIntegerField()),
                ('made_at', models.DateTimeField()),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('tried_at', models.DateTimeField(null=True)),
                ('next_at', models.DateTimeField(null=True)),
                ('code', models.PositiveSmallIntegerField(null=True)),
                ('fault', models.CharField(blank=True, choices=[('answer', 'the answer is not a success'), ('redirect', 'the address sends elsewhere, and this is not followed'), ('time', 'no answer within five seconds'), ('long', 'the answer is longer than 64 KB'), ('unknown', 'no server has this name'), ('private', 'this name leads to a private network'), ('certificate', 'the certificate is not valid for this name'), ('refused', 'the server could not be reached'), ('garbled', 'the answer is not HTTP'), ('hidden', 'the ranking is no longer shown, so nothing was sent')], max_length=12)),
                ('webhook', models.ForeignKey(on_delete=models.CASCADE, related_name='calls', to='clubs.webhook')),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(condition=models.Q(('next_at__isnull', False)), fields=['next_at'], name='webhook_calls_due')],
                'constraints': [models.UniqueConstraint(fields=('webhook', 'kind', 'owner', 'version'), name='webhook_call_once_per_version')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('by_site', models.BooleanField(default=False, editable=False, help_text='made for the site, by its administrator or a command of its server')),
                ('made_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(null=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('role', models.CharField(choices=[('director', 'director'), ('helper', 'helper')], max_length=10, verbose_name='role')),
                ('ends_on', models.DateField(blank=True, null=True, verbose_name='last day')),
                ('whom', models.CharField(blank=True, max_length=120, validators=[clubs.models.shown_names.validate_name], verbose_name='for whom')),
                ('club', models.ForeignKey(on_delete=models.CASCADE, related_name='invitations', to='clubs.club')),
                ('made_by', models.ForeignKey(null=True, on_delete=models.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-made_at'],
                'abstract': False,
                'constraints': [models.CheckConstraint(condition=models.Q(('role__in', ['director', 'helper'])), name='invitation_role_known')],
            },
        ),
        migrations.CreateModel(
            name='LicenceHolder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('licence', models.CharField(max_length=20)),
                ('key', models.CharField(max_length=20)),
                ('last_name', models.CharField(max_length=80)),
                ('first_name', models.CharField(blank=True, max_length=80)),
                ('category', models.CharField(blank=True, choices=[('youth', 'under 18'), ('junior', 'junior'), ('senior', 'senior'), ('veteran', 'veteran')], max_length=8)),
                ('series', models.CharField(blank=True, choices=[('1', 'series 1'), ('2', 'series 2'), ('3', 'series 3'), ('4', 'series 4'), ('promotion', 'promotion')], max_length=9)),
                ('until', models.DateField(null=True)),
                ('club_name', models.CharField(blank=True, max_length=120)),
                ('folded', clubs.models.folded.FoldedField(db_index=True, default='', editable=False, max_length=300, of=('first_name', 'last_name'))),
                ('list', models.ForeignKey(on_delete=models.CASCADE, related_name='holders', to='clubs.licencelist')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('list', 'key'), name='holder_licence_once_per_list')],
            },
        ),
    ]
