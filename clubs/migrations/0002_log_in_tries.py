from django.db import migrations, models

# the tables of the library axes, which an older database has; the first one refers to the second
TABLES = ('axes_accessattemptexpiration', 'axes_accessattempt', 'axes_accessfailurelog', 'axes_accesslog')


class Migration(migrations.Migration):

    dependencies = [
        ('clubs', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='LogInTry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(db_index=True, verbose_name='time')),
                ('name', models.CharField(max_length=255, verbose_name='account name')),
                ('address', models.GenericIPAddressField(null=True, verbose_name='network address')),
                ('agent', models.CharField(max_length=255, verbose_name='browser')),
                ('succeeded', models.BooleanField(verbose_name='logged in')),
            ],
            options={
                'verbose_name': 'try to log in',
                'verbose_name_plural': 'tries to log in',
                'ordering': ['-at', '-pk'],
            },
        ),
        migrations.RunSQL(
            [
                *(f'DROP TABLE IF EXISTS {table}' for table in TABLES),
                "DELETE FROM django_migrations WHERE app = 'axes'",
            ],
            migrations.RunSQL.noop,
        ),
    ]
