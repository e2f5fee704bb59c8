"""The rows of teams that the database refuses, and a session of teams made of rows."""

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.evenings.teams.evening import make_team_tournament, triplettes_session
from tournaments.models import Entrant, Play, Team, TeamMember

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("rule", ["all_meet", "two_lines"])
def test_team_meets_each_etui_once_with_its_attacker_named(rule):
    session = triplettes_session(rule=rule)
    plays = list(Play.objects.filter(session=session).select_related("etui"))
    assert plays
    for play in plays:
        attacking = play.seat_ids.pop(play.taker)
        assert len({*play.seat_ids.values()} - {attacking}) == 1
        assert play.badge in (1, 2, 3)
    assert all(entrant.line == ("" if rule == "all_meet" else entrant.line) for entrant in session.entrants.all())


def refuse(constraint: str, make) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        make()


def test_entrant_is_a_player_or_a_team():
    session = triplettes_session()
    team, player = session.entrants.first().team, TeamMember.objects.first().player
    other = Team.objects.create(tournament=session.tournament, number=99, made_at=timezone.now())
    refuse("entrant_is_a_player_or_a_team", lambda: Entrant.objects.create(session=session, line="N", number=98))
    both = {"session": session, "line": "N", "number": 98, "player": player, "team": other}
    refuse("entrant_is_a_player_or_a_team", lambda: Entrant.objects.create(**both))
    refuse(
        "entrant_is_a_player_or_a_team",
        lambda: Entrant.objects.create(session=session, line="", number=98, player=player),
    )
    refuse("entrant_team_once_per_session", lambda: Entrant.objects.create(session=session, number=98, team=team))


def test_player_is_in_one_team_and_a_place_has_one_member():
    tournament = make_team_tournament(teams=2)
    first, second = tournament.teams.order_by("number")
    player = first.members.first().player
    refuse(
        "member_of_one_team_per_tournament",
        lambda: TeamMember.objects.create(tournament=tournament, team=second, player=player, place=4),
    )
    member = second.members.get(place=1)
    refuse(
        "member_place_once_per_team",
        lambda: TeamMember.objects.filter(pk=second.members.get(place=2).pk).update(place=member.place),
    )


def test_two_teams_of_a_tournament_have_two_names():
    tournament = make_team_tournament(teams=2)
    refuse(
        "team_name_once_per_tournament",
        lambda: Team.objects.create(tournament=tournament, number=9, name="les bouts", made_at=timezone.now()),
    )
