"""The teams that sign up by their captain: places, agreement, withdrawal, the same name twice, and the door."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.whom import whom_of_player
from clubs.models import Person, Player, Visibility
from clubs.players import add_players
from clubs.roster import RosterLine
from deals.sets import create_set_dealt_at_table
from evenings.plans.teams.seating import seat_teams
from evenings.sessions.setup import create_session
from registration.people.applicants import NewApplicant, call_down, call_team, list_down, list_teams_down
from registration.people.registration import check_in, decline, set_registration, withdraw
from registration.people.seats import seat_present_teams
from registration.people.teams import (
    MOST_NAMED,
    PresentPlayer,
    accept_team,
    agree,
    check_in_team,
    decline_team,
    name_player,
    register_team,
    take_out,
    walk_in_player,
    walk_in_team,
    withdraw_team,
)
from tests import shared_evenings
from tests.evenings.teams.evening import make_teams
from tests.factories import DATE, make_director, make_user
from tournaments.errors import ActionRefused
from tournaments.models import Applicant, Registration, Session, Team

pytestmark = pytest.mark.django_db
session = shared_evenings.new_session_of_teams
NAMES = ("Brun", "Zoé"), ("Petit", "Max"), ("Adam", "Léo")


@pytest.fixture
def director(session):
    return make_director(session.tournament.club)


@pytest.fixture
def opened(session, director):
    set_registration(accepts_at_once=True, session_id=session.pk, by=director, now=timezone.now(), places=None)


def set_places(session, director, places, **more):
    set_registration(
        accepts_at_once=True, session_id=session.pk, by=director, now=timezone.now(), places=places, **more
    )


def sign_up(session, captain="Brun", *named, name="", **more) -> Applicant:
    people = [NewApplicant(each) for each in named]
    asked = {"session_id": session.pk, "captain": NewApplicant(captain), "named": people, "name": name}
    return register_team(**asked, now=timezone.now(), **more)


def sign_up_all(session, *names, name="") -> list[Applicant]:
    """Sign up a team of which everybody agrees, and return its rows, the captain first."""
    captain = sign_up(session, *names, name=name)
    for each in captain.named.order_by("pk"):
        agree(token=each.token, now=timezone.now())
    return rows_of(captain)


def rows_of(captain) -> list[Applicant]:
    return [Applicant.objects.get(pk=captain.pk), *Applicant.objects.filter(captain=captain.pk).order_by("pk")]


def state(session) -> dict[str, str]:
    """Return the teams by the captain's family name: "place", "waits 1", or "lacks"."""
    return {
        team.captain.last_name: ("lacks" if team.complete_at is None else f"waits {team.waits}" * bool(team.waits))
        or "place"
        for team in list_teams_down(session)
    }


def refused(code, call, **given):
    with pytest.raises(ActionRefused) as caught:
        call(**given, now=timezone.now())
    assert caught.value.code == code


def test_team_has_a_place_once_all_three_have_agreed(session, opened):
    captain = sign_up(session, "Brun", "Petit", name="Les  Bouts")
    assert (captain.team_name, captain.agreed_at is None, state(session)) == ("Les Bouts", False, {"Brun": "lacks"})
    third = name_player(token=captain.token, asked=NewApplicant("Adam"), now=timezone.now())
    agree(token=third.token, now=timezone.now())
    assert state(session) == {"Brun": "lacks"}
    agree(token=captain.named.get(last_name="Petit").token, now=timezone.now())
    assert state(session) == {"Brun": "place"}
    assert session.log.filter(action="registration_agreed").count() == 2
    assert session.log.filter(action="registration_moved_up").count() == 0


def test_places_go_in_the_order_in_which_teams_become_complete(session, director):
    set_places(session, director, 1)
    early = sign_up(session, "Brun", "Petit", "Adam")
    sign_up_all(session, "Noir", "Vert", "Bleu")
    assert state(session) == {"Noir": "place", "Brun": "lacks"}
    for each in early.named.all():
        agree(token=each.token, now=timezone.now())
    assert state(session) == {"Noir": "place", "Brun": "waits 1"}


