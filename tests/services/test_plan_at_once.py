"""A plan that changes while a table enters, on two connections to PostgreSQL.

The second of the two waits for the first, and reads the rows again before it acts.
"""

import threading
import uuid
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from clubs.models import Player
from clubs.roster import RosterLine
from evenings.changes.carry_out import change_session, number_of_plan, undo_change
from evenings.plans import proposals
from evenings.plans.choosing import choose_plan, shape_of
from evenings.plans.layout import find_laid_rows
from evenings.plans.starting import start_session, unstart_session
from evenings.plays.ruling import answer_call, declare_playing, lift_hiding
from evenings.sessions.put_away import delete_session
from evenings.standings.computing import refresh
from movements import propose_plans
from tests import shared_evenings
from tests.evenings.changes.test_carry_out import change
from tests.factories import draft_session, enter
from tests.services.test_standings_jobs import blocked_writers, in_threads
from tests.services.waiting import PATIENCE, wait_until
from tournaments.errors import ActionRefused
from tournaments.locks import lock_plan, lock_play, lock_standings
from tournaments.models import ArbiterCall, ChangedEtui, Session, SessionStandings
from tournaments.rules.operations import Arrive, Resize

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]


director = shared_evenings.director_of_session


session = shared_evenings.started_with_seven_tables


def take_in_turn(first: Callable[[], object], hold: Callable[[], object], second: Callable[[], object]) -> list[object]:
    """Return the outcomes of `first` and `second`, when `second` begins while `first` holds a lock.

    `first` runs in a transaction after `hold`. It goes on when `second` waits for a row, or has ended.
    """
    held, goes_on, over = threading.Event(), threading.Event(), threading.Event()

    def lead():
        with transaction.atomic():
            hold()
            held.set()
            assert goes_on.wait(PATIENCE)
            return first()

    def follow():
        assert held.wait(PATIENCE)
        try:
            return second()
        finally:
            over.set()

    def watch():
        wait_until(lambda: over.is_set() or blocked_writers(""), what="the second to wait, or to be over")
        goes_on.set()

    return in_threads([lead, follow, watch])[:2]


def arrive(session, newcomer, by):
    """Let a player come who is not on the club's list."""
    return change_session(
        session_id=session.pk,
        operation=Arrive((-1,), after=1),
        choice=0,
        seen=number_of_plan(session),
        by=by,
        now=timezone.now(),
        unlisted=[newcomer],
    )


@pytest.mark.parametrize(
    ("write", "code"),
    [
        (lambda session, by: change(session, Resize(5), by), "plan_out_of_date"),
        (lambda session, by: arrive(session, RosterLine("Tardif", ""), by), "position_begun"),
        (
            lambda session, by: undo_change(
                session_id=session.pk, seen=number_of_plan(session), by=by, now=timezone.now()
            ),
            "results_depend_on_change",
        ),
        (lambda session, by: unstart_session(session_id=session.pk, now=timezone.now()), "results_depend_on_start"),
    ],
    ids=["shorter", "arrival", "undone", "unstarted"],
)
def test_plan_does_not_change_under_a_result_that_is_being_stored(session, director, write, code):
    change(session, Resize(6), director)
    plan, rows, players = number_of_plan(session), find_laid_rows(session), Player.objects.count()
    play = session.plays.select_related("etui").filter(position=6).first()
    entry, refusal = take_in_turn(
        lambda: enter(play, by=director), lambda: lock_play(play.pk), lambda: write(session, director)
    )
    assert isinstance(refusal, ActionRefused), refusal
    assert refusal.code == code
    assert (number_of_plan(session), find_laid_rows(session), Player.objects.count()) == (plan, rows, players)
    assert list(play.entries.values_list("pk", "current")) == [(entry.pk, True)]


def test_result_is_not_stored_on_a_play_that_a_change_takes_away(session, director):
    play = session.plays.select_related("etui").filter(position=5).first()
    _, refusal = take_in_turn(
        lambda: None, lambda: change(session, Resize(4), director), lambda: enter(play, by=director)
    )
    assert isinstance(refusal, ActionRefused), refusal
    assert refusal.code == "play_gone"
    assert Session.objects.get(pk=session.pk).positions == 4
    assert not play.entries.exists()


def lift_and_unstart(session, director, lift):
    """Answer a call or end the hiding of a position while the start is taken back: one waits, and both end."""
    return take_in_turn(
        lambda: unstart_session(session_id=session.pk, now=timezone.now()),
        lambda: lock_plan(session.pk),
        lambda: lift(session_id=session.pk, by=director, now=timezone.now()),
    )


def test_call_is_answered_while_the_start_is_taken_back(session, director):
    call = ArbiterCall.objects.create(
        session=session, table=session.tables.first(), key=uuid.uuid4(), called_at=timezone.now()
    )
    back, refusal = lift_and_unstart(session, director, partial(answer_call, call_id=call.pk))
    assert isinstance(back, Session), back
    assert isinstance(refusal, ActionRefused), refusal
    assert refusal.code == "call_unknown"


def test_hiding_is_lifted_while_the_start_is_taken_back(session, director):
    declare_playing(session_id=session.pk, entrant_id=session.entrants.first().pk, by=director, now=timezone.now())
    back, lifted = lift_and_unstart(session, director, lift_hiding)
    assert (back.status, lifted.lifted_at is None) == (Session.Status.DRAFT, False)


def make_stale(session):
    """Mark every étui of the session as changed."""
    Session.objects.filter(pk=session.pk).update(results_version=F("results_version") + 1)
    ChangedEtui.objects.create(session=session, etui=None)


REMOVALS = {
    "unstarted": lambda session, by: unstart_session(session_id=session.pk, now=timezone.now()),
    "deleted": lambda session, by: delete_session(session_id=session.pk, by=by),
}


@pytest.mark.parametrize("computed_before", [False, True])
@pytest.mark.parametrize("remove", REMOVALS.values(), ids=REMOVALS)
def test_plan_is_removed_while_a_job_writes_the_standings(session, director, remove, computed_before):
    """Check that both end: the job holds the row of the standings and writes the étuis, and the removal waits."""
    if not computed_before:
        SessionStandings.objects.filter(pk=session.pk).delete()
        SessionStandings.objects.create(session=session, results_version=0, data={})
    assert session.standings.etuis.exists() == computed_before
    make_stale(session)
    written, removed = take_in_turn(
        lambda: refresh(session.pk, now=timezone.now()),
        lambda: lock_standings(session.pk),
        lambda: remove(session, director),
    )
    assert (written, isinstance(removed, Exception)) == (True, False), removed
    assert not SessionStandings.objects.filter(pk=session.pk).exists()


@pytest.mark.parametrize("way", ["choose", "start"])
def test_search_for_plans_comes_before_every_lock(way, monkeypatch):
    """Check it because a search for 150 tables takes seconds, and on a laptop nobody else could save meanwhile."""
    session, searched = draft_session(tables=6, positions=5), []

    def search_outside(*asked, **options):
        searched.append(connection.in_atomic_block)
        return propose_plans(*asked, **options)

    monkeypatch.setattr(proposals, "answered", {})
    monkeypatch.setattr(proposals, "propose_plans", search_outside)
    if way == "choose":
        choose_plan(session_id=session.pk, choice=0, shape=shape_of(session), by=None, now=timezone.now())
    else:
        start_session(session_id=session.pk, now=timezone.now())
    assert searched == [False]
    assert session.plans.count() == 1
