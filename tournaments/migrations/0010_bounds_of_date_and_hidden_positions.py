"""The database holds a session's date and its hidden positions within their bounds, as forms and programs have long done.

Rows from before those bounds are brought within them first: a date to the nearest day, but a year of two digits to this
century. The log of the session says so, and calendars fetch the evening again.
"""

import datetime as dt

from django.db import migrations, models
from django.utils import timezone

FIRST, LAST, MOST_HIDDEN = dt.date(2000, 1, 1), dt.date(2099, 12, 31), 60


def bring_within_bounds(apps, schema_editor):
    database = schema_editor.connection.alias
    sessions = apps.get_model("tournaments", "Session").objects.using(database)
    log = apps.get_model("tournaments", "LogEntry").objects.using(database)
    now = timezone.now()

    def change(session, name, value):
        params = {"setting": name, "before": str(getattr(session, name)), "after": str(value)}
        log.create(session=session, at=now, action="edited", params=params)
        setattr(session, name, value)
        session.save(update_fields=[name])

    for session in sessions.filter(hidden_positions__gt=MOST_HIDDEN):
        change(session, "hidden_positions", MOST_HIDDEN)
    for session in sessions.exclude(date__range=(FIRST, LAST)):
        day = session.date
        if day.year < 100:
            day = day.replace(year=FIRST.year + day.year)
        change(session, "date", min(max(day, FIRST), LAST))
        sessions.filter(pk=session.pk).update(told_version=models.F("told_version") + 1, told_at=now)


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0009_words_of_fields"),
    ]

    operations = [
        migrations.RunPython(bring_within_bounds, migrations.RunPython.noop, elidable=False),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(condition=models.Q(("hidden_positions__range", (0, MOST_HIDDEN))), name="session_hidden_0_to_60"),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(condition=models.Q(("date__range", (FIRST, LAST))), name="session_date_2000_to_2099"),
        ),
    ]
