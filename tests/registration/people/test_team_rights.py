"""The rights of people who sign up as a team: accounts, links, places, the undoing, and a player in two teams."""

import pytest
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.whom import whom_of_account
from clubs.models import Player
from clubs.players import add_players
from clubs.roster import RosterLine
from registration.people.applicants import NewApplicant, call_down, call_team, list_down, list_teams_down
from registration.people.links import find_renewed
from registration.people.merging import merge_players
from registration.people.registration import accept_applicant, check_in, decline, register, withdraw
from registration.people.teams import (
    PresentPlayer,
    accept_team,
    agree,
    check_in_team,
    decline_team,
    name_player,
    put_back_team,
    register_team,
    return_team,
    take_out,
    walk_in_player,
    walk_in_team,
    withdraw_team,
)
from tests import shared_evenings
from tests.evenings.teams.evening import make_teams
from tests.factories import make_user
from tests.registration.people.test_team_registration import (
    director,
    opened,
    refused,
    seat,
    set_places,
    sign_up,
    sign_up_all,
    state,
)
from tournaments.models import Applicant, Registration, Session, Team, TeamMember

pytestmark = pytest.mark.django_db
session = shared_evenings.new_session_of_teams
__all__ = ["director", "opened"]


def row(last) -> Applicant:
    return Applicant.objects.get(last_name=last)


def say_yes(last, **more) -> Applicant | None:
    return agree(token=row(last).token, now=timezone.now(), **more)


def account_of(session, last, username):
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine(last, "")])
    player.account = make_user(username)
    player.save()
    return player.account


def check_in_all(session, *captains) -> None:
    for each in captains:
        check_in_team(session_id=session.pk, captain_id=each.pk, now=timezone.now())


# Accounts


@pytest.mark.nightly("story")
def test_captain_who_agrees_for_others_ties_the_account_to_nobody_else(session, opened, director):
    account = account_of(session, "Brun", "zoe")
    sign_up(session, "Brun", "Petit", "Adam", user=account)
    for last in ("Petit", "Adam"):
        say_yes(last, user=account)
    assert [row(last).user for last in ("Brun", "Petit", "Adam")] == [account, None, None]
    assert erase(whom_of_account(account), by=director, now=timezone.now())
    assert [row(last).withdrawn_at for last in ("Petit", "Adam")] == [None, None]
    assert {each.last_name for each in list_teams_down(session)[0].members} == {"Petit", "Adam"}


def test_player_who_agrees_with_the_own_account_is_tied_to_it(session, opened):
    account = account_of(session, "Petit", "max")
    sign_up(session, "Brun", "Petit")
    say_yes("Petit", user=account)
    assert row("Petit").user == account


def test_one_account_cannot_agree_for_a_whole_team_where_accounts_are_asked_for(session, director):
    set_places(session, director, None, way=Registration.RegistrationWay.ACCOUNT)
    account = account_of(session, "Brun", "zoe")
    sign_up(session, "Brun", "Petit", "Adam", user=account)
    for last in ("Petit", "Adam"):
        refused("registration_own_account", agree, token=row(last).token, user=account)
    assert state(session) == {"Brun": "lacks"}
    say_yes("Petit", user=account_of(session, "Petit", "max"))
    assert row("Petit").agreed_at is not None


# Links


def test_player_gets_a_new_link_on_agreeing_and_the_captain_cannot_use_the_old_one(session, opened):
    sign_up(session, "Brun", "Petit", "Adam")
    old = row("Petit").token
    mine = say_yes("Petit")
    assert mine.token not in {old, row("Brun").token}
    assert len(mine.token) == len(old) == 43
    assert withdraw(token=old, now=timezone.now()) is None
    assert agree(token=old, now=timezone.now()) is None
    assert row("Petit").withdrawn_at is None
    assert find_renewed(old) == mine
    assert find_renewed("x" * 43) is None


def test_form_sent_twice_gives_one_new_link(session, opened):
    sign_up(session, "Brun", "Petit")
    sign_up(session, "Noir", "Vert")
    mine = say_yes("Petit", once="o" * 43)
    assert say_yes("Petit", once="p" * 43).token == mine.token
    assert say_yes("Vert", once="o" * 43).token != mine.token


