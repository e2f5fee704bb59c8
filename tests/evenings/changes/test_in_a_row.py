"""The changes that follow each other in one evening: each can be undone, the last one first; some cannot be made."""

from dataclasses import replace

import pytest
from django.utils import timezone

from evenings.changes.carry_out import change_session, number_of_plan, undo_change
from evenings.changes.outcomes import running_evening
from evenings.plans.layout import find_laid_rows
from evenings.plans.plays_after import lay_plays_again, read_before
from evenings.plays.entering import not_played, to_be_played
from evenings.plays.session_plays import plays_of
from evenings.sessions.running import call_position
from tests.factories import enter_all, make_director, started_session
from tournaments.errors import ActionRefused
from tournaments.models import PlanVersion, Ruling, Session
from tournaments.rules.operations import Leave, Operation, Resize, Swap, WrongEtuis

pytestmark = pytest.mark.django_db


def change(session: Session, operation: Operation, by) -> PlanVersion:
    seen = number_of_plan(session)
    return change_session(session_id=session.pk, operation=operation, choice=0, seen=seen, by=by, now=timezone.now())


def etui_at(session: Session, table: int) -> int:
    """Return the number of the one étui that a table plays in position 1."""
    return session.plays.get(position=1, table__number=table).etui.number


@pytest.mark.nightly("story")
def test_changes_are_undone_one_after_the_other_to_the_rows_before_the_first():
    session = started_session(tables=7, positions=5, etuis_per_position=1)
    director = make_director(session.tournament.club)
    before = find_laid_rows(session)
    made = [
        change(session, Leave((session.entrants.first().pk,), after=1), director),
        change(session, Resize(3), director),
        change(session, Leave((session.entrants.last().pk,), after=0), director),
    ]
    for version in reversed(made):
        undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    assert find_laid_rows(session) == before


@pytest.mark.nightly("story")
def test_what_went_wrong_before_anything_was_called_or_entered_is_kept():
    session = started_session(tables=7, positions=3, etuis_per_position=1)
    director = make_director(session.tournament.club)
    mine, theirs = (etui_at(session, table) for table in (1, 5))
    change(session, WrongEtuis(1, 1, ((mine, theirs),)), director)
    one, other = (session.plays.get(position=1, table__number=number) for number in (1, 5))
    assert (one.etui.number, other.etui.number) == (theirs, mine)
    change(session, Swap(1, one.north_id, other.east_id), director)
    assert session.plays.get(pk=one.pk).north_id == other.east_id
    change(session, Leave((session.entrants.last().pk,), after=1), director)
    assert session.plays.get(pk=one.pk).north_id == other.east_id
    with pytest.raises(ActionRefused, match="position_begun"):
        change(session, Leave((session.entrants.first().pk,), after=0), director)


@pytest.mark.nightly("race")
def test_an_étui_that_two_tables_played_at_once_stands_in_the_way_of_no_later_change():
    session = started_session(tables=7, positions=3, etuis_per_position=1)
    director = make_director(session.tournament.club)
    mine, theirs = (etui_at(session, table) for table in (1, 5))
    change(session, WrongEtuis(1, 1, ((mine, theirs),), exchange=False), director)
    change(session, Leave((session.entrants.last().pk,), after=1), director)
    assert session.plays.filter(position=1, etui__number=theirs).count() == 2


def test_a_plan_in_which_somebody_meets_an_étui_again_leaves_that_play_out():
    session = started_session(tables=5, positions=2, etuis_per_position=1)
    plan = running_evening(session).plan
    first = {play.seats: play.etuis for play in plan.at(1)}
    again = tuple(
        play._replace(etuis=etuis, seats=players) if play.position == 2 else play
        for play, (players, etuis) in zip(plan.stops, 2 * list(first.items()), strict=True)
    )
    found = lay_plays_again(
        read_before(session), replace(plan, stops=again), after=1, people=list(session.entrants.all())
    )
    assert {(row["position"], row["is_replay"]) for row in found.rows.values()} == {(1, False), (2, True)}


@pytest.mark.nightly("story")
def test_undoing_a_drop_out_owes_nothing_of_the_positions_that_are_over():
    session = started_session(tables=7, positions=4, etuis_per_position=1)
    director = make_director(session.tournament.club)
    gone = session.entrants.get(line="E", number=3)
    version = change(session, Leave((gone.pk,), after=1), director)
    for position in (1, 2, 3):
        call_position(session_id=session.pk, position=position, by=director, now=timezone.now())
        plays = session.plays.filter(position=position).select_related("etui")
        enter_all(session, by=director, plays=plays)
    undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    back = session.plays.filter(east=gone, position__gt=1)
    states = {each.play.position: each.state for each in plays_of(session) if each.play in back}
    assert states == {2: "not_played", 3: "missing", 4: "missing"}


def ruled(session: Session) -> list[dict]:
    return list(Ruling.objects.filter(play__session=session).order_by("pk").values())


def test_rulings_on_plays_that_leave_the_plan_stay_with_its_version_and_come_back():
    session = started_session(tables=7, positions=5, etuis_per_position=1)
    director = make_director(session.tournament.club)
    last = session.plays.filter(position=5)[0]
    for word in (not_played, to_be_played):
        word(play_id=last.pk, by=director, now=timezone.now())
    before = ruled(session)
    assert [row["kind"] for row in before] == ["not_played", "restored"]
    version = change(session, Resize(4), director)
    version.refresh_from_db()
    assert not session.plays.filter(pk=last.pk).exists()
    assert [(row["play_id"], row["kind"]) for row in version.operation["rulings"]] == [
        (last.pk, "not_played"),
        (last.pk, "restored"),
    ]
    undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    assert ruled(session) == before


def test_étui_to_be_played_later_is_told_by_the_version_that_was_undone():
    session = started_session(tables=7, positions=3, etuis_per_position=1)
    director = make_director(session.tournament.club)
    pair = etui_at(session, 1), etui_at(session, 5)
    version = change(session, WrongEtuis(1, 1, (pair,), exchange=False, later=True), director)
    (made,) = ruled(session)
    assert made["kind"] == "later"
    undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    version.refresh_from_db()
    (kept,) = version.operation["rulings_undone"]
    assert (kept["pk"], kept["play_id"], kept["kind"]) == (made["id"], made["play_id"], "later")
    assert ruled(session) == []
