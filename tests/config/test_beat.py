"""The sweeps that Celery's beat sends: they go on, whatever the wall clock does."""

import datetime as dt

import pytest
from celery import Celery
from celery.schedules import crontab, schedule

from config.beat import Scheduler
from config.celery import app as site

SWEEP = 30
BEGIN = dt.datetime(2026, 10, 25, 2, 0, tzinfo=dt.UTC)
clock = [BEGIN]


def now():
    return clock[0]


class Recording(Scheduler):
    """A scheduler that records the names of the jobs that it sends."""

    sent: list[str]
    producer = None

    def apply_entry(self, entry, producer=None):
        self.sent.append(entry.name)


def start(folder):
    jobs = Celery("tests", set_as_current=False, broker="memory://")
    jobs.conf.beat_schedule = {
        "sweep": {"task": "sweep", "schedule": schedule(SWEEP, nowfun=now, app=jobs)},
        "forget": {"task": "forget", "schedule": crontab(hour="4", minute="30", nowfun=now, app=jobs)},
    }
    scheduler = Recording(jobs, schedule_filename=str(folder / "beat"))
    scheduler.sent = []
    return scheduler


def let_pass(scheduler, seconds):
    """Let time pass, and return the names of the sent jobs. The beat looks as often as it asks for."""
    scheduler.sent.clear()
    while seconds > 0:
        wait = max(scheduler.tick(), 0.01)
        clock[0] += dt.timedelta(seconds=wait)
        seconds -= wait
    return list(scheduler.sent)


@pytest.fixture
def beat(tmp_path):
    clock[0] = BEGIN
    scheduler = start(tmp_path)
    yield scheduler
    scheduler.close()


def test_site_uses_it():
    assert site.conf.beat_scheduler == "config.beat:Scheduler"


def test_sweeps_go_on_when_the_clock_falls_back_by_an_hour(beat):
    assert let_pass(beat, 4 * SWEEP + 5) == ["sweep"] * 4
    clock[0] -= dt.timedelta(hours=1)
    assert let_pass(beat, 4 * SWEEP + 5) == ["sweep"] * 4


def test_job_of_once_a_day_comes_at_its_hour_after_the_clock_fell_back(beat):
    let_pass(beat, SWEEP)
    clock[0] -= dt.timedelta(hours=1)
    assert let_pass(beat, 3600).count("forget") == 0
    clock[0] = dt.datetime(2026, 10, 25, 4, 29, tzinfo=dt.UTC)
    assert let_pass(beat, 600).count("forget") == 1


def test_what_the_last_run_of_beat_kept_of_the_future_holds_nothing_up(beat, tmp_path):
    let_pass(beat, 2 * SWEEP)
    beat.close()
    clock[0] -= dt.timedelta(hours=1)
    again = start(tmp_path)
    assert let_pass(again, 4 * SWEEP + 5) == ["sweep"] * 4
    again.close()
