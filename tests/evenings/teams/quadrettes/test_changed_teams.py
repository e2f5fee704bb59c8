"""A team of quadrettes that changes after its line-up is in: substitutes, players who go, a start that is undone."""

import pytest
from django.utils import timezone

from archives.privacy.erasing import leave_teams
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plans.starting import unstart_session
from evenings.teams.changing import dissolve_team, remove_member
from evenings.teams.lineups import read_line_ups, read_seat_places
from evenings.teams.substitutes import replace_member
from tests.evenings.teams.test_quadrettes import (
    find_member,
    line_up,
    list_attackers,
    make_quadrettes,
    prepare,
    start,
)
from tests.factories import make_director
from tournaments.models import LineUp, Session, TeamMember

pytestmark = pytest.mark.django_db


@pytest.mark.nightly("story")
def test_substitute_before_the_first_session_takes_over_the_seat_in_the_line_up():
    session = prepare(make_quadrettes(4), positions=3)
    stored = line_up(session, 1, "3124")
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Dernière", "Heure")])
    told = {"member_id": find_member(1, 3).pk, "player": player.pk, "by": make_director(session.tournament.club)}
    for _time in range(2):
        new = replace_member(tournament_id=session.tournament_id, now=timezone.now(), **told)
    assert read_line_ups(session)[stored.team_id].attacker == new
    assert new.player == player
    assert TeamMember.objects.filter(team=stored.team_id).count() == 4
    start(session)
    assert list_attackers(session)[1] == {new.place}


@pytest.mark.parametrize("way", ["remove", "dissolve", "erase"])
def test_team_that_loses_a_member_before_its_first_session_loses_its_line_up(way):
    session = prepare(make_quadrettes(4), positions=3)
    team, member = line_up(session, 1, "3124").team, find_member(1, 3)
    other = line_up(session, 2, "3124")
    told = {"tournament_id": session.tournament_id, "team_id": team.pk, "now": timezone.now()}
    by = make_director(session.tournament.club)
    if way == "remove":
        remove_member(player_id=member.player_id, by=by, **told)
    elif way == "dissolve":
        dissolve_team(by=by, **told)
    else:
        leave_teams([member.player_id], now=timezone.now())
    assert not TeamMember.objects.filter(pk=member.pk).exists()
    assert list(LineUp.objects.all()) == [other]


@pytest.mark.nightly("print")
def test_papers_seat_a_substitute_who_came_after_an_undone_start():
    session = prepare(make_quadrettes(4), positions=3)
    team = line_up(session, 1, "3124").team
    start(session)
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Aaa", "Anne")])
    told = {"member_id": find_member(1, 3).pk, "player": player.pk, "by": make_director(session.tournament.club)}
    replace_member(tournament_id=session.tournament_id, now=timezone.now(), **told)
    unstart_session(session_id=session.pk, by=told["by"], now=timezone.now())
    start(Session.objects.get(pk=session.pk))
    (seated,) = read_seat_places(session)[team.pk]
    assert seated.places == {seat: each.place for seat, each in read_line_ups(session)[team.pk].members.items()}
    assert sorted(seated.places.values()) == [1, 2, 3, 4]
