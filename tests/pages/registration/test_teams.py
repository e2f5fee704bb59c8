"""The pages where teams sign up: the public page, the link of each player, and the check-in list at the door."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import ClubSettings, Person, Visibility
from clubs.players import add_players
from clubs.roster import RosterLine
from pages.doors import session_url
from registration.people.applicants import list_teams_down
from registration.people.registration import set_registration
from registration.people.teams import accept_team
from tests import shared_evenings
from tests.factories import make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Applicant

pytestmark = pytest.mark.django_db
session = shared_evenings.new_session_of_teams
TYPED = {"last_name": "Brun", "first_name": "Zoé", "team_name": "Les Bouts"}
TYPED |= {"last_name_2": "Petit", "first_name_2": "Max", "last_name_3": "Adam", "first_name_3": "Léo"}


@pytest.fixture
def user(session):
    return make_director(session.tournament.club)


@pytest.fixture
def opened(session, user):
    """Return a function that opens the registration for so many places, and returns the password of the club."""

    def open_to(places=None, **more):
        return set_registration(
            accepts_at_once=True, session_id=session.pk, by=user, now=timezone.now(), places=places, **more
        ).code

    open_to()
    return open_to


@pytest.fixture
def director(user):
    return browser_of(user)


def sign_up(session, client=None, **typed):
    return (client or browser_of()).post(session_url("sign_up", session), TYPED | typed, follow=True)


def link_of(last):
    return reverse("registered", args=[Applicant.objects.get(last_name=last).token])


def say(last, action, client=None, **more):
    return (client or browser_of()).post(link_of(last), {"action": action} | more, follow=True)


def shown(session):
    return words(browser_of().get(session_url("sign_up", session)))


def door(director, session, **query):
    return words(director.get(session_url("registration", session), query))


def test_captain_signs_up_a_team_and_gets_a_link_for_each_player(session, opened):
    assert "Sign up your team" in shown(session)
    page = sign_up(session)
    assert page.redirect_chain[0][0] == link_of("Brun")
    text = words(page)
    assert "The team waits until all of its players have said yes." in text
    assert [link_of(last) in page.content.decode() for last in ("Petit", "Adam")] == [True, True]
    assert "Send this link to the player" in text
    assert [name in shown(session) for name in ("Brun", "Petit", "Adam", "Les Bouts")] == [False] * 4


@pytest.mark.nightly("story")
def test_named_player_says_yes_and_the_team_has_its_place(session, opened):
    sign_up(session)
    page = words(browser_of().get(link_of("Petit")))
    assert "Zoé Brun would like to play with you in this team. Will you play?" in page
    assert "Léo Adam" not in page
    page = words(say("Petit", "agree"))
    assert "The team waits until all of its players have said yes." in page
    assert "Léo Adam" not in page
    assert "Your team has a place." in words(say("Adam", "agree"))
    assert "Your team has a place." in words(browser_of().get(link_of("Brun")))
    assert "Max Petit" in words(browser_of().get(link_of("Adam")))


def test_named_player_says_no_and_may_come_back_while_there_is_room(session, opened):
    sign_up(session)
    assert "You are not in this team." in words(say("Petit", "withdraw"))
    assert "1 player is missing" in door(browser_of(make_director(session.tournament.club, "d2")), session)
    assert "The team waits" in words(say("Petit", "agree"))
    assert Applicant.objects.get(last_name="Petit").agreed_at is not None


def test_captain_names_another_player_and_a_wrong_name_is_kept(session, opened):
    sign_up(session, last_name_3="", first_name_3="")
    page = say("Brun", "name", last_name="", first_name="Gaël")
    assert 'value="Gaël"' in page.content.decode()
    assert Applicant.objects.count() == 2
    page = say("Brun", "name", last_name="Neuf", first_name="Guy")
    assert link_of("Neuf") in page.content.decode()
    assert "Name another player" not in words(page)
    say("Brun", "take_out", player=Applicant.objects.get(last_name="Neuf").pk)
    assert Applicant.objects.get(last_name="Neuf").withdrawn_at is not None
    refused = say("Petit", "name", last_name="Intrus")
    assert not Applicant.objects.filter(last_name="Intrus").exists()
    assert refused.status_code == 200


@pytest.mark.nightly("story")
def test_member_withdraws_after_a_question(session, opened):
    sign_up(session)
    say("Petit", "agree")
    page = browser_of().get(link_of("Petit"), {"withdraw": ""})
    assert "Your team then waits until it has another player." in words(page)
    say("Petit", "withdraw")
    assert Applicant.objects.get(last_name="Petit").withdrawn_at is not None


@pytest.mark.nightly("story")
def test_captain_withdraws_alone_or_with_the_team(session, opened):
    sign_up(session)
    say("Petit", "agree")
    page = words(browser_of().get(link_of("Brun"), {"withdraw": ""}))
    assert "another player who said yes becomes captain" in page
    say("Brun", "withdraw")
    assert "Name another player" in words(browser_of().get(link_of("Petit")))
    say("Petit", "withdraw_team")
    assert "Your team has withdrawn." in words(browser_of().get(link_of("Petit")))
    assert "This team has withdrawn." in words(browser_of().get(link_of("Adam")))


@pytest.mark.nightly("crawl")
def test_everybody_reads_accepted_names_and_never_those_of_hidden_players(session, opened):
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Adam", "Léo")])
    sign_up(session, licence="4711", contact="06 12 34 56 78")
    for last in ("Petit", "Adam"):
        say(last, "agree")
    captain = Applicant.objects.get(last_name="Brun")
    accept_team(session_id=session.pk, captain_id=captain.pk, now=timezone.now())
    page = shown(session)
    assert "Les Bouts Zoé Brun, Max Petit, Léo Adam" in page
    assert [secret for secret in ("4711", "06 12", captain.token) if secret in page] == []
    Person.objects.filter(players=player).update(shown=Visibility.HIDDEN)
    assert "Adam" not in shown(session)


@pytest.mark.nightly("story")
def test_teams_without_a_place_stand_apart(session, opened):
    opened(places=1)
    for number in (1, 2):
        sign_up(session, **{name: f"{last}{number}" for name, last in TYPED.items() if name.startswith("last")})
        for last in ("Petit", "Adam"):
            say(f"{last}{number}", "agree")
    sign_up(session, last_name_2="", first_name_2="")
    page = shown(session)
    assert "All places are taken" in page
    assert page.index("Waiting for a place") < page.index("Not complete yet")
    assert "your team is number 1 on the waiting list" in words(browser_of().get(link_of("Brun2")))


def test_wrong_form_is_refused_and_keeps_what_was_typed(session, opened):
    page = sign_up(session, last_name_3="")
    assert "Write the family name too" in words(page)
    assert 'value="Petit"' in page.content.decode()
    page = sign_up(session, last_name_3="BRUN", first_name_3="zoe")
    assert page.status_code == 409
    assert 'value="Les Bouts"' in page.content.decode()
    assert not Applicant.objects.exists()


def test_password_is_asked_for_and_counted(session, opened):
    code = opened(way="password")
    assert sign_up(session, password="faux").status_code == 409
    assert sign_up(session, password=code).status_code == 200
    assert Applicant.objects.count() == 3


def test_members_are_suggested_only_if_the_club_shows_them(session, opened):
    club = session.tournament.club
    shy, _other = add_players(club=club, lines=[RosterLine("Timide", "Eva"), RosterLine("Noir", "Guy")])
    Person.objects.filter(players=shy).update(shown=Visibility.HIDDEN)
    assert "Noir, Guy" not in browser_of().get(session_url("sign_up", session)).content.decode()
    ClubSettings.objects.update_or_create(club=club, defaults={"shows_members": True})
    html = browser_of().get(session_url("sign_up", session)).content.decode()
    assert ("Noir, Guy" in html, "Timide" in html) == (True, False)
    sign_up(session, last_name_2="Noir, Guy", first_name_2="")
    assert Applicant.objects.get(last_name="Noir").first_name == "Guy"


@pytest.mark.nightly("story")
def test_door_marks_a_team_as_present_and_lets_it_play(session, director, opened):
    sign_up(session)
    captain = Applicant.objects.get(last_name="Brun")
    page = door(director, session)
    assert "Teams present: 0 of 1 signed up" in page
    assert "not everybody has said yes" in page
    director.post(session_url("applicant", session, captain.pk), {"word": "team_here"})
    assert "Teams present: 1 of 1 signed up" in door(director, session)
    page = director.post(session_url("seat_present", session), follow=True)
    assert "1 team plays." in words(page)
    assert session.entrants.get().team.name == "Les Bouts"


def test_team_walks_in_with_players_of_the_list_and_new_ones(session, director, opened):
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Petit", "Max", "4711")])
    given = {"action": "walk_in", "player_1": "BRUN Zoé", "player_2": "4711", "player_3": "12"}
    page = director.post(session_url("registration", session), given | {"team_name": "Trio"})
    assert "Write the family name and the first name." in words(page)
    assert 'value="BRUN Zoé"' in page.content.decode()
    assert not Applicant.objects.exists()
    director.post(session_url("registration", session), given | {"player_3": ""})
    assert "1 player is missing" in door(director, session)
    captain = Applicant.objects.get(last_name="BRUN")
    assert Applicant.objects.get(last_name="Petit").player == player
    joins = {"action": "walk_in", "captain": captain.pk, "player_1": "ADAM Léo"}
    director.post(session_url("registration", session), joins)
    assert [len(team.members) for team in list_teams_down(session)] == [3]
    again = director.post(session_url("registration", session), joins)
    assert "The team has its 3 players" in words(again)


@pytest.mark.nightly("story")
def test_director_finds_shows_and_removes_a_team(session, director, opened):
    sign_up(session)
    captain = Applicant.objects.get(last_name="Brun")
    assert director.get(session_url("registration", session), {"q": "adam"}).context["teams"][0]["hidden"] is False
    assert director.get(session_url("registration", session), {"q": "nemo"}).context["teams"][0]["hidden"] is True
    director.post(session_url("applicant", session, captain.pk), {"word": "team_accept"})
    assert ("Zoé Brun" in shown(session), "Max Petit" in shown(session)) == (True, False)
    director.post(session_url("applicant", session, captain.pk), {"word": "team_decline"})
    assert "3 people withdrew" in door(director, session)
    assert "A director has removed you" in words(browser_of().get(link_of("Petit")))


def test_empty_door_of_teams_offers_what_comes_next(session, director):
    page = door(director, session)
    assert "Nobody has signed up yet" in page
    assert "A team walks in" in page


@pytest.mark.nightly("story")
def test_pages_ask_the_database_as_often_for_more_teams(session, director, opened, django_assert_max_num_queries):
    for number in range(12):
        sign_up(session, **{name: f"{last}{number}x" for name, last in TYPED.items() if name.startswith("last")})
    for address, browser in (
        (session_url("registration", session), director),
        (session_url("sign_up", session), browser_of()),
        (link_of("Brun3x"), browser_of()),
    ):
        with django_assert_max_num_queries(18):
            browser.get(address)
