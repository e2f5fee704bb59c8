"""The services that change teams; and the refusal to merge players who are in two teams of a tournament."""

import pytest
from django.utils import timezone

from clubs.matching import MatchedLine
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.plans.starting import unstart_session
from evenings.sessions.put_away import delete_tournament
from evenings.teams.changing import (
    add_member,
    choose_captain,
    dissolve_team,
    leave_tournament,
    remove_member,
    rename_team,
    renumber_team,
    return_to_tournament,
)
from evenings.teams.naming import read_public_names
from evenings.teams.substitutes import replace_member, undo_substitute
from registration.people.merging import merge_players, preview_merge, undo_merge
from tests.evenings.teams.evening import make_team_tournament
from tests.evenings.teams.test_starting import prepare, start
from tests.factories import make_director
from tournaments.errors import ActionRefused
from tournaments.models import Entrant, Session, Team, TeamMember, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft() -> Session:
    return prepare(make_team_tournament(teams=6), positions=3)


@pytest.fixture
def running(draft) -> Session:
    return start(draft)


@pytest.fixture
def told(draft):
    """Return the arguments that all services share."""
    return {"tournament_id": draft.tournament_id, "by": make_director(draft.tournament.club), "now": timezone.now()}


def make_player(session: Session, name: str = "Zoé Aaa"):
    first, last = name.split()
    return add_players(club=session.tournament.club, lines=[RosterLine(last, first)])[0]


def team(session: Session, number: int) -> Team:
    return session.tournament.teams.get(number=number)


def actions(session: Session) -> list[str]:
    return list(session.log.filter(action__regex="^(team_|member_)").order_by("id").values_list("action", flat=True))


def test_team_gets_a_name_that_no_other_has(draft, told):
    one = team(draft, 1)
    with pytest.raises(ActionRefused, match="team_name_taken"):
        rename_team(team_id=one.pk, name="les bouts", **told)
    assert rename_team(team_id=one.pk, name=" Les  Excuses", **told).name == "Les Excuses"
    rename_team(team_id=one.pk, name="Les Excuses", **told)
    assert rename_team(team_id=team(draft, 2).pk, name="LES BOUTS", **told).name == "LES BOUTS"
    assert actions(draft) == ["team_renamed", "team_renamed"]


def test_captain_is_a_member(draft, told):
    one, other = team(draft, 1), team(draft, 2).members.get(place=1).player_id
    with pytest.raises(ActionRefused, match="captain_not_in_team"):
        choose_captain(team_id=one.pk, player_id=other, **told)
    mate = one.members.get(place=3).player_id
    assert choose_captain(team_id=one.pk, player_id=mate, **told).captain_id == mate


def test_numbers_are_exchanged_until_a_session_starts(draft, told):
    one, four = team(draft, 1), team(draft, 4)
    renumber_team(team_id=one.pk, number=4, **told)
    assert (team(draft, 4), team(draft, 1)) == (one, four)
    with pytest.raises(ActionRefused, match="team_number"):
        renumber_team(team_id=one.pk, number=0, **told)
    start(draft)
    with pytest.raises(ActionRefused, match="team_numbers_fixed"):
        renumber_team(team_id=one.pk, number=1, **told)


def test_members_come_and_go_before_the_start_and_badges_follow(draft, told):
    one = team(draft, 1)
    gone = one.members.get(place=1).player_id
    remove_member(team_id=one.pk, player_id=gone, **told)
    remove_member(team_id=one.pk, player_id=gone, **told)
    one.refresh_from_db()
    assert list(one.members.values_list("place", flat=True)) == [1, 2]
    assert one.captain_id == one.members.get(place=1).player_id
    player = make_player(draft)
    assert add_member(team_id=one.pk, player=player.pk, **told).place == 1
    assert add_member(team_id=one.pk, player=player.pk, **told).place == 1
    with pytest.raises(ActionRefused, match="team_full"):
        add_member(team_id=one.pk, player=make_player(draft, "Eva Bbb").pk, **told)
    assert actions(draft) == ["member_removed", "member_added"]
    start(draft)
    with pytest.raises(ActionRefused, match="team_has_played"):
        remove_member(team_id=one.pk, player_id=player.pk, **told)


def test_member_leaves_a_team_that_has_not_played():
    tournament = make_team_tournament(teams=1)
    first = tournament.teams.get().members.first()
    told = {"by": None, "now": timezone.now()}
    team = remove_member(tournament_id=tournament.pk, team_id=first.team_id, player_id=first.player_id, **told)
    assert (team.members.count(), team.members.filter(player=first.player_id).exists()) == (2, False)


