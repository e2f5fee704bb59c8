"""How old a stored moment is, by a clock that may have been set back since. Pure; the present is passed in.

A moment ahead of the clock was long ago: whoever waits until it is old enough would wait as long as the clock has
fallen back. A deadline that people were told, as the end of a window or the last day of a link, stays what it is.
"""

import datetime as dt

LONG_AGO = dt.timedelta.max


def find_age(moment: dt.datetime, now: dt.datetime) -> dt.timedelta:
    """Return how long ago the moment was; `LONG_AGO` where it is still to come."""
    return now - moment if moment <= now else LONG_AGO
