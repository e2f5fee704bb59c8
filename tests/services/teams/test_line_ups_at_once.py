"""Two connections at once, on PostgreSQL: a captain who hands in the line-up while the director starts the session."""

from concurrent.futures import ThreadPoolExecutor, wait

import pytest
from django.db import connection, transaction
from django.utils import timezone

from evenings.plans.starting import start_session
from tests.evenings.teams.quadrettes.test_handing_in import hand_in
from tests.evenings.teams.test_quadrettes import line_up, make_quadrettes, prepare
from tests.services.teams.test_teams_at_once import outcome
from tests.services.test_standings_jobs import in_threads
from tournaments.locks import lock_plays, lock_session, lock_tables
from tournaments.models import LineUp

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]


@pytest.mark.parametrize("time", range(3))
def test_line_up_is_in_the_plan_or_refused_when_the_session_starts_meanwhile(time):
    session = prepare(make_quadrettes(4), positions=3)
    answers = in_threads(
        [
            outcome(lambda: hand_in(session)),
            outcome(lambda: start_session(session_id=session.pk, now=timezone.now())),
        ]
    )
    assert answers[1] == "done"
    assert answers[0] in ("done", "line_up_begun")
    stored = LineUp.objects.count()
    assert stored == (answers[0] == "done")
    assert set(session.plays.filter(south__team__number=1).values_list("badge", flat=True)) == {3 if stored else 1}


def test_change_of_a_line_up_waits_for_a_call_that_has_locked_a_position():
    session = prepare(make_quadrettes(4), positions=3)
    start_session(session_id=session.pk, now=timezone.now())

    def run():
        try:
            return outcome(lambda: line_up(session, 1, "3124", reason="ill"))()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            lock_plays(session.pk, position=2)
            director = pool.submit(run)
            assert not wait([director], timeout=0.5).done
            lock_tables(session.pk)
            lock_session(session.pk)
        assert director.result(timeout=20) == "done"
    assert LineUp.objects.get().attacker.place == 3


def test_captain_waits_for_a_start_that_is_under_way():
    session = prepare(make_quadrettes(4), positions=3)

    def run():
        try:
            return outcome(lambda: hand_in(session))()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            start_session(session_id=session.pk, now=timezone.now())
            captain = pool.submit(run)
            assert not wait([captain], timeout=0.5).done
        assert captain.result(timeout=20) == "line_up_begun"
    assert not LineUp.objects.exists()
