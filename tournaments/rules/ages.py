"""The age of a stored moment, on a computer whose clock may have been set back.

The functions are pure: the present moment is passed in. A moment in the future counts as long ago. Otherwise code that
waits until the moment is old enough would wait too long: by as much as the clock was set back. Deadlines that people
were told, such as the last day of a link, do not use this.
"""

import datetime as dt

LONG_AGO = dt.timedelta.max


def find_age(moment: dt.datetime, now: dt.datetime) -> dt.timedelta:
    """Return how long ago the moment was, or `LONG_AGO` if it is in the future."""
    return now - moment if moment <= now else LONG_AGO
