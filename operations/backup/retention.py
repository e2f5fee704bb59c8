"""The choice of the backups that are kept: some of the last days, weeks and months, or the newest ones."""

import datetime as dt
from collections.abc import Collection

DAYS, WEEKS, MONTHS = 7, 4, 12
NEWEST = 10  # the number of backups that are kept on a laptop


def choose_by_calendar(moments: Collection[dt.datetime], *, now: dt.datetime) -> set[dt.datetime]:
    """Return the moments of the backups that are kept.

    They are the newest backup of each of the last 7 days, the last 4 weeks and the last 12 months. The present day,
    week and month are included. The newest backup of all is always kept. Days begin at midnight in the time zone of
    `now`.
    """
    today = now.date()
    days = {today - dt.timedelta(days=back) for back in range(DAYS)}
    weeks = {(today - dt.timedelta(weeks=back)).isocalendar()[:2] for back in range(WEEKS)}
    months = {divmod(today.year * 12 + today.month - 1 - back, 12) for back in range(MONTHS)}
    newest: dict[tuple[str, object], dt.datetime] = {}
    for moment in sorted(moments):
        day = moment.astimezone(now.tzinfo).date()
        month = (day.year, day.month - 1)
        for kind, value, last in (("day", day, days), ("week", day.isocalendar()[:2], weeks), ("month", month, months)):
            if value in last:
                newest[kind, value] = moment
    return {*newest.values(), *choose_newest(moments, 1)}


def choose_newest(moments: Collection[dt.datetime], count: int = NEWEST) -> set[dt.datetime]:
    return set(sorted(moments)[-count:])
