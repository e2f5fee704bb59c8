"""The start of a session of triplettes: teams get numbers, a plan is chosen, and every play knows who attacks."""

from collections import Counter

import pytest
from django.utils import timezone
from django.utils.translation import override

from deals.sets import create_set_dealt_at_table
from evenings.plans.choosing import choice_of
from evenings.plans.current import evening_of
from evenings.plans.starting import start_session, unstart_session
from evenings.plans.teams.choosing import choose_team_plan, propose_for_teams, team_shape
from evenings.plans.teams.seating import seat_teams
from evenings.sessions.setup import create_session, create_tournament, use_deal_set
from movements import write_plan
from scoring.teams import Badge
from tests.evenings.teams.evening import make_team_tournament, make_teams
from tests.factories import DATE, make_club, make_director
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import LogEntry, Play, Session, Team, Tournament

pytestmark = pytest.mark.django_db


def prepare(tournament: Tournament, *, positions: int = 5, etuis: int = 4, count: int = 100, **settings) -> Session:
    """Return a session in preparation with `count` étuis, in which all teams that can play have a number."""
    now = timezone.now()
    session = create_session(
        tournament=tournament, date=DATE, positions=positions, etuis_per_position=etuis, **settings
    )
    deal_set = create_set_dealt_at_table(club=tournament.club, name="Étuis", count=count, by=None, now=now)
    use_deal_set(session_id=session.pk, deal_set=deal_set)
    seat_teams(session_id=session.pk, now=now)
    return session


def start(session: Session) -> Session:
    return start_session(session_id=session.pk, now=timezone.now())


def list_turns(*sessions: Session) -> dict[int, list[int]]:
    """Return the badges whose turn it is, for each team by number, in the order of session, position and étui."""
    turns: dict[int, list[int]] = {}
    for session in sessions:
        teams = dict(session.entrants.values_list("pk", "team__number"))
        plays = session.plays.select_related("etui").order_by("position", "etui__number")
        for play in plays:
            turns.setdefault(teams[play.seat_ids[play.taker]], []).append(play.badge)
    return turns


def test_plan_that_is_offered_where_no_barometer_is_possible_can_be_chosen():
    tournament = create_tournament(club=make_club(), name="Quadrettes", format="quadrettes", now=timezone.now())
    make_teams(tournament, 3, places=range(1, 5))
    session = prepare(tournament, positions=2, barometer=True)
    (first, *_others) = propose_for_teams(session)
    assert not first.plan.in_barometer(1)
    told = {"session_id": session.pk, "choice": 0, "shape": team_shape(session), "by": None, "now": timezone.now()}
    choose_team_plan(**told)
    assert choice_of(session, 3).code == first.code


@pytest.mark.parametrize(
    ("before", "positions", "teams", "after"),
    [("triplettes", 3, 4, "quadrettes"), ("quadrettes", 4, 5, "triplettes"), ("quadrettes", 4, 5, "team_match")],
)
def test_chosen_plan_of_another_format_is_not_played(before, positions, teams, after):
    tournament = create_tournament(club=make_club(), name="Teams", format=before, now=timezone.now())
    make_teams(tournament, teams, places=range(1, 5 if before == "quadrettes" else 4))
    session = prepare(tournament, positions=positions)
    told = {"session_id": session.pk, "choice": 0, "shape": team_shape(session), "by": None, "now": timezone.now()}
    chosen = choose_team_plan(**told)
    assert choice_of(session, teams) == chosen
    session.tournament.format = after
    assert choice_of(session, teams) is None


def test_all_ready_teams_play_and_the_first_plan_is_taken():
    session = start(prepare(make_team_tournament(teams=6)))
    assert session.status == Session.Status.RUNNING
    assert session.plays.count() == 3 * 5 * 4
    evening = evening_of(session)
    assert (evening.plan.rule, evening.plan.positions) == ("all_meet", 5)
    assert evening.find_resting(1) == []
    for position in range(1, 6):
        seated = Counter(pk for play in session.plays.filter(position=position) for pk in {*play.seat_ids.values()})
        assert sorted(seated) == sorted(session.entrants.values_list("pk", flat=True))
        assert set(seated.values()) == {4}


@pytest.mark.nightly("story")
def test_turns_of_the_badges_go_round_and_on_over_sessions():
    tournament = make_team_tournament(teams=4)
    first = start(prepare(tournament, positions=3))
    second = start(prepare(tournament, positions=3))
    for turns in list_turns(first, second).values():
        begin = tournament.first_badge - 1
        assert turns == [(begin + k) % 3 + 1 for k in range(len(turns))]
    each = list_turns(first)
    assert all(max(Counter(turns).values()) - min(Counter(turns).values()) <= 1 for turns in each.values())