@pytest.mark.nightly("story")
def test_badges_follow_names_until_the_first_start(draft, told):
    last = team(draft, 1).members.get(place=3)
    last.player.last_name = "Aaa"
    last.player.save()
    start(draft)
    last.refresh_from_db()
    assert last.place == 1
    last.player.last_name = "Zzz"
    last.player.save()
    rename_team(team_id=last.team_id, name="Autre", **told)
    last.refresh_from_db()
    assert last.place == 1
    unstart_session(session_id=draft.pk, now=told["now"])
    start(draft)
    last.refresh_from_db()
    assert last.place == 3


def test_dissolved_team_leaves_no_gap_in_the_numbers_of_the_session(draft, told):
    three = team(draft, 3)
    dissolve_team(team_id=three.pk, **told)
    dissolve_team(team_id=three.pk, **told)
    seated = draft.entrants.order_by("number").values_list("number", "team__number")
    assert list(seated) == [(1, 1), (2, 2), (3, 4), (4, 5), (5, 6)]


def test_team_that_played_is_not_dissolved_but_leaves_with_a_reason(running, told):
    one = team(running, 1)
    with pytest.raises(ActionRefused, match="team_has_played"):
        dissolve_team(team_id=one.pk, **told)
    with pytest.raises(ActionRefused, match="reason_for_leaving"):
        leave_tournament(team_id=one.pk, reason=" ", **told)
    with pytest.raises(ActionRefused, match="team_plays_now"):
        leave_tournament(team_id=one.pk, reason="malade", **told)
    Entrant.objects.filter(team=one).update(last_position=1)
    assert leave_tournament(team_id=one.pk, reason="malade", **told).left_reason == "malade"
    assert return_to_tournament(team_id=one.pk, **told).left_at is None
    assert actions(running) == ["team_left", "team_back"]


def test_substitute_takes_the_place_from_a_position_on_and_is_undone(running, told):
    one = team(running, 1)
    member, player = one.members.get(place=2), make_player(running)
    asked = {"member_id": member.pk, "player": player.pk, "session_id": running.pk, "position": 2}
    came = replace_member(**asked, **told)
    assert replace_member(**asked, **told) == came
    member.refresh_from_db()
    assert (came.place, came.from_session_id, came.from_position, came.replaces_id) == (2, running.pk, 2, member.pk)
    assert (member.until_session_id, member.until_position) == (running.pk, 1)
    assert member.ended_at is not None
    assert undo_substitute(member_id=came.pk, **told) == member
    member.refresh_from_db()
    assert (member.ended_at, member.until_session_id) == (None, None)
    assert not TeamMember.objects.filter(player=player).exists()
    assert actions(running) == ["member_replaced", "member_back"]


def test_substitute_from_now_of_a_captain_who_played_nothing(running, told):
    one = team(running, 1)
    member = one.members.get(player=one.captain_id)
    came = replace_member(member_id=member.pk, player=make_player(running).pk, **told)
    member.refresh_from_db()
    one.refresh_from_db()
    assert (came.from_session_id, came.from_position) == (running.pk, 1)
    assert (member.until_session_id, member.until_position) == (None, None)
    assert one.captain_id == came.player_id


def test_team_that_has_left_gets_no_substitute(draft, told):
    one = team(draft, 1)
    Team.objects.filter(pk=one.pk).update(left_at=timezone.now())
    with pytest.raises(ActionRefused, match="team_has_left"):
        replace_member(member_id=one.members.get(place=1).pk, player=make_player(draft).pk, **told)


def test_substitute_who_is_new_is_added_to_the_list_once(draft, told):
    member, line = team(draft, 1).members.get(place=3), MatchedLine(RosterLine("Loin", "Guy"))
    came = replace_member(member_id=member.pk, player=line, reason="blessé", **told)
    assert (came.player.name, draft.tournament.club.players.filter(last_name="Loin").count()) == ("Guy Loin", 1)


def test_substitute_before_the_start_leaves_no_former_member(draft, told):
    one = team(draft, 1)
    member = one.members.get(place=3)
    came = replace_member(member_id=member.pk, player=make_player(draft).pk, **told)
    assert came.place == 1
    assert one.members.count() == 3


def test_outsider_needs_a_reason_and_comes_to_the_list(running, told):
    member, line = team(running, 1).members.get(place=1), RosterLine("Loin", "Guy")
    with pytest.raises(ActionRefused, match="reason_for_outsider"):
        replace_member(member_id=member.pk, player=line, **told)
    assert not running.tournament.club.players.filter(last_name="Loin").exists()
    came = replace_member(member_id=member.pk, player=line, reason="blessé", **told)
    assert (came.player.name, came.reason) == ("Guy Loin", "blessé")


