"""The clock of a position: started, moved, paused and read back, at moments that a test chooses."""

import datetime as dt

import pytest

from tournaments.rules.clock import Clock

NOW = dt.datetime(2026, 11, 20, 20, 0, tzinfo=dt.UTC)
SECOND, MINUTE = dt.timedelta(seconds=1), dt.timedelta(minutes=1)
RUNNING, PAUSED, UNSET = Clock.start(10, NOW), Clock(left=90), Clock()


def test_clock_runs_is_paused_or_is_not_set():
    assert Clock(ends_at=NOW + 10 * MINUTE) == RUNNING
    assert [(clock.is_set, clock.is_running) for clock in (RUNNING, PAUSED, UNSET)] == [
        (True, True),
        (True, False),
        (False, False),
    ]


def test_seconds_left_are_rounded_up_and_never_below_0():
    assert [RUNNING.seconds(NOW + after) for after in (SECOND, SECOND / 2, 10 * MINUTE, 11 * MINUTE)] == [
        599,
        600,
        0,
        0,
    ]
    assert (PAUSED.seconds(NOW), Clock(left=0).seconds(NOW), UNSET.seconds(NOW)) == (90, 0, 0)


def test_overtime_counts_whole_seconds_after_the_end():
    ends = [10 * MINUTE - SECOND, 10 * MINUTE, 10 * MINUTE + 2.5 * SECOND]
    assert [RUNNING.overtime(NOW + after) for after in ends] == [0, 0, 2]
    assert (PAUSED.overtime(NOW), UNSET.overtime(NOW)) == (0, 0)


def test_only_a_clock_that_was_set_is_over():
    assert [RUNNING.is_over(NOW + after) for after in (9 * MINUTE, 10 * MINUTE)] == [False, True]
    assert (PAUSED.is_over(NOW), Clock(left=0).is_over(NOW), UNSET.is_over(NOW)) == (False, True, False)


@pytest.mark.parametrize(
    ("clock", "minutes", "moved"),
    [
        (RUNNING, 2, Clock(ends_at=NOW + 12 * MINUTE)),
        (RUNNING, -2, Clock(ends_at=NOW + 8 * MINUTE)),
        (RUNNING, -10, Clock(ends_at=NOW)),
        (RUNNING, -11, Clock(ends_at=NOW)),
        (Clock(ends_at=NOW + SECOND / 2), 1, Clock(ends_at=NOW + MINUTE + SECOND / 2)),
        (Clock(ends_at=NOW - 5 * MINUTE), 2, Clock(ends_at=NOW + 2 * MINUTE)),
        (PAUSED, 2, Clock(left=210)),
        (PAUSED, -2, Clock(left=0)),
        (UNSET, 2, Clock(ends_at=NOW + 2 * MINUTE)),
    ],
)
def test_minutes_are_added_to_what_is_left(clock, minutes, moved):
    assert clock.move(minutes, NOW) == moved


def test_paused_clock_keeps_what_is_left_until_it_goes_on():
    paused = RUNNING.stop(NOW + MINUTE)
    assert paused == Clock(left=540)
    assert paused.stop(NOW) is paused
    assert paused.resume(NOW) == Clock(ends_at=NOW + 9 * MINUTE)
    assert (RUNNING.resume(NOW), UNSET.stop(NOW), UNSET.resume(NOW)) == (RUNNING, UNSET, UNSET)


@pytest.mark.parametrize(
    ("clock", "text"), [(RUNNING, "2026-11-20T20:10:00+00:00"), (PAUSED, "90"), (Clock(left=0), "0"), (UNSET, "")]
)
def test_clock_is_read_as_it_is_written(clock, text):
    assert (str(clock), Clock.read(text)) == (text, clock)
