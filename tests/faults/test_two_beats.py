"""Two beats, each with a worker, as after a copied unit: everything that is due is done, and nothing is done twice.

Also two workers, one of which overtakes the other.
"""

import os
import signal
from collections import Counter

import pytest
from django.db import connection, transaction
from django.utils import timezone

from evenings.plays.entering import annul_play
from rankings.publication.publishing import SESSIONS
from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.faults.test_feuille_letters import post_office, session, start_post  # noqa: F401 (fixtures)
from tests.services.test_publication_at_once import end_window, told
from tests.services.test_standings_jobs import (
    assert_ends_equal_to_scratch,
    blocked_writers,
    enter_some,
    evening,
    fresh,
    in_threads,
)
from tests.services.waiting import wait_until
from tournaments import queue
from tournaments.models import Publication, SentFeuille
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.nightly("process")

SLOW_SECONDS = 2.5  # so both beats ask for a letter again while it is under way


def count_sweeps(worker):
    """Return how many sweeps the worker's own beat has asked for."""
    return worker.log().count("Sending due task sweep-publications")


def test_two_beats_do_everything_once(start_worker, post_office, session, monkeypatch):  # noqa: F811
    post_office.slow_seconds = SLOW_SECONDS
    monkeypatch.setattr(queue.broker, "ask_for_standings", lambda *_: None)  # only the beats ask for jobs
    workers = [start_post(start_worker, post_office, sweep_seconds=1) for _beat in range(2)]
    SESSIONS.publish(session.pk, DirectorWord(session.director, timezone.now()))
    annul_play(play_id=session.plays.first().pk, reason="x", by=session.director, now=timezone.now())
    wait_until(lambda: SentFeuille.objects.exists(), what="the letter of the first version")
    end_window()
    wait_until(lambda: len(told(session)) > 1, what="the official ranking")
    wait_until(lambda: fresh(session), what="fresh standings")

    asked = [count_sweeps(worker) for worker in workers]
    wait_until(
        lambda: all(count_sweeps(worker) > before + 3 for worker, before in zip(workers, asked, strict=True)),
        what="more sweeps by each beat",
    )
    assert told(session) == [(1, "provisional"), (2, "official")]
    assert session.log.filter(action="ranking_official").count() == 1
    assert_kept_from_nothing(session)
    sent = Counter(SentFeuille.objects.values_list("publication__version", flat=True))
    assert set(sent.values()) == {1}
    assert len(post_office.accepted) == sent.total() <= Publication.objects.count()
    assert all(worker.running for worker in workers)


def test_worker_that_is_overtaken_stores_nothing_older(start_worker):
    """Suspend a worker between reading and writing, while another worker stores what was entered later."""
    slow = start_worker()
    played, director, plays = evening()
    wait_until(lambda: fresh(played), what="the session to be computed")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE tournaments_penalty IN ACCESS EXCLUSIVE MODE")
        (outcome,) = in_threads([lambda: enter_some(session, director, plays[:10])])
        assert outcome is None
        wait_until(lambda: blocked_writers("select"), what="the job to wait for the penalties")
        (process,) = slow.child.children
        os.kill(process, signal.SIGSTOP)
    start_worker()
    enter_some(session, director, plays[10:])
    wait_until(lambda: fresh(played), what="the other worker's standings")
    os.kill(process, signal.SIGCONT)
    slow.wait_until_at_rest()
    assert_ends_equal_to_scratch(played)
