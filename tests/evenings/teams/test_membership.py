"""The one rule of who belonged to a team in which position, and both of its readers: entering and the report."""

import pytest
from django.utils import timezone

from clubs.roster import RosterLine
from evenings.plays.attackers import members_in, members_of
from evenings.teams.membership import JOINS, find_span, was_active
from evenings.teams.substitutes import replace_member as replace_by_service
from rankings.publication.teams import find_attacker, read_members
from tests.evenings.teams.evening import make_team_tournament
from tests.evenings.teams.playing import replace_member, start_sessions
from tests.factories import make_director
from tournaments.models import Session, TeamMember

pytestmark = pytest.mark.django_db


@pytest.fixture
def sessions() -> list[Session]:
    return start_sessions(make_team_tournament(teams=4), ["all_meet"] * 3)


@pytest.fixture
def member(sessions) -> TeamMember:
    return TeamMember.objects.get(team__number=3, place=2)


def spans(one: TeamMember) -> list[tuple[int, int | None] | None]:
    """Return the member's first and last position in sessions 1 to 3."""
    found = TeamMember.objects.select_related(*JOINS).get(pk=one.pk)
    return [find_span(found, number) for number in (1, 2, 3)]


@pytest.mark.nightly("story")
def test_member_from_the_start_is_there_all_along(member):
    assert spans(member) == [(1, None)] * 3


@pytest.mark.nightly("story")
def test_substitute_takes_over_from_a_position_on(sessions, member):
    new = replace_member(member, sessions[1], 2)
    assert spans(member) == [(1, None), (1, 1), None]
    assert spans(new) == [None, (2, None), (1, None)]


def substitute(member: TeamMember, **when: int) -> TeamMember:
    """Let a new player replace the member, by the service."""
    return replace_by_service(
        tournament_id=member.tournament_id,
        member_id=member.pk,
        player=RosterLine("Ersatz", "Zoé"),
        reason="malade",
        by=make_director(member.tournament.club),
        now=timezone.now(),
        **when,
    )


@pytest.mark.nightly("story")
def test_substitute_from_the_first_position_leaves_the_other_nothing_of_the_session(sessions, member):
    new = substitute(member, session_id=sessions[1].pk, position=1)
    assert spans(member) == [(1, 3), None, None]
    assert spans(new) == [None, (1, None), (1, None)]


def test_substitute_named_between_two_sessions_was_not_there_before():
    """Store no first session for the substitute: the membership then begins after that of the member before."""
    tournament = make_team_tournament(teams=4)
    (first,) = start_sessions(tournament, ["all_meet"])
    Session.objects.filter(pk=first.pk).update(closed_at=timezone.now())
    member = TeamMember.objects.get(team__number=3, place=2)
    new = substitute(member)
    assert new.from_session is None
    start_sessions(tournament, ["all_meet"] * 2)
    assert spans(member) == [(1, 3), None, None]
    assert spans(new) == [None, (1, None), (1, None)]
    check_both_readers(first, dict.fromkeys((1, 2, 3), member))


@pytest.mark.nightly("story")
def test_member_who_left_without_playing_was_never_there(member):
    TeamMember.objects.filter(pk=member.pk).update(ended_at=timezone.now())
    assert spans(member) == [None] * 3


@pytest.mark.nightly("story")
def test_member_who_left_within_a_position_played_it_and_the_substitute_is_named(sessions, member):
    """Store times that overlap, as an archive may hold them: both were there, and the newer member is named."""
    new = replace_member(member, sessions[0], 2)
    TeamMember.objects.filter(pk=member.pk).update(until_position=2)
    assert spans(member)[0] == (1, 2)
    check_both_readers(sessions[0], {1: member, 2: new, 3: new})


@pytest.mark.nightly("story")
def test_entering_and_the_report_name_the_same_attacker(sessions, member):
    new = replace_member(member, sessions[1], 2)
    check_both_readers(sessions[0], dict.fromkeys((1, 2, 3), member))
    check_both_readers(sessions[1], {1: member, 2: new, 3: new})
    check_both_readers(sessions[2], dict.fromkeys((1, 2, 3), new))


def check_both_readers(session: Session, expected: dict[int, TeamMember]) -> None:
    """Check the attacker of team 3 with badge 2 in each position, as the table and the report name them."""
    reported, rows, seen = read_members([session.pk]), members_of([expected[1].team_id]), set()
    entrant = session.entrants.get(team=expected[1].team_id)
    for play in session.plays.filter(badge=2).select_related("session", "etui"):
        if play.seat_ids[play.etui.taker] != entrant.pk:
            continue
        wanted = expected[play.position]
        assert members_in(play, rows, entrant.team_id)[2] == wanted
        assert find_attacker(play, None, reported) == wanted.player_id
        there = TeamMember.objects.select_related(*JOINS).get(pk=wanted.pk)
        assert was_active(there, session.number, play.position)
        seen.add(play.position)
    assert seen
