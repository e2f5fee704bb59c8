"""The seasons of careers: years from September to August, the same for players of all clubs. All functions are pure."""

import datetime as dt

FIRST_MONTH = 9


def season_of(date: dt.date) -> int:
    """Return the year in which the season of a date began: 2026 for 20 November 2026 and for 31 August 2027."""
    return date.year if date.month >= FIRST_MONTH else date.year - 1


def first_day_of(season: int) -> dt.date:
    """Return the first day of the season that began in this year."""
    return dt.date(season, FIRST_MONTH, 1)


def last_day_of(season: int) -> dt.date:
    """Return the last day of the season that began in this year."""
    return first_day_of(season + 1) - dt.timedelta(days=1)