def test_new_captain_has_links_that_the_former_one_does_not_know(session, opened):
    captain = sign_up(session, "Brun", "Petit", "Adam")
    known = {row(last).token for last in ("Petit", "Adam")}
    own = say_yes("Petit").token
    withdraw(token=captain.token, now=timezone.now())
    assert row("Petit").token == own
    assert row("Adam").token not in known
    say_yes("Adam")
    assert {find_renewed(token).last_name for token in known} == {"Petit", "Adam"}


def test_heir_whom_the_desk_marked_as_present_gets_a_link_that_nobody_knows(session, opened):
    captain = sign_up(session, "Brun", "Petit")
    known = row("Petit").token
    check_in(session_id=session.pk, applicant_id=row("Petit").pk, present=True, now=timezone.now())
    withdraw(token=captain.token, now=timezone.now())
    assert (row("Petit").captain, row("Petit").token == known) == (None, False)


def test_player_whom_a_director_removed_does_not_come_back_by_the_link(session, opened, director):
    captain, two, _three = sign_up_all(session, "Brun", "Petit", "Adam")
    decline(session_id=session.pk, applicant_id=two.pk, by=director, now=timezone.now())
    refused("registration_removed", agree, token=row("Petit").token)
    decline(session_id=session.pk, applicant_id=captain.pk, by=director, now=timezone.now())
    refused("registration_removed", agree, token=captain.token)
    refused("registration_removed", return_team, token=captain.token)
    assert [each.applicant.last_name for each in list_down(session)] == ["Adam"]


# Places


def test_old_team_without_answers_does_not_take_the_place_of_a_complete_one(session, director):
    set_places(session, director, 1)
    sign_up(session, "Adam", "Petit")
    sign_up_all(session, "Noir", "Vert", "ADAM")
    sign_up_all(session, "Roux", "Gris", "Rose")
    assert state(session) == {"Noir": "place", "Roux": "waits 1", "Adam": "lacks"}
    twice = {each.applicant.pk for each in list_down(session) if each.twice}
    assert twice == {Applicant.objects.filter(last_name="Adam").get().pk}


def test_among_answers_the_first_one_has_the_name(session, opened):
    early, late = sign_up(session, "Brun", "Adam"), sign_up(session, "Noir", "ADAM")
    agree(token=late.named.get().token, now=timezone.now())
    agree(token=early.named.get().token, now=timezone.now())
    twice = {each.applicant.pk for each in list_down(session) if each.twice}
    assert twice == {early.named.get().pk}


@pytest.mark.nightly("story")
def test_name_that_a_director_accepts_moves_a_team_up_and_the_log_says_so(session, director):
    set_places(session, director, 1)
    sign_up_all(session, "Brun", "Petit", "Adam")
    other = sign_up_all(session, "Noir", "Vert", "ADAM")
    sign_up_all(session, "Roux", "Gris", "Rose")
    withdraw_team(token=row("Brun").token, now=timezone.now())
    assert state(session) == {"Noir": "place", "Roux": "waits 1"}
    moved = {entry.params["name"] for entry in session.log.filter(action="registration_moved_up")}
    assert moved == {each.name for each in other}


@pytest.mark.nightly("story")
def test_second_name_accepted_at_the_desk_gives_its_team_the_place_before_later_ones(session, director):
    set_places(session, director, 2)
    sign_up_all(session, "Brun", "Petit", "Adam")
    twice = sign_up_all(session, "Noir", "Vert", "ADAM")
    sign_up_all(session, "Roux", "Gris", "Rose")
    assert state(session) == {"Brun": "place", "Noir": "waits 1", "Roux": "place"}
    for each in (row("Adam"), twice[2]):
        accept_applicant(session_id=session.pk, applicant_id=each.pk, now=timezone.now())
    assert state(session) == {"Brun": "place", "Noir": "place", "Roux": "waits 1"}
    assert all(Applicant.objects.get(pk=each.pk).moved_up_at for each in twice)
    assert session.log.filter(action="registration_moved_up").count() == 3


# The undoing


def test_withdrawn_team_comes_back_whole_by_one_click(session, director):
    set_places(session, director, 1)
    captain = sign_up_all(session, "Brun", "Petit", "Adam", name="Les Bouts")[0]
    withdraw_team(token=captain.token, now=timezone.now())
    for _time in range(2):
        assert return_team(token=captain.token, now=timezone.now()) == captain
    assert state(session) == {"Brun": "place"}
    assert [each.last_name for each in list_teams_down(session)[0].members] == ["Brun", "Petit", "Adam"]
    assert session.log.filter(action="registration_back").count() == 3


