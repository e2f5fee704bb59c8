"""The entrants by which a player played in teams: the database finds what the rule of memberships says."""

from itertools import product

import pytest
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.teams.membership import JOINS, find_entries, find_span, list_playing_members
from tests.evenings.teams.evening import make_team_tournament
from tests.evenings.teams.playing import start_sessions
from tournaments.models import Entrant, TeamMember

pytestmark = pytest.mark.django_db


@pytest.fixture
def sessions():
    return start_sessions(make_team_tournament(teams=4), ["all_meet"] * 3, positions=3)


def add_member(team, place, **told):
    """Add a former or present member to a team, whatever the others are."""
    (player,) = add_players(club=team.tournament.club, lines=[RosterLine("Autre", f"Jo{place}")])
    return TeamMember.objects.create(tournament=team.tournament, team=team, player=player, place=place, **told)


@pytest.mark.nightly("story")
def test_database_and_rule_agree_on_every_membership(sessions):
    team, now = sessions[0].tournament.teams.get(number=1), timezone.now()
    begins = [{}, *({"from_session": one, "from_position": at} for one in sessions for at in (1, 3))]
    ends = [{}, {"ended_at": now}]
    ends += [{"ended_at": now, "until_session": one, "until_position": at} for one in sessions for at in (2, 3)]
    place = 10
    for begin, end in product(begins, ends):
        add_member(team, place := place + 1, **begin, **end)
    for end, own in product(ends[1:], ends):
        before = add_member(team, place := place + 1, **end)
        add_member(team, place := place + 1, replaces=before, **own)
    for member in team.members.select_related(*JOINS):
        found = set(find_entries([member.player_id]).values_list("session", flat=True))
        wanted = {session.pk for session in sessions if find_span(member, session.number) is not None}
        assert (vars(member), found) == (vars(member), wanted)
    assert place > 100


@pytest.mark.nightly("story")
def test_entries_are_those_of_the_player_alone_and_in_teams(sessions):
    member = TeamMember.objects.filter(team__number=2).first()
    found = find_entries([member.player_id])
    assert set(found) == set(Entrant.objects.filter(team=member.team_id))
    assert set(find_entries(type(member.player).objects.filter(pk=member.player_id).values("pk"))) == set(found)
    assert not find_entries([]).exists()


@pytest.mark.nightly("crawl")
def test_members_of_a_session_are_read_by_two_queries(sessions, django_assert_num_queries):
    with django_assert_num_queries(2):
        found = list_playing_members(sessions[0])
    assert [(one.entrant.number, one.member.place) for one in found] == list(product(range(1, 5), (1, 2, 3)))