def test_named_player_who_withdraws_gives_the_place_to_the_team_that_waits(session, director):
    set_places(session, director, 1)
    first = sign_up_all(session, "Brun", "Petit", "Adam")
    second = sign_up_all(session, "Noir", "Vert", "Bleu")
    withdraw(token=first[1].token, now=timezone.now())
    assert state(session) == {"Brun": "lacks", "Noir": "place"}
    assert all(Applicant.objects.get(pk=each.pk).moved_up_at for each in second)
    agree(token=first[1].token, now=timezone.now())
    assert state(session) == {"Noir": "place", "Brun": "waits 1"}


def test_player_who_withdrew_comes_back_only_while_there_is_room(session, opened):
    captain, two, _three = sign_up_all(session, "Brun", "Petit", "Adam")
    withdraw(token=two.token, now=timezone.now())
    name_player(token=captain.token, asked=NewApplicant("Autre"), now=timezone.now())
    refused("registered_team_full", agree, token=two.token)
    refused("registered_team_full", name_player, token=captain.token, asked=NewApplicant("Encore"))
    assert two.token != captain.token
    assert Applicant.objects.get(pk=two.pk).withdrawn_at is not None


def test_captain_who_withdraws_alone_hands_the_team_to_who_agreed_first(session, opened):
    captain = sign_up(session, "Brun", "Petit", "Adam", name="Les Bouts")
    adam = agree(token=captain.named.get(last_name="Adam").token, now=timezone.now())
    withdraw(token=captain.token, now=timezone.now())
    (team,) = list_teams_down(session)
    assert [each.last_name for each in team.members] == ["Adam", "Petit"]
    assert (team.captain.team_name, team.complete_at) == ("Les Bouts", None)
    assert name_player(token=captain.token, asked=NewApplicant("Encore"), now=timezone.now()) is None
    assert name_player(token=adam.token, asked=NewApplicant("Neuf"), now=timezone.now()) is not None
    refused("registered_team_full", agree, token=captain.token)
    assert session.log.filter(action="registration_captain").get().params == {"name": "Adam"}


def test_captain_whose_players_have_not_answered_takes_the_team_away(session, opened):
    captain = sign_up(session, "Brun", "Petit", "Adam")
    withdraw(token=captain.token, now=timezone.now())
    assert (list_teams_down(session), list_down(session)) == ([], [])
    refused("registered_team_gone", agree, token=captain.named.first().token)


def test_captain_withdraws_the_whole_team_and_another_moves_up(session, director):
    set_places(session, director, 1)
    captain = sign_up_all(session, "Brun", "Petit", "Adam")[0]
    sign_up_all(session, "Noir", "Vert", "Bleu")
    withdraw_team(token=captain.token, now=timezone.now())
    assert state(session) == {"Noir": "place"}
    assert session.log.filter(action="registration_moved_up").count() == 3
    assert withdraw_team(token=captain.token, now=timezone.now()) is None


def test_captain_takes_a_player_out_and_no_stranger_does(session, opened):
    captain = sign_up(session, "Brun", "Petit", "Adam")
    other = sign_up(session, "Noir", "Vert")
    petit = captain.named.get(last_name="Petit")
    for token in (other.token, petit.token, "x" * 43):
        take_out(token=token, applicant_id=petit.pk, now=timezone.now())
    assert Applicant.objects.get(pk=petit.pk).withdrawn_at is None
    take_out(token=captain.token, applicant_id=captain.pk, now=timezone.now())
    take_out(token=captain.token, applicant_id=petit.pk, now=timezone.now())
    assert [each.last_name for each in list_teams_down(session)[0].members] == ["Brun", "Adam"]


