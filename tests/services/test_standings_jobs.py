"""The standings by real jobs: whatever happens to workers and broker, they end equal to a full computation."""

import datetime as dt
import threading
import time
from itertools import pairwise

import pytest
from django.core.cache import cache
from django.db import connection, connections, transaction
from django.utils import timezone

from config.queues import QUEUES
from evenings.plans.starting import unstart_session
from evenings.plays.entering import annul_play, correct_result, enter_result
from evenings.standings import computing
from scoring.formats import find_format
from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.factories import garde, make_director, plausible, started_session
from tests.services.waiting import PATIENCE, wait_until
from tournaments import queue
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import Session, SessionStandings
from tournaments.queue import COMPUTE, PAUSE, queue_search, take_question
from tournaments.rules.entry import Fiche

SWEEP = 1


def fresh(session):
    """Return True if the stored standings are those of the newest results."""
    kept = SessionStandings.objects.get(pk=session.pk)
    return kept.results_version == Session.objects.get(pk=session.pk).results_version


def assert_ends_equal_to_scratch(session):
    wait_until(lambda: fresh(session), what="fresh standings")
    assert_kept_from_nothing(session)


def enter_some(session, director, plays):
    for play in plays:
        enter_result(play_id=play.pk, entry=plausible(play), by=director, now=timezone.now())


def evening(name="directrice", **shape):
    session = started_session(**shape)
    return session, make_director(session.tournament.club, name), list(session.plays.select_related("etui"))


def in_threads(calls):
    """Run the calls at once, each on its own connection. Return the value or the exception of each."""
    outcomes = [None] * len(calls)
    barrier = threading.Barrier(len(calls), timeout=PATIENCE)

    def run(index, call):
        barrier.wait()
        try:
            outcomes[index] = call()
        except Exception as error:
            outcomes[index] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


@pytest.mark.guard("a real worker computes the standings")
def test_each_change_is_computed_by_the_worker(worker):
    session, director, plays = evening()
    enter_some(session, director, plays)
    correct_result(
        play_id=plays[3].pk,
        entry=Fiche(plausible(plays[3]).taker, 106),
        reason="relu",
        seen_version=1,
        by=director,
        now=timezone.now(),
    )
    annul_play(play_id=plays[7].pk, reason="étui altéré", by=director, now=timezone.now())
    assert_ends_equal_to_scratch(session)
    counts = SessionStandings.objects.get(pk=session.pk).data["counts"]
    assert counts == {"scored": 24, "missing": 0, "annulled": 1, "not_played": 0}


@pytest.mark.nightly("race")
def test_second_worker_changes_nothing_in_the_end(worker, start_worker):
    start_worker()
    session, director, plays = evening()
    halves = [plays[::2], plays[1::2]]
    in_threads([lambda half=half: enter_some(session, director, half) for half in halves])
    assert_ends_equal_to_scratch(session)


@pytest.mark.nightly("race")
def test_job_that_comes_too_early_computes_nothing_and_comes_again(worker):
    """Check that standings are computed at most once a second, and that the last result is counted."""
    session, director, plays = evening()
    computed = set()
    for play in plays:
        enter_some(session, director, [play])
        computed.add(SessionStandings.objects.get(pk=session.pk).computed_at)
    assert_ends_equal_to_scratch(session)
    moments = sorted(computed - {None})
    assert all(later - earlier >= dt.timedelta(seconds=PAUSE) for earlier, later in pairwise(moments))


def correct_without_end(play, director, until):
    """Correct the same play again and again until the event is set, and at least ten times."""
    version = play.entries.get(current=True).version
    while not until.is_set() or version <= 10:
        correct_result(
            play_id=play.pk,
            entry=Fiche(plausible(play).taker, 96 + 2 * (version % 8)),
            reason="relu",
            seen_version=version,
            by=director,
            now=timezone.now(),
        )
        version += 1
    return version


@pytest.mark.nightly("race")
def test_clock_that_fell_back_by_an_hour_holds_no_job_up(worker):
    session, director, plays = evening()
    enter_some(session, director, plays[:5])
    assert_ends_equal_to_scratch(session)
    ahead = timezone.now() + dt.timedelta(hours=1)
    SessionStandings.objects.filter(pk=session.pk).update(computed_at=ahead)
    cache.set(queue.beginning_key(session.pk, COMPUTE), ahead.timestamp())
    enter_some(session, director, plays[5:])
    assert_ends_equal_to_scratch(session)


