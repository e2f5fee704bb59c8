"""An evening of registration: a name that was mistyped, a refusal, captains who leave, hidden and erased players."""

import datetime as dt

import pytest
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.whom import whom_of_player
from clubs.models import Membership, Person, Visibility
from clubs.players import add_players
from clubs.roster import RosterLine
from pages.doors import session_url
from tests import shared_evenings
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.pages.registration.test_teams import director, door, link_of, opened, say, shown, sign_up, user
from tournaments.models import Applicant

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]
session = shared_evenings.new_session_of_teams
__all__ = ["director", "opened", "user"]


def test_evening_in_french_from_a_mistyped_name_to_a_team_that_plays(session, opened, director, user):
    phone = browser_of()
    phone.defaults["HTTP_ACCEPT_LANGUAGE"] = "fr"
    (hidden,) = add_players(club=session.tournament.club, lines=[RosterLine("Adam", "Léo")])
    Person.objects.filter(players=hidden).update(shown=Visibility.HIDDEN)
    page = sign_up(session, phone, last_name_2="Petti")
    assert "L’équipe attend que tous ses joueurs aient dit oui" in words(page)
    wrong = Applicant.objects.get(last_name="Petti")
    phone.post(link_of("Brun"), {"action": "take_out", "player": wrong.pk})
    phone.post(link_of("Brun"), {"action": "name", "last_name": "Petit", "first_name": "Max"})
    say("Adam", "agree")
    say("Petit", "withdraw")
    assert "Vous n’êtes pas dans cette équipe" in words(phone.get(link_of("Petit")))
    say("Petit", "agree")
    assert "Votre équipe a une place" in words(phone.get(link_of("Brun")))
    phone.post(link_of("Brun"), {"action": "withdraw"})
    say("Adam", "name", last_name="Neuf", first_name="Guy")
    say("Neuf", "agree")
    captain = Applicant.objects.get(last_name="Adam")
    director.post(session_url("applicant", session, captain.pk), {"word": "team_here"})
    assert "Adam" not in shown(session)
    director.post(session_url("seat_present", session))
    assert session.entrants.count() == 1


def test_erased_captain_leaves_the_team_to_another_and_an_ended_role_closes_the_door(session, opened, director, user):
    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Brun", "Zoé")])
    sign_up(session)
    say("Petit", "agree")
    assert erase(whom_of_player(player), by=user, now=timezone.now())
    page = words(browser_of().get(link_of("Petit")))
    assert "Name another player" in page
    assert "Brun" not in page + shown(session) + door(director, session)
    Membership.objects.filter(user=user).update(ends_on=timezone.localdate() - dt.timedelta(days=2))
    assert director.get(session_url("registration", session)).status_code in (403, 404)
