"""The bad input on the pages of teams: it is refused with a sentence, what was typed stays, and nothing changes.

The same input by the API is in `tests/api/test_team_mistakes.py`.
"""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.sessions.setup import create_session, create_tournament
from pages.doors import session_url
from tests.factories import DATE, make_club, make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Team, TeamMember, Tournament

pytestmark = pytest.mark.django_db
PASTED = "Les Bouts: Zoé Brun; Ada Éluard; Léo Adam"


@pytest.fixture
def tournament() -> Tournament:
    tournament = create_tournament(club=make_club(), name="Triplettes", format="triplettes", now=timezone.now())
    create_session(tournament=tournament, date=DATE, positions=3, etuis_per_position=4)
    return tournament


@pytest.fixture(params=["en", "fr"])
def browser(tournament, request) -> Client:
    found = browser_of(make_director(tournament.club))
    found.defaults["HTTP_ACCEPT_LANGUAGE"] = request.param
    return found


def url_of(tournament: Tournament) -> str:
    return reverse("prepare_teams", args=[tournament.club.slug, tournament.slug])


def paste(browser: Client, tournament: Tournament, text: str, **more: str):
    """Paste lines, and confirm the preview. Return the last page."""
    page = browser.post(url_of(tournament), {"action": "paste", "text": text, **more})
    shown = page.context["form"].shown if page.context and "form" in page.context else ""
    return browser.post(url_of(tournament), {"action": "paste", "text": text, "shown": shown, **more})


def say(browser: Client, english: str, french: str) -> str:
    return english if browser.defaults["HTTP_ACCEPT_LANGUAGE"] == "en" else french


@pytest.mark.parametrize(
    ("text", "english", "french"),
    [
        ("Duo: Zoé Brun; Ada Éluard; Léo Adam; Max Petit", "3", "3"),
        ("A B; C D; E F; G H; I J; K L; M N", "3", "3"),
        (f"{PASTED}\nMax Petit; Ida Roux; zoe BRUN", "BRUN is already", "BRUN est déjà"),
        (f"{PASTED}\nLES BOUTS: Max Petit; Ida Roux; Guy Noir", "BOUTS", "BOUTS"),
    ],
)
def test_wrong_lines_make_no_team_and_stay_typed(tournament, browser, text, english, french):
    page = paste(browser, tournament, text)
    assert page.status_code == 200
    (group, *_others) = page.context["form"].groups
    assert group.error
    assert say(browser, english, french) in group.error
    assert page.context["form"].data["text"] == text
    assert not Team.objects.exists()


@pytest.mark.nightly("story")
def test_player_of_another_team_in_another_spelling_is_named(tournament, browser):
    paste(browser, tournament, PASTED)
    assert Team.objects.count() == 1
    text = "Max Petit; Ida Roux; BRUN Zoe"
    (asked,) = [each for each in paste(browser, tournament, text).context["form"].questions if each.asks]
    page = paste(browser, tournament, text, **{asked.name: next(iter(asked.row.answers))})
    said = say(browser, "is already in a team, Les Bouts", "est déjà dans une équipe, Les Bouts")
    assert said in words(page)
    assert Team.objects.count() == 1


def test_team_of_two_is_made_by_hand_waits_and_gets_no_number(tournament, browser):
    people = add_players(club=tournament.club, lines=[RosterLine("Brun", "Zoé"), RosterLine("Petit", "Max")])
    browser.post(url_of(tournament), {"action": "make", "name": "Duo", "player": [each.pk for each in people]})
    assert say(browser, "1 team lacks a player and waits.", "1 équipe attend un joueur.") in words(
        browser.get(url_of(tournament))
    )
    session = tournament.sessions.get()
    asked = {"action": "number", "team": [Team.objects.get().pk]}
    page = browser.post(session_url("entrants", session), asked)
    assert page.status_code == 409
    assert say(browser, "Duo has 2 members, and needs 3 to play", "Duo compte 2 joueurs") in words(page)
    assert not session.entrants.exists()


def test_one_player_chosen_twice_by_hand_is_named(tournament, browser):
    (player,) = add_players(club=tournament.club, lines=[RosterLine("Brun", "Zoé")])
    page = browser.post(url_of(tournament), {"action": "make", "name": "Duo", "player": [player.pk] * 2})
    assert page.status_code == 409
    assert 'value="Duo"' in page.content.decode()
    assert say(browser, "Zoé Brun is named twice in this team", "Zoé Brun figure deux fois dans cette équipe") in words(
        page
    )
    assert not TeamMember.objects.exists()


@pytest.mark.nightly("story")
def test_merge_of_players_of_two_teams_is_refused_with_the_reason(tournament, browser):
    paste(browser, tournament, f"{PASTED}\nMax Petit; Ida Roux; Guy Noir")
    one, other = (Player.objects.get(last_name=last) for last in ("Brun", "Noir"))
    url = reverse("player_merge", args=[tournament.club.slug, one.pk, other.pk])
    said = say(browser, "they are two people, and cannot be merged", "ce sont deux personnes")
    assert said in words(browser.get(url))
    assert said in words(browser.post(url, follow=True))
    other.refresh_from_db()
    assert other.merged_into is None
