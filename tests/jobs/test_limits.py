"""The limits of the site's jobs: each has an end, and jobs of a sweep are not made up later."""

import pytest
from django.conf import settings

from config.celery import app
from config.jobs import Job

VISIBLE = 3600  # seconds after which Redis delivers a message again, the default of kombu
OURS = sorted(name for name in app.tasks if name.startswith(("jobs.", "rooms.", "operations.")))
# Jobs that another worker does if theirs is lost.
AGAIN = {
    *("compute_field", "compute_series", "compute_standings", "compute_tournament", "keep_careers"),
    *("close_room", "mail_evening", "make_file", "make_file_of_club", "play_by_bots"),
}


def test_every_job_of_the_site_is_known_here():
    assert len(OURS) == 27


@pytest.mark.parametrize("name", OURS)
def test_job_ends_within_its_limits(name):
    """Check that a job outlasts a silent database, which ends by itself, and ends before its message comes again."""
    task = app.tasks[name]
    assert isinstance(task, Job)
    assert 20 < task.soft_time_limit < task.time_limit < VISIBLE


@pytest.mark.parametrize("name", OURS)
def test_job_that_is_acknowledged_late_comes_back_when_its_worker_is_lost(name):
    task = app.tasks[name]
    assert not task.acks_late or task.reject_on_worker_lost
    assert task.acks_late == (name.rpartition(".")[2] in AGAIN)


def test_whatever_beat_sends_expires():
    expires = {name: entry["options"]["expires"] for name, entry in settings.CELERY_BEAT_SCHEDULE.items()}
    every_minute = ("sweep-standings", "sweep-publications", "sweep-webhooks", "note-worker-of-mails")
    sweeps = dict.fromkeys(every_minute, 60)
    assert expires == sweeps | {"forget": 86_400, "backup": 43_200, "play-by-bots": 240}
