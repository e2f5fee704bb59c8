"""A worker that holds unacknowledged jobs while Redis ends, loses everything and returns."""

import pytest
from django.db import transaction

from jobs.tasks import compute_standings
from tests.factories import started_session
from tests.services.jobs import add_user
from tests.services.servers.test_services import users
from tests.services.test_standings_jobs import (
    assert_ends_equal_to_scratch,
    blocked_writers,
    enter_some,
    evening,
    fresh,
    in_threads,
)
from tests.services.waiting import wait_until
from tournaments.models import Session, SessionStandings

pytestmark = pytest.mark.nightly("process")

ENDS = ["stop", "kill"]
LATER = 3600  # seconds; meanwhile the worker holds the delayed job


@pytest.mark.parametrize("end", ENDS)
def test_worker_goes_on_by_itself_when_redis_loses_everything(end, redis_server, start_worker):
    """Cut the subscription first. This order, otherwise left to chance, used to end workers."""
    worker = start_worker(processes=2)
    compute_standings.apply_async((1,), countdown=LATER)
    compute_standings.apply_async((2,), countdown=LATER)
    wait_until(lambda: redis_server.client.hlen("unacked") == 2, what="the worker to hold both jobs")
    worker.freeze()
    redis_server.client.client_kill_filter(_type="pubsub")
    getattr(redis_server, end)()
    worker.thaw()
    wait_until(lambda: "Connection to broker lost" in worker.log(), what="the worker to notice")
    redis_server.start()
    worker.wait_until_ready()
    add_user.delay("east")
    assert wait_until(users) == {"east"}
    worker.kill()  # otherwise it lists the jobs that it held and has given up, until their hour comes


@pytest.mark.parametrize("end", ENDS)
def test_jobs_held_while_redis_loses_everything_are_done_in_the_end(end, redis_server, start_worker):
    """Run one job and hold another one: the first goes on, and the sweep finds the second."""
    worker = start_worker(sweep_seconds=1, processes=2)
    session, director, plays = evening()
    other = started_session(session.tournament)
    wait_until(lambda: fresh(session) and fresh(other), what="both sessions to be computed")
    with transaction.atomic():
        SessionStandings.objects.select_for_update().get(pk=session.pk)
        (outcome,) = in_threads([lambda: enter_some(session, director, plays)])
        assert outcome is None
        wait_until(blocked_writers, what="the job to wait for the row")
        in_threads([lambda: compute_standings.apply_async((other.pk,), countdown=LATER)])
        wait_until(lambda: redis_server.client.hlen("unacked") >= 2, what="the worker to hold both jobs")
        Session.objects.filter(pk=other.pk).update(results_version=99)
        worker.freeze()
        redis_server.client.client_kill_filter(_type="pubsub")
        getattr(redis_server, end)()
        worker.thaw()
        wait_until(lambda: "Connection to broker lost" in worker.log(), what="the worker to notice")
        redis_server.start()
    worker.wait_until_ready()
    assert_ends_equal_to_scratch(session)
    assert_ends_equal_to_scratch(other)
