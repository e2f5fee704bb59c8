"""The sections that are compared with each other, written to at once on connections to PostgreSQL.

Nobody waits for ever, and the results of each section count in all of them.
"""

from functools import partial

import pytest
from django.utils import timezone

from evenings.sessions.sections import part_sections
from evenings.standings import computing
from tests.evenings.standings.keeping import from_nothing, kept
from tests.evenings.standings.test_sections import beside, together
from tests.factories import enter, garde, make_director, started_session
from tests.services.test_plan_at_once import take_in_turn
from tests.services.test_standings_jobs import in_threads
from tests.services.waiting import wait_until
from tournaments.locks import lock_sections
from tournaments.models import EtuiStandings, Play, ResultEntry, Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]
SHAPE = {"tables": 5, "positions": 5, "etuis_per_position": 1}


@pytest.fixture
def two():
    first = started_session(**SHAPE)
    return first, beside(Session.objects.select_related("tournament__club", "deal_set").get(pk=first.pk))


@pytest.fixture
def director(two):
    return make_director(two[0].tournament.club)


def plays_of(session, count):
    return list(
        session.plays.select_related("etui", "session__tournament__club").order_by("etui__number", "pk")[:count]
    )


def refresh(session):
    """Compute the standings, and wait until they equal a full computation, in case a job computes them too."""
    computing.refresh(session.pk, now=timezone.now())
    wait_until(lambda: kept(session) == from_nothing(session), what="standings of all that is entered")


def assert_nobody_failed(outcomes):
    assert [outcome for outcome in outcomes if isinstance(outcome, Exception)] == []


def assert_counted_in_all(two):
    """Check that the standings of both sections have, for each étui, the notes of all results of either."""
    for session in two:
        refresh(session)
    scores = dict(Play.objects.filter(entries__current=True).values_list("pk", "etui"))
    for session in two:
        told = {}
        for row in EtuiStandings.objects.filter(standings=session.pk):
            told |= {int(pk): of_play for pk, of_play in row.plays.items() if of_play["base_score"] is not None}
        own = set(session.plays.values_list("pk", flat=True))
        assert told.keys() == scores.keys() & own
        for pk, of_play in told.items():
            beside_it = sum(etui == scores[pk] for etui in scores.values())
            assert bool(of_play["notes"]) == (beside_it > 1), pk


def test_results_of_two_sections_at_once_are_counted_in_both(two, director):
    """Enter the same étuis in both sections at once, in opposite orders. The second waits for a moment."""
    together(*two, by=director)
    for mine, theirs in zip(plays_of(two[0], 8), reversed(plays_of(two[1], 8)), strict=True):
        outcomes = in_threads(
            [
                partial(enter, each, garde(each.etui.taker, points=points), by=director)
                for each, points in ((mine, 45), (theirs, 55))
            ]
        )
        assert_nobody_failed(outcomes)
    assert ResultEntry.objects.filter(current=True).count() == 16
    assert_counted_in_all(two)


@pytest.mark.parametrize("comes_in", [0, 1])
def test_result_that_comes_while_sessions_are_put_together_is_counted_in_both(two, director, comes_in):
    here, there = (plays_of(session, 3) for session in (two[comes_in], two[1 - comes_in]))
    late, *before = here
    for play in [*before, *there]:
        enter(play, garde(play.etui.taker, points=50), by=director)
    outcomes = take_in_turn(
        partial(together, *two, by=director),
        partial(lock_sections, [session.pk for session in two]),
        partial(enter, late, garde(late.etui.taker, points=41), by=director),
    )
    assert_nobody_failed(outcomes)
    assert_counted_in_all(two)


def test_sessions_are_parted_beside_results_in_both(two, director):
    group = together(*two, by=director)
    for play in [*plays_of(two[0], 3), *plays_of(two[1], 3)][1:-1]:
        enter(play, garde(play.etui.taker, points=50), by=director)
    first, last = plays_of(two[0], 1)[0], plays_of(two[1], 3)[-1]
    part = partial(part_sections, tournament_id=group.tournament_id, group_id=group.pk, by=director, now=timezone.now())
    assert_nobody_failed(
        in_threads([part, *(partial(enter, each, garde(each.etui.taker), by=director) for each in (first, last))])
    )
    for session in two:
        refresh(session)
    assert not Session.objects.exclude(group=None).exists()