@pytest.mark.nightly("race")
def test_session_costs_one_job_a_second_however_many_results_come_in(worker):
    """Check that the job is queued for its time: none begins only to find that it is too early."""
    jobs, began, moments, enough = worker.jobs(COMPUTE), time.monotonic(), set(), threading.Event()
    session, director, plays = evening()
    enter_some(session, director, plays[:1])

    def look():
        moments.add(SessionStandings.objects.get(pk=session.pk).computed_at)
        return len(moments - {None}) > 4

    def watch():
        wait_until(look, what="five computations")
        enough.set()

    _, versions = in_threads([watch, lambda: correct_without_end(plays[0], director, enough)])
    assert versions > 10
    assert_ends_equal_to_scratch(session)
    assert worker.jobs(COMPUTE) - jobs <= time.monotonic() - began + 1


@pytest.mark.nightly("race")
def test_result_of_one_club_is_computed_while_another_club_floods_the_worker(worker):
    flooding, flood_director, flooded = evening("the other", tables=150, positions=1, etuis_per_position=2)
    session, director, plays = evening()
    enter_some(flooding, flood_director, flooded[:1])
    wait_until(lambda: fresh(flooding) and fresh(session), what="both sessions to be computed")
    computed = threading.Event()

    def flood():
        for play in flooded[1:]:
            if not computed.is_set():
                enter_some(flooding, flood_director, [play])
        return correct_without_end(flooded[0], flood_director, computed)

    def enter_one_after_the_other():
        try:
            for play in plays[:3]:
                wait_until(lambda: not fresh(flooding), what="the flood")
                enter_some(session, director, [play])
                wait_until(lambda: fresh(session), what="the one result, in the middle of the flood")
        finally:
            computed.set()

    outcomes = in_threads([flood, enter_one_after_the_other])
    assert not any(isinstance(outcome, Exception) for outcome in outcomes)
    assert_kept_from_nothing(session)
    assert_ends_equal_to_scratch(flooding)


@pytest.mark.nightly("race")
def test_worker_killed_in_the_middle_of_its_job_costs_no_result(start_worker):
    first = start_worker()
    session, director, plays = evening()
    wait_until(lambda: fresh(session))
    with transaction.atomic():
        # While this row is locked the job can compute, but not write. It is killed between the two.
        SessionStandings.objects.select_for_update().get(pk=session.pk)
        (outcome,) = in_threads([lambda: enter_some(session, director, plays)])
        assert outcome is None
        wait_until(blocked_writers, what="the job to wait for the row")
        first.kill()
    assert not fresh(session)
    start_worker(sweep_seconds=SWEEP)
    assert_ends_equal_to_scratch(session)


def blocked_writers(statement="update"):
    """Return how many connections now wait for a lock in a statement of this kind."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_stat_clear_snapshot()")  # otherwise a transaction sees the same statistics to its end
        cursor.execute(
            "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query ilike %s",
            [f"{statement}%"],
        )
        return cursor.fetchone()[0]


@pytest.mark.nightly("race")
def test_redis_stopped_during_ten_entries_costs_no_result(redis_server, start_worker):
    worker = start_worker(sweep_seconds=SWEEP)
    session, director, plays = evening()
    enter_some(session, director, plays[:5])
    redis_server.stop()
    enter_some(session, director, plays[5:15])
    redis_server.start()
    worker.wait_until_ready()
    assert_ends_equal_to_scratch(session)
    assert SessionStandings.objects.get(pk=session.pk).data["counts"]["scored"] == 15


@pytest.mark.nightly("race")
def test_lost_message_is_found_by_the_sweep(start_worker):
    session, director, plays = evening()
    enter_some(session, director, plays)
    start_worker(sweep_seconds=SWEEP)
    for version in (98, 99):
        Session.objects.filter(pk=session.pk).update(results_version=version)
        assert_ends_equal_to_scratch(session)


def asked(redis_server):
    return redis_server.client.llen("standings")


@pytest.mark.nightly("race")
def test_session_asks_once_until_a_job_takes_the_question(redis_server, start_worker):
    session, director, plays = evening()
    other = started_session(session.tournament)
    enter_some(session, director, plays[:5])
    assert asked(redis_server) == 2  # each session once, since its start
    take_question(session.pk)
    enter_some(session, director, plays[5:10])
    assert asked(redis_server) == 3
    assert not fresh(other)


@pytest.mark.nightly("race")
def test_search_waits_in_a_queue_of_its_own(redis_server, start_worker):
    queue_search((18, 5, 2, 0, 1))
    waiting = {queue: redis_server.client.llen(queue) for queue in QUEUES}
    assert waiting == dict.fromkeys(QUEUES, 0) | {"searches": 1}


@pytest.mark.nightly("race")
def test_two_jobs_and_a_writer_at_once_end_equal_to_scratch(transactional_db):
    """Check on real connections that the last one has read the newest results, or leaves them to the next job."""
    session, director, plays = evening()
    computing.refresh(session.pk, now=timezone.now())

    def compute_often():
        for _ in range(15):
            computing.refresh(session.pk, now=timezone.now())

    halves = [plays[::2], plays[1::2]]
    outcomes = in_threads(
        [compute_often, compute_often, *(lambda half=half: enter_some(session, director, half) for half in halves)]
    )
    assert outcomes == [None] * 4
    computing.refresh(session.pk, now=timezone.now())
    assert_kept_from_nothing(session)


@pytest.mark.nightly("race")
def test_process_without_a_worker_computes_in_the_background(work_in_background):
    """Check that a laptop's entries do not wait, and that the last result is computed in the end."""
    session, director, plays = evening()
    background = work_in_background()
    enter_some(session, director, plays)
    assert_ends_equal_to_scratch(session)
    wait_until(lambda: background.turns == {}, what="the end of the thread's work")