@pytest.mark.nightly("story")
def test_withdrawn_team_whose_place_is_taken_waits_behind_the_others(session, director):
    set_places(session, director, 1)
    captain = sign_up_all(session, "Brun", "Petit", "Adam")[0]
    sign_up_all(session, "Noir", "Vert", "Bleu")
    sign_up_all(session, "Roux", "Gris", "Rose")
    withdraw_team(token=captain.token, now=timezone.now())
    return_team(token=captain.token, now=timezone.now())
    assert state(session) == {"Noir": "place", "Roux": "waits 1", "Brun": "waits 2"}


def test_player_who_left_before_stays_away_when_the_team_comes_back(session, opened):
    captain, two, _three = sign_up_all(session, "Brun", "Petit", "Adam")
    withdraw(token=row("Petit").token, now=timezone.now())
    withdraw_team(token=captain.token, now=timezone.now())
    return_team(token=captain.token, now=timezone.now())
    assert [each.last_name for each in list_teams_down(session)[0].members] == ["Brun", "Adam"]
    assert row("Petit").pk == two.pk


def test_director_puts_a_removed_team_back(session, opened, director):
    captain = sign_up_all(session, "Brun", "Petit", "Adam")[0]
    asked = {"session_id": session.pk, "captain_id": captain.pk, "by": director, "now": timezone.now()}
    decline_team(**asked)
    put_back_team(**asked)
    assert state(session) == {"Brun": "place"}
    assert not Applicant.objects.filter(declined=True).exists()


def test_captain_whose_players_had_not_answered_is_logged_with_them(session, opened):
    captain = sign_up(session, "Brun", "Petit", "Adam")
    withdraw(token=captain.token, now=timezone.now())
    told = session.log.filter(action="registration_withdrawn")
    assert {entry.params["name"] for entry in told} == {"Brun", "Petit", "Adam"}
    assert return_team(token=captain.token, now=timezone.now())
    assert state(session) == {"Brun": "lacks"}


# What is refused


def test_links_change_nothing_once_the_evening_is_cancelled(session, opened):
    captain = sign_up(session, "Brun", "Petit")
    Session.objects.filter(pk=session.pk).update(put_away_at=timezone.now())
    for call, given in (
        (agree, {"token": row("Petit").token}),
        (name_player, {"token": captain.token, "asked": NewApplicant("Autre")}),
        (take_out, {"token": captain.token, "applicant_id": row("Petit").pk}),
        (withdraw_team, {"token": captain.token}),
        (return_team, {"token": captain.token}),
    ):
        refused("registration_cancelled", call, **given)


def test_teams_and_single_players_sign_up_each_for_their_own_sessions(session, opened):
    refused("players_not_played", register, session_id=session.pk, asked=NewApplicant("Seul"))
    type(session.tournament).objects.filter(pk=session.tournament_id).update(format="individual")
    refused("teams_not_played", register_team, session_id=session.pk, captain=NewApplicant("Brun"))
    assert not Applicant.objects.exists()


def test_second_form_of_the_same_account_or_form_loses_nothing(session, opened):
    account = make_user("zoe")
    for given in ({"user": account}, {"once": "o" * 43}):
        captain = f"Chef{len(given)}{next(iter(given))}"
        first = sign_up(session, captain, "Petit", name="Les Bouts", **given)
        assert sign_up(session, captain, "PETIT", name="Les Bouts", **given) == first
        asked = {"session_id": session.pk, "captain": NewApplicant(captain), **given}
        for more in ({"named": [NewApplicant("Neuf")]}, {"name": "Autre nom"}):
            refused("team_signed_up_already", register_team, **asked, **more)
    assert Applicant.objects.count() == 4


def test_member_of_a_team_who_signs_up_another_one_is_told_so(session, opened):
    account = account_of(session, "Petit", "max")
    sign_up(session, "Brun", "Petit")
    say_yes("Petit", user=account)
    asked = {"session_id": session.pk, "captain": NewApplicant("Petit"), "named": [NewApplicant("Noir")]}
    refused("team_signed_up_already", register_team, **asked, user=account)
    assert row("Petit").team_name == ""


# The door


