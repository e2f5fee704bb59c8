"""The steps of teams on the registration pages: replaced links, undoing, forms that are refused, pages out of date."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from pages.doors import session_url
from registration.people.applicants import list_teams_down
from registration.people.registration import withdraw
from tests import shared_evenings
from tests.factories import make_user
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.pages.registration.test_teams import (
    TYPED,
    director,
    door,
    link_of,
    opened,
    say,
    shown,
    sign_up,
    user,
)
from tournaments.models import Applicant, Session

pytestmark = pytest.mark.django_db
session = shared_evenings.new_session_of_teams
__all__ = ["director", "opened", "user"]
ONCE = "o" * 43


def post_yes(browser: Client, url: str, once: str = ONCE):
    return browser.post(url, {"action": "agree", "once": once})


def test_link_of_a_player_who_said_yes_leads_on_only_in_the_own_browser(session, opened):
    sign_up(session)
    old, own, captain = link_of("Petit"), browser_of(), browser_of()
    assert post_yes(own, old).url == link_of("Petit") != old
    assert own.get(old).url == link_of("Petit")
    answer = captain.get(old)
    assert (answer.status_code, link_of("Petit") in answer.content.decode()) == (410, False)
    assert "This link was replaced" in words(answer)
    for action in ("withdraw", "agree", "withdraw_team"):
        assert say_at(captain, old, action).status_code == 410
    assert Applicant.objects.get(last_name="Petit").withdrawn_at is None
    assert browser_of().get(reverse("registered", args=["x" * 43])).status_code == 404


def say_at(browser: Client, url: str, action: str):
    return browser.post(url, {"action": action})


def test_yes_pressed_twice_leads_to_the_one_new_page(session, opened):
    sign_up(session)
    old = link_of("Petit")
    post_yes(browser_of(), old)
    assert post_yes(browser_of(), old).url == link_of("Petit")
    assert post_yes(browser_of(), old, once="p" * 43).status_code == 410


def test_account_of_the_player_finds_the_new_link(session, opened):
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Petit", "Max")])
    player.account = make_user("max")
    player.save()
    sign_up(session)
    old = link_of("Petit")
    post_yes(browser_of(player.account), old)
    assert browser_of(player.account).get(old).url == link_of("Petit")
    assert browser_of(make_user("autre")).get(old).status_code == 410


def test_link_from_the_former_captain_sends_to_the_new_one(session, opened):
    sign_up(session)
    old = link_of("Adam")
    say("Petit", "agree")
    say("Brun", "withdraw")
    page = browser_of().get(old)
    assert page.status_code == 410
    assert "The team has another captain now" in words(page)
    assert link_of("Adam") in browser_of().get(link_of("Petit")).content.decode()


def test_step_that_does_not_exist_changes_nothing(session, opened, director):
    sign_up(session)
    page = say("Brun", "wihdraw")
    assert page.status_code == 409
    assert "Nothing was changed" in words(page)
    assert say("Brun", "").status_code == 409
    captain = Applicant.objects.get(last_name="Brun")
    page = director.post(session_url("applicant", session, captain.pk), {"word": "team_gone"}, follow=True)
    assert "Nothing was changed" in words(page)
    assert not Applicant.objects.exclude(withdrawn_at=None).exists()


@pytest.mark.nightly("story")
@pytest.mark.parametrize("places", [None, 1])
def test_captain_withdraws_the_team_and_undoes_it(session, opened, places):
    opened(places=places)
    sign_up(session)
    for last in ("Petit", "Adam"):
        say(last, "agree")
    sign_up(session, **{name: f"{last}2" for name, last in TYPED.items() if name.startswith("last")}, team_name="")
    for last in ("Petit2", "Adam2"):
        say(last, "agree")
    page = say("Brun", "withdraw_team")
    assert "Undo: our team plays after all" in words(page)
    assert "Undo" not in words(browser_of().get(link_of("Petit")))
    text = words(say("Brun", "return_team"))
    if places:
        assert "your team is number 1 on the waiting list" in text
        assert "A place has become free: it is your team’s." in words(browser_of().get(link_of("Brun2")))
    else:
        assert "Your team has a place." in text
    assert [len(team.members) for team in list_teams_down(session)] == [3, 3]


@pytest.mark.nightly("story")
def test_director_puts_a_removed_team_back_on_the_list(session, opened, director):
    sign_up(session)
    captain = Applicant.objects.get(last_name="Brun")
    director.post(session_url("applicant", session, captain.pk), {"word": "team_decline"})
    assert "Put the team back" in door(director, session)
    director.post(session_url("applicant", session, captain.pk), {"word": "team_back"})
    assert "0 of 1 signed up" in door(director, session)
    assert "A director has removed you" not in words(browser_of().get(link_of("Petit")))


def test_other_team_of_the_same_browser_is_kept_and_leads_to_the_first_one(session, opened):
    client = browser_of()
    assert sign_up(session, client, once=ONCE).status_code == 200
    page = sign_up(session, client, once=ONCE, last_name_3="Neuf", first_name_3="Guy")
    assert page.status_code == 409
    assert 'value="Neuf"' in page.content.decode()
    assert link_of("Brun") in page.content.decode()
    assert Applicant.objects.count() == 3
    assert link_of("Brun") not in browser_of().get(session_url("sign_up", session)).content.decode()


def test_signed_up_account_finds_the_own_page(session, opened):
    client = browser_of(make_user("zoe"))
    sign_up(session, client)
    assert link_of("Brun") in client.get(session_url("sign_up", session)).content.decode()


def test_refused_player_at_the_door_is_kept_beside_the_team(session, opened, director):
    sign_up(session, last_name_3="", first_name_3="")
    captain = Applicant.objects.get(last_name="Brun")
    joins = {"action": "walk_in", "captain": captain.pk, "player_1": "PETIT Max"}
    page = director.post(session_url("registration", session), joins)
    html = page.content.decode()
    (team,) = page.context["teams"]
    assert "has already signed up" in words(page)
    assert (team["typed"], html.count('value="PETIT Max"')) == ("PETIT Max", 1)
    assert html.index('value="PETIT Max"') < html.index('id="walk-in"')


@pytest.mark.parametrize("captain", ["999999", "", "x"])
def test_player_for_a_team_that_is_gone_makes_no_team_and_stays_typed(session, opened, director, captain):
    joins = {"action": "walk_in", "captain": captain, "player_1": "NEUF Guy"}
    page = director.post(session_url("registration", session), joins)
    assert "This team has withdrawn or has another captain now" in words(page)
    assert 'value="NEUF Guy"' in page.content.decode()
    assert not Applicant.objects.exists()


@pytest.mark.nightly("story")
def test_two_present_teams_with_one_player_are_told_so_at_the_door(session, opened, director):
    sign_up(session)
    sign_up(session, last_name="Noir", first_name="Guy", last_name_2="Vert", first_name_2="Ida", team_name="")
    for last in ("Brun", "Noir"):
        captain = Applicant.objects.get(last_name=last)
        director.post(session_url("applicant", session, captain.pk), {"word": "team_here"})
    page = director.post(session_url("seat_present", session), follow=True)
    assert "Léo Adam is in two teams that are present, “Les Bouts” and “Guy Noir”" in words(page)
    assert not session.entrants.exists()


@pytest.mark.nightly("story")
def test_name_of_a_team_is_shown_once_a_director_has_accepted_it(session, opened, director):
    opened(way="account")
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Brun", "Zoé")])
    player.account = make_user("zoe")
    player.save()
    sign_up(session, browser_of(player.account))
    assert ("Zoé Brun" in shown(session), "Les Bouts" in shown(session)) == (True, False)
    assert "Show the names" in door(director, session)
    captain = Applicant.objects.get(last_name="Brun")
    director.post(session_url("applicant", session, captain.pk), {"word": "team_accept"})
    assert "Les Bouts" in shown(session)


def test_cancelled_evening_is_told_on_each_link(session, opened):
    sign_up(session)
    Session.objects.filter(pk=session.pk).update(put_away_at=timezone.now())
    assert "This evening will not take place" in words(say("Petit", "agree"))
    assert Applicant.objects.get(last_name="Petit").agreed_at is None


def test_player_who_withdrew_sees_who_is_captain_and_comes_back(session, opened):
    sign_up(session)
    say("Petit", "agree")
    withdraw(token=Applicant.objects.get(last_name="Petit").token, now=timezone.now())
    assert "I play after all" in words(browser_of().get(link_of("Petit")))
    say("Petit", "agree")
    assert Applicant.objects.get(last_name="Petit").withdrawn_at is None