def test_team_of_four_and_a_player_named_twice_are_refused(session, opened):
    with pytest.raises(ActionRefused) as caught:
        sign_up(session, "Brun", "Petit", "Adam", "Encore")
    assert caught.value.code == "team_too_large"
    with pytest.raises(ActionRefused) as caught:
        sign_up(session, "Brun", "Petit", "BRUN")
    assert caught.value.code == "player_in_team_twice"
    assert not Applicant.objects.exists()


@pytest.mark.nightly("story")
def test_captain_cannot_name_people_without_end(session, opened):
    captain = sign_up(session, "Brun")
    for number in range(MOST_NAMED):
        each = name_player(token=captain.token, asked=NewApplicant(f"Nom{number}x"), now=timezone.now())
        take_out(token=captain.token, applicant_id=each.pk, now=timezone.now())
    refused("team_named_too_many", name_player, token=captain.token, asked=NewApplicant("Encore"))


def test_name_in_two_teams_is_told_to_the_director_and_takes_one_place(session, director):
    """Check the player whom two captains name: the second team that has the name does not push others out."""
    set_places(session, director, 2)
    sign_up_all(session, "Brun", "Petit", "Adam")
    twice = sign_up_all(session, "Noir", "Vert", "ADAM")
    assert [team.twice == {twice[2].pk} for team in list_teams_down(session)] == [False, True]
    assert state(session) == {"Brun": "place", "Noir": "place"}
    sign_up_all(session, "Roux", "Gris", "Rose")
    assert state(session) == {"Brun": "place", "Noir": "waits 1", "Roux": "place"}


def test_name_that_has_agreed_counts_before_one_that_has_not(session, opened):
    waiting = sign_up(session, "Brun", "Petit", "Adam")
    agreed = sign_up_all(session, "Noir", "Vert", "Adam")
    twice = {each.applicant.pk for each in list_down(session) if each.twice}
    assert twice == {waiting.named.get(last_name="Adam").pk}
    assert agreed[2].pk not in twice


def test_form_sent_twice_makes_one_team(session, opened):
    first, second = (sign_up(session, "Brun", "Petit", once="a" * 43) for _time in range(2))
    assert first.pk == second.pk
    assert Applicant.objects.count() == 2


def test_account_that_the_club_asks_for_is_needed_to_agree_too(session, director):
    set_places(session, director, None, way=Registration.RegistrationWay.ACCOUNT)
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Petit", "Max")])
    player.account = make_user("max")
    player.save()
    with pytest.raises(ActionRefused) as caught:
        sign_up(session, "Brun", "Petit")
    assert caught.value.code == "registration_log_in"
    now = timezone.now()
    asked = {"session_id": session.pk, "captain": NewApplicant("Brun"), "named": [NewApplicant("Petit", "Max")]}
    named = register_team(**asked, user=make_user("zoe"), now=now).named.get()
    refused("registration_log_in", agree, token=named.token)
    agree(token=named.token, user=player.account, now=now)
    named.refresh_from_db()
    assert (named.user, named.accepted_at is not None) == (player.account, True)


def test_nothing_changes_by_links_once_the_session_runs(session, opened):
    captain = sign_up(session, "Brun", "Petit")
    Session.objects.filter(pk=session.pk).update(
        status=Session.Status.RUNNING, started_at=timezone.now(), deal_set=make_set(session)
    )
    named = captain.named.get()
    for call, given in (
        (agree, {"token": named.token}),
        (name_player, {"token": captain.token, "asked": NewApplicant("Autre")}),
        (take_out, {"token": captain.token, "applicant_id": named.pk}),
        (withdraw_team, {"token": captain.token}),
    ):
        refused("registration_begun", call, **given)


def make_set(session):
    return create_set_dealt_at_table(club=session.tournament.club, name="É", count=12, by=None, now=timezone.now())


def names_for_readers(session) -> list[tuple[str, list[str]]]:
    teams = list_teams_down(session)
    shown = [each for team in teams for each in team.members if each.accepted_at and each.agreed_at]
    names = call_down(session, shown)
    return [(call_team(team, names), [names[each.pk] for each in team.members if each.pk in names]) for team in teams]