def test_present_teams_that_share_a_player_are_named_and_nothing_changes(session, opened, director):
    first = sign_up_all(session, "Brun", "Petit", "Adam", name="Les Bouts")
    second = sign_up_all(session, "Noir", "Vert", "ADAM")
    check_in_all(session, first[0], second[0])
    with pytest.raises(Exception, match="player_in_two_lists") as caught:
        seat(session, director)
    assert caught.value.params == {"name": "ADAM", "team": "Les Bouts", "other": "Noir"}
    assert not Team.objects.exists()
    assert not Player.objects.exists()
    decline(session_id=session.pk, applicant_id=second[2].pk, by=director, now=timezone.now())
    assert [entrant.team.name for entrant in seat(session, director)] == ["Les Bouts"]


def test_team_whose_players_come_in_two_teams_is_not_taken_over(session, opened, director):
    make_teams(session.tournament, 1)
    players = [member.player for member in TeamMember.objects.order_by("place")]
    before = list(TeamMember.objects.values_list("team", "player"))
    for own, others in ((players[:1], ("Neuf", "Vert")), (players[1:], ("Noir",))):
        people = [PresentPlayer(NewApplicant(each.last_name, each.first_name), each) for each in own]
        people += [PresentPlayer(NewApplicant(each)) for each in others]
        walk_in_team(session_id=session.pk, people=people, by=director, now=timezone.now())
    with pytest.raises(Exception, match="team_parted"):
        seat(session, director)
    assert list(TeamMember.objects.values_list("team", "player")) == before


def test_player_merged_after_the_check_in_is_the_one_that_is_left(session, opened, director):
    captain = sign_up_all(session, "Brun", "Petit", "Adam")[0]
    check_in_all(session, captain)
    seat(session, director)
    gone = Player.objects.get(last_name="Petit")
    (kept,) = add_players(club=session.tournament.club, lines=[RosterLine("Petit", "Max")])
    club = session.tournament.club
    merge_players(club=club, kept_id=kept.pk, gone_id=gone.pk, by=director, now=timezone.now())
    (entrant,) = seat(session, director)
    assert kept.pk in entrant.team.members.filter(ended_at=None).values_list("player", flat=True)
    assert Team.objects.count() == 1


def test_check_in_taken_back_takes_back_the_agreement_that_it_made(session, opened):
    sign_up(session, "Brun", "Petit", "Adam")
    say_yes("Petit")
    for last in ("Brun", "Petit", "Adam"):
        asked = {"session_id": session.pk, "applicant_id": row(last).pk, "now": timezone.now()}
        check_in(present=True, **asked)
    assert state(session) == {"Brun": "place"}
    for last in ("Petit", "Adam"):
        check_in(session_id=session.pk, applicant_id=row(last).pk, present=False, now=timezone.now())
    assert [row(last).agreed_at is not None for last in ("Brun", "Petit", "Adam")] == [True, True, False]
    check_in_all(session, row("Brun"))
    assert state(session) == {"Brun": "place"}


def test_page_with_a_former_captain_is_out_of_date(session, opened, director):
    captain = sign_up_all(session, "Brun", "Petit", "Adam")[0]
    withdraw(token=captain.token, now=timezone.now())
    person = PresentPlayer(NewApplicant("Neuf"))
    asked = {"session_id": session.pk, "captain_id": captain.pk}
    refused("team_at_door_gone", check_in_team, **asked)
    refused("team_at_door_gone", accept_team, **asked)
    refused("team_at_door_gone", decline_team, by=director, **asked)
    refused("team_at_door_gone", walk_in_player, by=director, person=person, **asked)
    refused("team_at_door_gone", walk_in_player, by=director, person=person, **asked | {"captain_id": row("Adam").pk})


def test_name_of_a_team_waits_for_a_director_though_the_captain_is_shown_at_once(session, director):
    set_places(session, director, None, way=Registration.RegistrationWay.ACCOUNT)
    account = account_of(session, "Brun", "zoe")
    captain = sign_up(session, "Brun", name="Vive le club", user=account)
    assert captain.accepted_at is not None

    def shown() -> str:
        (team,) = list_teams_down(session)
        return call_team(team, call_down(session, team.members))

    assert shown() == ""
    accept_applicant(session_id=session.pk, applicant_id=captain.pk, now=timezone.now())
    assert shown() == ""
    accept_team(session_id=session.pk, captain_id=captain.pk, now=timezone.now())
    assert shown() == "Vive le club"
