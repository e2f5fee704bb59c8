"""The choice of the backups that stay, on a server by the calendar and on a laptop the newest ones."""

import datetime as dt
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from operations.backup.scheduled import choose_by_calendar, choose_newest

PARIS = ZoneInfo("Europe/Paris")
NOW = dt.datetime(2026, 11, 23, 4, 0, tzinfo=PARIS)  # a Monday
MOMENTS = st.integers(-40 * 24, 800 * 24).map(lambda hours: NOW - dt.timedelta(hours=hours))


def nightly(count):
    return [NOW - dt.timedelta(days=back) for back in range(count)]


def test_of_two_years_of_nights_the_days_weeks_and_months_stay():
    days = [moment.date().isoformat() for moment in sorted(choose_by_calendar(nightly(730), now=NOW))]
    assert days == [
        *("2025-12-31", "2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30"),
        *("2026-07-31", "2026-08-31", "2026-09-30", "2026-10-31", "2026-11-08", "2026-11-15"),
        *("2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23"),
    ]


def test_of_several_backups_of_a_day_the_newest_stays_by_the_time_of_the_place():
    late = dt.datetime(2026, 11, 21, 23, 30, tzinfo=dt.UTC)  # the 22nd in Paris
    early = dt.datetime(2026, 11, 22, 22, 0, tzinfo=dt.UTC)
    assert choose_by_calendar([late, early, NOW], now=NOW) == {early, NOW}


def test_newest_backup_stays_even_if_it_is_years_old_or_ahead_of_the_clock():
    old, ahead = NOW - dt.timedelta(days=2000), NOW + dt.timedelta(days=3)
    assert choose_by_calendar([old - dt.timedelta(days=1), old], now=NOW) == {old}
    assert choose_by_calendar([ahead], now=NOW) == {ahead}
    assert choose_by_calendar([], now=NOW) == set()


@given(st.sets(MOMENTS, max_size=60))
def test_at_most_one_stays_of_each_part_and_none_older_than_a_year(moments):
    stay = choose_by_calendar(moments, now=NOW)
    assert stay <= moments
    assert len(stay) <= 7 + 4 + 12 + 1
    assert {moment for moment in stay if NOW - moment > dt.timedelta(days=366)} <= choose_newest(moments, 1)
    again = choose_by_calendar(stay, now=NOW)
    assert again == stay


def test_ten_stay_on_a_laptop():
    assert choose_newest(nightly(12)) == set(nightly(10))
    assert choose_newest(nightly(3)) == set(nightly(3))
