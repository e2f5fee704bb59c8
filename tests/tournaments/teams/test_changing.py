"""The changes of a running session of triplettes: a team leaves or comes late, and the change is undone."""

from collections import Counter

import pytest
from django.utils import timezone

from clubs.models import User
from movements import PlanError
from movements.teams import find_team_faults
from tests.factories import enter, make_director
from tests.tournaments.teams.evening import make_team_tournament, make_teams
from tests.tournaments.teams.test_starting import list_turns, prepare, refuse, start
from tournaments.changes.carry_out import number_of_plan, undo_change
from tournaments.changes.teams import let_team_arrive, let_team_leave
from tournaments.errors import Conflict
from tournaments.models import Entrant, Session, Team
from tournaments.plans.layout import find_laid_rows
from tournaments.plans.teams.choosing import choose_team_plan, propose_for_teams, team_shape
from tournaments.plans.teams.current import team_evening_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def director(session) -> User:
    return make_director(session.tournament.club)


def play(session: Session, *positions: int, by: User) -> None:
    for each in session.plays.filter(position__in=positions).select_related("etui", "table", "session__tournament"):
        enter(each, by=by)


def leave(session: Session, number: int, after: int, by: User):
    entrant = session.entrants.get(number=number)
    seen = number_of_plan(session)
    now = timezone.now()
    return let_team_leave(session_id=session.pk, entrant_id=entrant.pk, after=after, seen=seen, by=by, now=now)


def arrive(session: Session, team: Team, after: int, by: User):
    seen, now = number_of_plan(session), timezone.now()
    return let_team_arrive(session_id=session.pk, team_id=team.pk, after=after, seen=seen, by=by, now=now)


def count_seated(session: Session, position: int) -> Counter:
    plays = session.plays.filter(position=position)
    numbers = dict(session.entrants.values_list("pk", "number"))
    return Counter(numbers[pk] for each in plays for pk in {*each.seat_ids.values()})


def test_team_leaves_and_the_seven_others_go_on(session, director):
    play(session, 1, 2, by=director)
    past = {pk: row for pk, row in find_laid_rows(session).items() if row["position"] <= 2}
    leave(session, 3, 2, director)
    now = find_laid_rows(session)
    assert {pk: row for pk, row in now.items() if row["position"] <= 2} == past
    for position in (3, 4, 5):
        assert 3 not in count_seated(session, position)
        assert len(count_seated(session, position)) == 6
    assert session.entrants.get(number=3).last_position == 2
    assert find_team_faults(team_evening_of(session).plan) == []
    assert [one.number for one in team_evening_of(session).find_resting(3)] != []


def test_turns_of_the_badges_stay_near_equal_after_a_change(session, director):
    play(session, 1, 2, by=director)
    leave(session, 3, 2, director)
    for number, turns in list_turns(session).items():
        counts = Counter(turns)
        assert max(counts.values()) - min(counts[place] for place in (1, 2, 3)) <= 1, number


def test_change_is_undone_to_the_last_play(session, director):
    play(session, 1, 2, by=director)
    before = find_laid_rows(session)
    version = leave(session, 3, 2, director)
    undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    assert find_laid_rows(session) == before
    assert session.entrants.get(number=3).last_position is None


def test_late_team_comes_and_goes(session, director):
    make_late(session)
    late = Team.objects.get(number=9)
    before = find_laid_rows(session)
    play(session, 1, by=director)
    version = arrive(session, late, 1, director)
    entrant = Entrant.objects.get(team=late)
    assert (entrant.number, entrant.first_position) == (9, 2)
    assert all(9 not in count_seated(session, position) for position in (1,))
    assert sum(9 in count_seated(session, position) for position in (2, 3, 4, 5)) == 4
    refuse("team_plays_already", lambda: arrive(session, late, 2, director))
    undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now())
    assert not Entrant.objects.filter(team=late).exists()
    assert find_laid_rows(session) == before


def make_late(session: Session) -> None:
    """Add a ninth team to the tournament, after the session has started."""
    make_teams(session.tournament, 1, first=9)


def test_full_movement_has_no_place_for_a_late_team():
    tournament = make_team_tournament(teams=6)
    session = prepare(tournament, positions=3)
    rules = [each.plan.rule for each in propose_for_teams(session)]
    choose_team_plan(
        session_id=session.pk,
        choice=rules.index("two_lines"),
        shape=team_shape(session),
        by=None,
        now=timezone.now(),
    )
    session = start(session)
    make_teams(tournament, 1, first=7)
    director = make_director(tournament.club)
    with pytest.raises(PlanError) as caught:
        arrive(session, Team.objects.get(number=7), 1, director)
    assert caught.value.code == "no_place_for_team"
    assert session.entrants.count() == 6


def test_position_that_has_begun_stays(session, director):
    play(session, 1, 2, by=director)
    refuse("position_begun", lambda: leave(session, 3, 1, director))
    refuse("position_begun", lambda: leave(session, 3, 5, director))


def test_change_seen_on_an_old_page_is_refused(session, director):
    seen = number_of_plan(session)
    leave(session, 3, 0, director)
    entrant = session.entrants.get(number=4)
    with pytest.raises(Conflict):
        let_team_leave(
            session_id=session.pk, entrant_id=entrant.pk, after=0, seen=seen, by=director, now=timezone.now()
        )
    refuse("team_gone", lambda: leave(session, 3, 0, director))


def test_results_after_the_change_keep_it(session, director):
    version = leave(session, 3, 0, director)
    play(session, 1, by=director)
    refuse(
        "results_depend_on_change",
        lambda: undo_change(session_id=session.pk, seen=version.number, by=director, now=timezone.now()),
    )


def test_last_two_teams_cannot_leave():
    session = start(prepare(make_team_tournament(teams=4), positions=3))
    director = make_director(session.tournament.club)
    leave(session, 1, 0, director)
    leave(session, 2, 0, director)
    refuse("too_few_teams", lambda: leave(session, 3, 0, director))