def test_first_colour_is_drawn_once_and_logged():
    tournament = make_team_tournament(teams=4)
    Tournament.objects.update(first_badge=0)
    first = start(prepare(tournament, positions=3))
    drawn = Tournament.objects.get().first_badge
    start(prepare(tournament, positions=3))
    assert Tournament.objects.get().first_badge == drawn
    lines = LogEntry.objects.filter(action__startswith="badge_drawn")
    assert [(line.session_id, line.action) for line in lines] == [(first.pk, f"badge_drawn_{list(Badge)[drawn - 1]}")]


@pytest.mark.nightly("story")
def test_two_lines_give_each_team_its_line():
    session = prepare(make_team_tournament(teams=6), positions=3)
    rules = [each.plan.rule for each in propose_for_teams(session)]
    now, by = timezone.now(), make_director(session.tournament.club)
    choose_team_plan(session_id=session.pk, choice=rules.index("two_lines"), shape=team_shape(session), by=by, now=now)
    session = start(session)
    assert dict(session.entrants.values_list("number", "line")) == dict(zip(range(1, 7), "NNNEEE", strict=True))
    for play in session.plays.select_related("etui"):
        attacking = session.entrants.get(pk=play.seat_ids[play.taker])
        assert (attacking.line == "N") == (play.taker in "NS")


@pytest.mark.nightly("story")
def test_undone_start_can_be_made_again():
    session = start(prepare(make_team_tournament(teams=6), positions=5))
    before = list_turns(session)
    by = make_director(session.tournament.club)
    unstart_session(session_id=session.pk, by=by, now=timezone.now())
    assert not Play.objects.exists()
    assert list_turns(start(session)) == before


def refuse(code: str, call) -> ActionRefused:
    with pytest.raises(ActionRefused) as caught:
        call()
    assert caught.value.code == code
    return caught.value


def test_repeated_meetings_need_a_choice_of_the_director():
    """Ask for a choice: six teams over seven positions repeat meetings."""
    session = prepare(make_team_tournament(teams=6), positions=7)
    refuse("team_plan_to_choose", lambda: start(session))


def test_team_that_is_not_whole_or_has_left_cannot_play():
    tournament = make_team_tournament(teams=5)
    session = prepare(tournament)
    team = Team.objects.get(number=3)
    member = team.members.get(place=2)
    member.ended_at = timezone.now()
    member.save()
    with override("fr"):
        refusal = refuse("team_incomplete", lambda: start(session))
    assert refusal.params == {"name": "Équipe 3", "count": 2, "needed": 3}
    refuse("team_incomplete", lambda: seat_teams(session_id=session.pk, teams=[team.pk], now=timezone.now()))
    team.left_at = timezone.now()
    team.save()
    refuse("team_has_left", lambda: start(session))
    refuse("team_unknown", lambda: seat_teams(session_id=session.pk, teams=[999_999], now=timezone.now()))
    assert [entrant.number for entrant in seat_teams(session_id=session.pk, now=timezone.now())] == [1, 2, 3, 4]


def test_plan_chosen_from_an_old_list_is_refused():
    session = prepare(make_team_tournament(teams=6))
    with pytest.raises(Conflict):
        choose_team_plan(session_id=session.pk, choice=0, shape="5-5-4-0", by=None, now=timezone.now())
    refuse(
        "plan_unknown",
        lambda: choose_team_plan(
            session_id=session.pk, choice=99, shape=team_shape(session), by=None, now=timezone.now()
        ),
    )


@pytest.mark.nightly("story")
def test_stored_plan_is_the_chosen_one():
    session = prepare(make_team_tournament(teams=8), positions=7)
    chosen = propose_for_teams(session)[1]
    version = choose_team_plan(session_id=session.pk, choice=1, shape=team_shape(session), by=None, now=timezone.now())
    assert version.data == write_plan(chosen.plan)
    assert version.code == chosen.code == "all_meet_moving"
    assert start(session).plays.values("etui").distinct().count() == 28


def test_drawn_numbers_are_those_of_the_logged_number():
    session = prepare(make_team_tournament(teams=8), positions=7)
    seat_teams(session_id=session.pk, draw=True, now=timezone.now())
    assert sorted(session.entrants.values_list("number", flat=True)) == [*range(1, 9)]
    assert LogEntry.objects.get(action="teams_drawn").params["count"] == 8
