"""The family names in capitals beside others in small letters: one button writes them alike, another undoes it."""

import pytest
from django.urls import reverse

from clubs.models import Player
from clubs.names import is_in_capitals, write_small
from clubs.players import add_players
from clubs.roster import RosterLine
from pages.doors import session_url
from tests.factories import make_club, make_director, make_tournament, published_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words


@pytest.fixture
def club(db):
    club = make_club()
    make_director(club)
    names = [
        ("DUPONT", "Marie"),
        ("DE LA TOUR", "ANNE-SOPHIE"),
        ("D’ALMEIDA", "Rui"),
        ("Martin", "Paul"),
        ("Le Goff", "Al"),
    ]
    add_players(club=club, lines=[RosterLine(*name) for name in names])
    return club


@pytest.fixture
def director(club):
    return browser_of(club.memberships.get().user)


def listed(club):
    return sorted(player.listed for player in club.players.all())


def correct(player, last_name):
    player.last_name = last_name
    player.save()


def press(director, club, **button):
    return words(director.post(reverse("names_alike", args=[club.slug]), button, follow=True))


def test_names_are_written_alike_by_one_button_and_back_by_another(director, club):
    before = listed(club)
    page = words(director.get(reverse("players", args=[club.slug])))
    assert "3 family names are in capitals while others are in small letters. Write all names alike" in page
    told = press(director, club)
    assert "3 names are now written like the others." in told
    assert "Write all names alike" not in told
    assert listed(club) == ["De La Tour Anne-Sophie", "Dupont Marie", "D’Almeida Rui", "Le Goff Al", "Martin Paul"]
    undo = fields_of_undo(director, club)
    assert "3 names are in capitals again." in press(director, club, undo=undo)
    assert listed(club) == before
    assert "Nothing has changed." in press(director, club, undo=undo)
    assert listed(club) == before


def fields_of_undo(director, club):
    html = director.get(reverse("players", args=[club.slug])).content.decode()
    return html.split('name="undo" value="')[1].split('"')[0]


def test_name_that_was_corrected_meanwhile_stays(director, club):
    press(director, club)
    correct(club.players.get(last_name="Dupont"), "Dupond-Durand")
    press(director, club, undo=fields_of_undo(director, club))
    assert listed(club) == [
        "DE LA TOUR ANNE-SOPHIE",
        "Dupond-Durand Marie",
        "D’ALMEIDA Rui",
        "Le Goff Al",
        "Martin Paul",
    ]


def test_nobody_gets_the_very_name_of_another(director, club):
    Player.objects.create(club=club, person=club.players.first().person, last_name="Dupont", first_name="Marie")
    assert "2 names are now written like the others." in press(director, club)
    assert {"DUPONT Marie", "Dupont Marie"} <= set(listed(club))


def test_list_in_one_manner_is_not_offered_the_button(director, club):
    club.players.exclude(last_name__in=["DUPONT"]).delete()
    assert "Write all names alike" not in words(director.get(reverse("players", args=[club.slug])))


def test_entry_of_another_club_is_not_undone(director, club):
    press(director, club)
    undo = fields_of_undo(director, club)
    other = make_club("autre", "Autre")
    somebody = browser_of(make_director(other, "autre"))
    assert somebody.post(reverse("names_alike", args=[other.slug]), {"undo": undo}).status_code == 404
    assert "Dupont Marie" in listed(club)


def test_published_ranking_has_the_names_as_they_are_written_now(db):
    tournament = make_tournament()
    user = make_director(tournament.club)
    session = published_session(tournament, by=user)
    player = session.entrants.get(line="N", number=1).player
    correct(player, "DURAND-PETIT")
    address = session_url("ranking", session)
    browser_of().get(address)
    browser_of(user).post(reverse("names_alike", args=[tournament.club.slug]))
    assert "Durand-Petit" in words(browser_of().get(address))


@pytest.mark.parametrize(
    ("name", "small"),
    [
        ("DUPONT", "Dupont"),
        ("SAINT-JEAN", "Saint-Jean"),
        ("D'ARTAGNAN", "D'Artagnan"),
        ("DUPONT DE NEMOURS", "Dupont de Nemours"),
        ("ÉTIENNE", "Étienne"),
        ("O’BRIEN", "O’Brien"),
    ],
)
def test_small_letters_keep_the_capitals_of_a_name(name, small):
    assert (is_in_capitals(name), write_small(name)) == (True, small)


@pytest.mark.parametrize("name", ["Dupont", "X", "McDONALD", "", "李", "STRAẞE", "ǅ"])
def test_name_that_is_not_surely_in_capitals_stays(name):
    assert not is_in_capitals(name)
