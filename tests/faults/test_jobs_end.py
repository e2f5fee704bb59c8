"""The end of jobs that never finish: each is stopped and retried a few times, while the other jobs go on."""

import datetime as dt
import json
import os
import signal

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from jobs.tasks import compute_standings, sweep_standings
from tests.factories import make_tournament, started_session
from tests.rankings.events.several import played_sessions
from tests.services.jobs import (
    add_user,
    end_the_worker,
    never_end,
    never_end_in_the_database,
    never_end_whoever_asks,
    run_out_of_memory,
)
from tests.services.servers.test_services import users
from tests.services.test_standings_jobs import (
    assert_ends_equal_to_scratch,
    blocked_writers,
    enter_some,
    evening,
    fresh,
    in_threads,
)
from tests.services.test_tournament_jobs import is_fresh
from tests.services.waiting import wait_until
from tournaments.models import Session, SessionStandings
from tournaments.queue import queue_search

pytestmark = pytest.mark.nightly("process")

MOST = 3  # tries of one job


@pytest.fixture
def begun(tmp_path):
    """Return a function that counts how often the job has begun, and the path of its log."""
    log = tmp_path / "begun"
    log.touch()
    return lambda: log.read_text().count("begun"), str(log)


def test_job_past_its_soft_limit_is_ended_said_and_left_alone_after_three_tries(start_worker, begun):
    tries, log = begun
    worker = start_worker()
    for _ in range(MOST + 2):
        never_end.delay(log)
    add_user.delay("east")
    assert wait_until(users) == {"east"}
    assert tries() == MOST
    assert worker.log().count("was ended after 1 s: what it left undone is asked for again") == MOST
    assert worker.log().count("came to no end again and again: it is left alone for now") == 2
    assert "Traceback" not in worker.log()


def test_job_that_survives_its_soft_limit_is_ended_by_the_hard_one(start_worker, begun):
    tries, log = begun
    worker = start_worker()
    for _ in range(MOST + 2):
        never_end_whoever_asks.delay(log)
    add_user.delay("east")
    assert wait_until(users) == {"east"}
    assert tries() == MOST
    assert worker.log().count("Hard time limit (3s) exceeded") == MOST


def test_job_ended_within_a_transaction_leaves_no_lock_and_a_worker_that_serves(start_worker, begun):
    tries, log = begun
    start_worker(JOB_DATABASE_SECONDS="4")  # then the server ends the query itself
    never_end_in_the_database.delay(log)
    wait_until(lambda: tries() == 1, what="the job to begin")
    add_user.delay("east")
    assert wait_until(users) == {"east"}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE clubs_club IN ACCESS EXCLUSIVE MODE")


def test_job_that_runs_out_of_memory_ends_no_worker_and_is_left_alone(start_worker, begun):
    tries, log = begun
    worker = start_worker()
    for _ in range(MOST + 2):
        run_out_of_memory.delay(log)
    add_user.delay("east")
    assert wait_until(users) == {"east"}
    assert tries() == MOST
    assert worker.log().count("ran out of memory") == MOST


def test_searches_for_plans_keep_nothing_else_waiting(redis_server, start_worker):
    """Check that searches without a worker of their own wait, and that the other queues go on."""
    start_worker(sweep_seconds=1, queues="standings,rest,mails")
    for players in (18, 22, 26):
        queue_search((players, 6, 2, 0, 1))
    tournament = make_tournament()
    played_sessions(tournament)
    wait_until(lambda: is_fresh(tournament), what="fresh standings of the tournament")
    assert redis_server.client.llen("searches") == 3
    redis_server.purge()


def test_job_that_ends_its_worker_each_time_comes_back_three_times_and_no_more(start_worker, begun):
    tries, log = begun
    worker = start_worker()
    end_the_worker.delay(log)
    wait_until(lambda: "it is left alone for now" in worker.log(), what="the job to be left alone")
    add_user.delay("east")
    assert wait_until(users) == {"east"}
    assert tries() == MOST
    worker.wait_until_at_rest()


def test_session_whose_worker_is_lost_is_computed_by_the_next_try(redis_server, start_worker):
    """Check that the message returns by itself without a sweep, and that a finished job does not count as failed."""
    worker = start_worker()
    session, director, plays = evening()
    wait_until(lambda: fresh(session), what="the session to be computed")
    with transaction.atomic():
        SessionStandings.objects.select_for_update().get(pk=session.pk)
        (outcome,) = in_threads([lambda: enter_some(session, director, plays[:1])])
        assert outcome is None
        wait_until(blocked_writers, what="the job to wait for the row")
        (process,) = worker.child.children
        os.kill(process, signal.SIGKILL)
        wait_until(lambda: worker.child.children not in ([], [process]), what="another process in its place")
    assert_ends_equal_to_scratch(session)
    worker.wait_until_at_rest()
    assert [key for key in redis_server.client.scan_iter() if b"-tries" in key] == []


def test_what_a_sweep_asks_for_is_not_made_up_either(redis_server, start_worker):
    started_session()
    redis_server.purge()
    sweep_standings()
    (asked,) = map(json.loads, redis_server.client.lrange("standings", 0, -1))
    left = dt.datetime.fromisoformat(asked["headers"]["expires"]) - timezone.now()
    assert dt.timedelta() < left <= dt.timedelta(seconds=settings.SWEEP_EXPIRES)


def test_sweeps_sent_while_no_worker_was_there_are_not_made_up(redis_server, start_worker):
    for _ in range(20):
        sweep_standings.apply_async(expires=0.1)
    assert redis_server.client.llen("rest") == 20
    worker = start_worker()
    add_user.delay("east")
    assert wait_until(users) == {"east"}
    assert worker.log().count("Discarding revoked task: jobs.tasks.sweep_standings") == 20


def test_job_that_meets_a_silent_database_ends_and_is_tried_again(postgres_server, start_worker):
    worker = start_worker(sweep_seconds=1, JOB_DATABASE_SECONDS="2")
    session, director, plays = evening()
    enter_some(session, director, plays[:5])
    wait_until(lambda: fresh(session), what="the session to be computed")
    Session.objects.filter(pk=session.pk).update(results_version=99)
    postgres_server.freeze()
    try:
        compute_standings.delay(session.pk)
        told = f"compute_standings-{session.pk} was not done: the database is silent for 2 seconds"
        wait_until(lambda: told in worker.log(), what="the job to be given up")
        wait_until(lambda: worker.log().count("sweep_standings was not done") > 3, what="the sweep to go on trying")
    finally:
        postgres_server.thaw()
    assert_ends_equal_to_scratch(session)
