"""The table of the queues of jobs: each job has a queue, and a laptop takes the jobs of an earlier queue first."""

from django.conf import settings

from config.celery import app
from config.queues import QUEUES
from tournaments import queue
from tournaments.queue import Background


def test_every_job_that_a_queue_names_exists():
    assert [job for each in QUEUES.values() for job in each.jobs if job not in app.tasks] == []


def test_bots_wait_behind_everything_that_people_wait_for():
    assert list(QUEUES)[-1] == "bots"
    assert {job: settings.CELERY_TASK_ROUTES[job]["queue"] for job in (queue.BOTS, queue.ROOM)} == {
        queue.BOTS: "bots",
        queue.ROOM: "bots",
    }


def test_laptop_takes_bots_last_and_keeps_the_order_of_each_queue(monkeypatch):
    laptop = Background(sweep_seconds=3600)
    monkeypatch.setattr(laptop, "start", lambda: None)
    for task, pk in ((queue.BOTS, 0), (queue.FILE, 2), (queue.ROOM, 3), (queue.CLUB_FILE, 4), (queue.COMPUTE, 5)):
        laptop.ask_for_standings(pk, task)
    assert [laptop.next_turn().pk for _turn in range(5)] == [5, 2, 4, 0, 3]
