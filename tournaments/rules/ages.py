"""The age of a stored moment, by a clock that may have been set back since. Pure; the present is passed in.

A moment in the future counts as long ago: otherwise, waiting until it is old enough would take as long as the clock has
fallen back. A deadline that people were told, such as the end of a window or the last day of a link, stays as it is.
"""

import datetime as dt

LONG_AGO = dt.timedelta.max


def find_age(moment: dt.datetime, now: dt.datetime) -> dt.timedelta:
    """Return how long ago the moment was, or `LONG_AGO` if it is in the future."""
    return now - moment if moment <= now else LONG_AGO