@pytest.mark.nightly("race")
def test_session_whose_computation_fails_in_the_background_holds_up_no_other(work_in_background, monkeypatch, caplog):
    background = work_in_background()
    monkeypatch.setattr(computing, "find_format", lambda name: None)
    session = started_session()
    wait_until(lambda: "could not be computed" in caplog.text)
    monkeypatch.setattr(computing, "find_format", find_format)
    background.ask_for_standings(session.pk)
    assert_ends_equal_to_scratch(session)


@pytest.mark.nightly("race")
@pytest.mark.django_db(transaction=True)
def test_same_result_from_two_devices_at_once_is_one_entry():
    session, director, plays = evening()
    before = Session.objects.get(pk=session.pk).results_version
    play = plays[0]

    def send():
        return enter_result(play_id=play.pk, entry=plausible(play), by=director, now=timezone.now()).pk

    first, second = in_threads([send, send])
    assert first == second
    assert play.entries.count() == 1
    assert Session.objects.get(pk=session.pk).results_version == before + 1


@pytest.mark.nightly("race")
@pytest.mark.django_db(transaction=True)
def test_two_results_at_once_for_one_play_end_in_one_entry_and_one_conflict():
    _session, director, plays = evening()
    play = plays[0]
    entries = [garde(play.etui.taker, points=points) for points in (45, 46)]
    outcomes = in_threads(
        [
            lambda entry=entry: enter_result(play_id=play.pk, entry=entry, by=director, now=timezone.now())
            for entry in entries
        ]
    )
    assert sorted(isinstance(outcome, Conflict) for outcome in outcomes) == [False, True]
    assert play.entries.count() == 1


@pytest.mark.nightly("race")
@pytest.mark.django_db(transaction=True)
def test_two_corrections_at_once_end_in_one_version_and_one_conflict():
    _session, director, plays = evening()
    play = plays[0]
    enter_result(play_id=play.pk, entry=plausible(play), by=director, now=timezone.now())
    taker = plausible(play).taker
    outcomes = in_threads(
        [
            lambda score=score: correct_result(
                play_id=play.pk, entry=Fiche(taker, score), reason="x", seen_version=1, by=director, now=timezone.now()
            )
            for score in (100, 102)
        ]
    )
    assert sorted(isinstance(outcome, Conflict) for outcome in outcomes) == [False, True]
    assert list(play.entries.order_by("version").values_list("version", "current")) == [(1, False), (2, True)]


@pytest.mark.nightly("race")
@pytest.mark.django_db(transaction=True)
def test_start_taken_back_while_a_result_comes_in_ends_in_one_refusal():
    """Check that both lock plays before the session, so that one waits for the other."""
    session, director, plays = evening()
    play = plays[0]
    outcomes = in_threads(
        [
            lambda: unstart_session(session_id=session.pk, now=timezone.now()),
            lambda: enter_result(play_id=play.pk, entry=plausible(play), by=director, now=timezone.now()),
        ]
    )
    refused = [outcome.code for outcome in outcomes if isinstance(outcome, ActionRefused)]
    assert refused in (["play_gone"], ["results_depend_on_start"])
    assert not any(isinstance(outcome, Exception) and not isinstance(outcome, ActionRefused) for outcome in outcomes)