def test_name_is_shown_once_the_player_agreed_and_a_director_accepted(session, director, opened):
    captain = sign_up(session, "Brun", "Petit", "Adam", name="Les Bouts")
    assert names_for_readers(session) == [("", [])]
    accept_team(session_id=session.pk, captain_id=captain.pk, now=timezone.now())
    assert names_for_readers(session) == [("Les Bouts", ["Brun"])]
    agree(token=captain.named.get(last_name="Adam").token, now=timezone.now())
    assert names_for_readers(session) == [("Les Bouts", ["Brun", "Adam"])]


def test_name_of_a_team_with_a_hidden_players_family_name_is_left_out(session, director, opened):
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Adam", "")])
    captain, *_others = sign_up_all(session, "Brun", "Petit", "Adam", name="Adam et Cie")
    accept_team(session_id=session.pk, captain_id=captain.pk, now=timezone.now())
    assert names_for_readers(session) == [("Adam et Cie", ["Brun", "Petit", "Adam"])]
    Person.objects.filter(players=player).update(shown=Visibility.HIDDEN)
    ((name, people),) = names_for_readers(session)
    assert name == ""
    assert "Adam" not in people


def seat(session, director, **answers):
    return seat_present_teams(session_id=session.pk, answers=answers, by=director, now=timezone.now())


def members_of(team) -> list[str]:
    return [each.player.last_name for each in team.members.filter(ended_at=None).order_by("place")]


def test_present_teams_become_teams_that_play_and_the_second_press_makes_none(session, director, opened):
    captain = sign_up_all(session, "Brun", "Petit", "Adam", name="Les Bouts")[0]
    sign_up_all(session, "Noir", "Vert", "Bleu")
    refused("no_team_present", seat_present_teams, session_id=session.pk, answers={}, by=director)
    check_in_team(session_id=session.pk, captain_id=captain.pk, now=timezone.now())
    for _time in range(2):
        (entrant,) = seat(session, director)
        assert (entrant.number, entrant.team.name) == (1, "Les Bouts")
        assert members_of(entrant.team) == ["Adam", "Brun", "Petit"]
    team = Team.objects.get()
    assert team.captain.last_name == "Brun"
    assert Player.objects.count() == 3


def test_team_of_which_somebody_is_away_plays_no_more_and_teams_made_by_hand_stay(session, director, opened):
    make_teams(session.tournament, 1)
    seat_teams(session_id=session.pk, now=timezone.now())
    first = sign_up_all(session, "Brun", "Petit", "Adam")
    second = sign_up_all(session, "Noir", "Vert", "Bleu")
    for rows in (first, second):
        check_in_team(session_id=session.pk, captain_id=rows[0].pk, now=timezone.now())
    assert [each.team.number for each in seat(session, director)] == [1, 2, 3]
    check_in(session_id=session.pk, applicant_id=first[1].pk, present=False, now=timezone.now())
    assert [(each.number, each.team.number) for each in seat(session, director)] == [(1, 1), (2, 3)]


def test_player_who_is_replaced_before_the_start_leaves_the_same_team(session, director, opened):
    captain, two, _three = sign_up_all(session, "Brun", "Petit", "Adam")
    check_in_team(session_id=session.pk, captain_id=captain.pk, now=timezone.now())
    (entrant,) = seat(session, director)
    decline(session_id=session.pk, applicant_id=two.pk, by=director, now=timezone.now())
    person = PresentPlayer(NewApplicant("Neuf", "Guy"))
    walk_in_player(session_id=session.pk, captain_id=captain.pk, person=person, by=director, now=timezone.now())
    (again,) = seat(session, director)
    assert again.team == entrant.team
    assert members_of(again.team) == ["Adam", "Brun", "Neuf"]


