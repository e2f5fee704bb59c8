import datetime as dt

from tournaments.rules.clock import LONG_AGO, find_age

NOW = dt.datetime(2026, 10, 25, 2, 30, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)


def test_age_of_a_moment_is_the_time_since():
    assert find_age(NOW - HOUR, NOW) == HOUR
    assert find_age(NOW, NOW) == dt.timedelta()


def test_moment_ahead_of_the_clock_was_long_ago():
    assert find_age(NOW + dt.timedelta(microseconds=1), NOW) == LONG_AGO == dt.timedelta.max
