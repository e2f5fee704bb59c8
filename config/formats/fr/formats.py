"""The French formats of dates, with “à” between day and hour, and with “1er” for the first day of a month.

The letter S of a format is the ending of the day’s number. Django has only the English endings, so this module adds the
French one.
"""

from django.utils.dateformat import DateFormat
from django.utils.translation import get_language

DATE_FORMAT = "jS F Y"
DATETIME_FORMAT = r"jS F Y \à H:i"
MONTH_DAY_FORMAT = "jS F"
SHORT_DATETIME_FORMAT = r"jS N Y \à H:i"
SHORT_DATE_FORMAT = "jS N Y"

in_english = DateFormat.S


def write_ending(date: DateFormat) -> str:
    """Return the ending of the day’s number in the reader’s language: in French “er” for 1, else nothing."""
    if (get_language() or "").startswith("fr"):
        return "er" if date.j() == 1 else ""
    return str(in_english(date))


DateFormat.S = write_ending  # type: ignore[assignment, method-assign]