def test_substitute_of_another_team_or_at_no_position_is_refused(running, told):
    member, other = team(running, 1).members.get(place=1), team(running, 2).members.get(place=1)
    with pytest.raises(ActionRefused, match="player_in_a_team"):
        replace_member(member_id=member.pk, player=other.player_id, **told)
    asked = {"player": make_player(running).pk, "session_id": running.pk}
    for position in (-1, 4):
        with pytest.raises(ActionRefused, match="substitute_when"):
            replace_member(member_id=member.pk, position=position, **asked, **told)
    came = replace_member(
        member_id=member.pk, player=make_player(running).pk, session_id=running.pk, position=2, **told
    )
    with pytest.raises(ActionRefused, match="substitute_too_early"):
        replace_member(
            member_id=came.pk, player=make_player(running, "Eva Bbb").pk, session_id=running.pk, position=2, **told
        )


def test_players_of_two_teams_are_not_merged(draft, told):
    one, other = (team(draft, number).members.get(place=1).player for number in (1, 2))
    assert preview_merge(one, other).apart.code == "players_in_two_teams"
    who = {"club": draft.tournament.club, "by": told["by"], "now": told["now"]}
    with pytest.raises(ActionRefused) as refused:
        merge_players(kept_id=one.pk, gone_id=other.pk, **who)
    assert refused.value.code == "players_in_two_teams"
    assert (refused.value.params["team"], refused.value.params["other_team"]) == (1, 2)


@pytest.mark.nightly("story")
def test_merge_moves_memberships_and_its_undoing_moves_them_back(draft, told):
    member, kept = team(draft, 1).members.get(place=1), make_player(draft)
    who = {"club": draft.tournament.club, "by": told["by"], "now": told["now"]}
    gone = member.player
    Team.objects.filter(pk=member.team_id).update(captain=gone)
    merge = merge_players(kept_id=kept.pk, gone_id=gone.pk, **who)
    member.refresh_from_db()
    assert (member.player, team(draft, 1).captain) == (kept, kept)
    undo_merge(merge_id=merge.pk, **who)
    member.refresh_from_db()
    assert (member.player, team(draft, 1).captain) == (gone, gone)


def test_readers_see_the_number_if_the_name_tells_a_hidden_member(draft, told, django_assert_max_num_queries):
    hidden = team(draft, 1).members.get(place=1).player
    rename_team(team_id=team(draft, 1).pk, name=f"Les amis de {hidden.last_name.upper()}", **told)
    teams = list(draft.tournament.teams.all())
    assert read_public_names(teams)[team(draft, 1).pk] == f"Les amis de {hidden.last_name.upper()}"
    type(hidden.person).objects.filter(pk=hidden.person_id).update(shown="hidden")
    with django_assert_max_num_queries(2):
        names = read_public_names(teams)
    assert [names[each.pk] for each in teams][:3] == [teams[0].numbered, "Les Bouts", teams[2].numbered]


def test_name_stays_hidden_after_the_member_has_left_or_was_erased(running, told):
    member = team(running, 2).members.get(place=1)
    replace_member(member_id=member.pk, player=make_player(running).pk, **told)
    who = member.player
    who.last_name = "Bouts"
    who.save()
    type(who.person).objects.filter(pk=who.person_id).update(shown="initials")
    two = team(running, 2)
    assert read_public_names([two]) == {two.pk: two.numbered}
    type(who.person).objects.filter(pk=who.person_id).update(shown="name")
    assert read_public_names([two]) == {two.pk: "Les Bouts"}
    who.erased_at, who.erased_number = timezone.now(), 1
    who.save()
    assert read_public_names([two]) == {two.pk: two.numbered}


def test_tournament_without_results_is_deleted_with_its_teams(draft, told):
    one = team(draft, 1)
    member = one.members.get(place=1)
    TeamMember.objects.filter(pk=member.pk).update(ended_at=told["now"])
    spare = TeamMember(tournament=one.tournament, team=one, player=make_player(draft), place=1, replaces=member)
    spare.save()
    delete_tournament(tournament_id=draft.tournament_id, by=told["by"])
    assert (Tournament.objects.count(), Team.objects.count(), TeamMember.objects.count()) == (0, 0, 0)
    assert draft.tournament.club.players.count() == 19


def test_session_in_which_a_team_changed_is_not_deleted(running, told):
    TeamMember.objects.filter(team=team(running, 1), place=1).update(from_session=running)
    with pytest.raises(ActionRefused, match="session_has_results"):
        delete_tournament(tournament_id=running.tournament_id, by=told["by"])
    assert running.tournament.teams.count() == 6