def test_same_team_signs_up_for_the_second_session_and_keeps_its_number(session, director, opened):
    rows = sign_up_all(session, "Brun", "Petit", "Adam", name="Les Bouts")
    check_in_team(session_id=session.pk, captain_id=rows[0].pk, now=timezone.now())
    (first,) = seat(session, director)
    later = create_session(tournament=session.tournament, date=DATE + dt.timedelta(days=7))
    set_places(later, director, None)
    walked = [PresentPlayer(NewApplicant(each), None) for each in ("Petit", "Adam", "Brun")]
    walk_in_team(session_id=later.pk, people=walked, name="Autre nom", by=director, now=timezone.now())
    (second,) = seat(later, director)
    assert (second.team, second.team.name) == (first.team, "Les Bouts")


def test_player_of_another_team_is_named_and_nothing_is_made(session, director, opened):
    make_teams(session.tournament, 2)
    one, two = (team.members.order_by("place").first().player for team in session.tournament.teams.order_by("number"))
    walked = [PresentPlayer(NewApplicant(each.last_name, each.first_name), each) for each in (one, two)]
    walked.append(PresentPlayer(NewApplicant("Neuf")))
    walk_in_team(session_id=session.pk, people=walked, by=director, now=timezone.now())
    refused("player_in_a_team", seat_present_teams, session_id=session.pk, answers={}, by=director)
    assert not session.entrants.exists()
    assert not Player.objects.filter(last_name="Neuf").exists()


def test_check_in_locks_the_members_before_the_tournament_and_its_sessions(session, director, opened):
    make_teams(session.tournament, 2)
    with CaptureQueriesContext(connection) as asked:
        refused("no_team_present", seat_present_teams, session_id=session.pk, answers={}, by=director)
    locked = [query["sql"] for query in asked if "FOR NO KEY UPDATE" in query["sql"] or "FOR UPDATE" in query["sql"]]
    assert '"tournaments_teammember"' in locked[0]
    assert any('"tournaments_session"' in sql for sql in locked[1:])


def test_name_of_a_team_that_is_taken_is_not_given_again(session, director, opened):
    make_teams(session.tournament, 2)
    walked = [PresentPlayer(NewApplicant(each)) for each in ("Brun", "Petit", "Adam")]
    walk_in_team(session_id=session.pk, people=walked, name="LES BOUTS", by=director, now=timezone.now())
    (entrant,) = seat(session, director)
    assert entrant.team.name == ""


def test_walk_in_who_has_signed_up_is_told_so(session, director, opened):
    sign_up(session, "Brun", "Petit")
    walked = [PresentPlayer(NewApplicant(each)) for each in ("Neuf", "PETIT")]
    refused("registered_already", walk_in_team, session_id=session.pk, people=walked, by=director)
    assert not Applicant.objects.filter(last_name="Neuf").exists()


def test_director_removes_a_team_and_each_player_reads_it(session, director, opened):
    captain = sign_up_all(session, "Brun", "Petit", "Adam")[0]
    decline_team(session_id=session.pk, captain_id=captain.pk, by=director, now=timezone.now())
    assert list_down(session) == []
    assert Applicant.objects.filter(declined=True).count() == 3
    refused("registration_removed", agree, token=captain.named.first().token)


@pytest.mark.nightly("story")
def test_erased_player_leaves_the_team_and_its_name(session, director, opened):
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Adam", "Léo")])
    captain = sign_up_all(session, "Brun", "Petit", name="Adam Léo et les autres")[0]
    named = name_player(token=captain.token, asked=NewApplicant("Adam", "Léo"), now=timezone.now())
    agree(token=named.token, now=timezone.now())
    assert erase(whom_of_player(player), by=director, now=timezone.now())
    named.refresh_from_db()
    captain.refresh_from_db()
    assert named.withdrawn_at is not None
    assert "Adam" not in f"{captain.team_name} {named.last_name}"
    assert state(session) == {"Brun": "lacks"}
