"""The search with which a director adds somebody: who is found, in which order, and what the chosen line says."""

import datetime as dt

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from clubs.licences import read_licences, store_list
from clubs.matching import LineState, read_list
from clubs.models import Player
from clubs.players import add_players, known_of
from clubs.roster import RosterLine, read_line
from registration.agenda.search import MOST, find_people, read_asked
from tests.factories import make_club, make_director
from wording.table import write_cells

pytestmark = pytest.mark.django_db
LIST = [
    ["Licence", "Nom", "Prénom", "Catégorie", "Série", "Club"],
    ["0012345", "LE GOFF", "Anaïs", "Sénior", "2", "Brest"],
    ["0012346", "MALLE", "Léo", "", "", ""],
    ["0000100", "MARTIN", "Léa", "", "1", "Brest"],
    ["0012347", "DUMAS", "Léon", "Moins de 18 ans", "promotion", "Club des Étuis"],
]


@pytest.fixture
def club():
    club = make_club()
    add_players(club=club, lines=[RosterLine("Martin", "Léa", "100"), RosterLine("Lemaire", "Max")])
    return keep(club, make_director(club))


@pytest.fixture
def director(club):
    return club.memberships.get().user


def keep(club, by, rows=LIST):
    store_list(club=club, file=read_licences(write_cells(rows)), name="liste.xlsx", by=by, now=timezone.now())
    return club


def names(club, text):
    return [each.name for each in find_people(club, read_asked(text))]


def test_every_word_begins_a_word_of_the_name_and_players_come_first(club):
    assert names(club, "ma le") == ["Martin Léa", "Lemaire Max", "Malle Léo"]
    assert names(club, "léo") == ["Malle Léo", "Dumas Léon"]
    assert names(club, "GOFF an") == ["Le Goff Anaïs"]
    assert names(club, "off") == names(club, "l") == names(club, "") == []


def test_licence_is_found_with_and_without_its_zeros(club):
    assert names(club, "1234") == names(club, "00 1234") == ["Le Goff Anaïs", "Malle Léo", "Dumas Léon"]
    assert names(club, "100") == ["Martin Léa"]


def test_member_is_found_once_though_the_list_writes_the_licence_with_zeros(club):
    found = find_people(club, read_asked("martin"))
    assert [(each.facts, each.is_member, each.line) for each in found] == [(["100"], True, "Martin; Léa; 100")]


@pytest.mark.nightly("crawl")
def test_at_most_twelve_are_found_by_three_queries(club, director, django_assert_num_queries):
    rows = [LIST[0], *[[f"{number:05}", f"Nom{chr(65 + number % 26)}", "Zoé", "", "", ""] for number in range(2_000)]]
    keep(club, director, rows)
    with django_assert_num_queries(3):
        found = find_people(club, read_asked("no zo"))
    assert (MOST, len(found), found[0].name) == (12, 12, "NomA Zoé")


def test_other_clubs_list_is_never_searched(club, director):
    other = make_club("autre")
    keep(other, director, [LIST[0], ["9", "AILLEURS", "Ève", "", "", ""]])
    assert (names(club, "ailleurs"), names(other, "ailleurs"), names(other, "goff")) == ([], ["Ailleurs Ève"], [])


def test_switched_off_search_finds_the_players_alone(club, settings):
    settings.LICENCE_SEARCH = False
    assert names(club, "ma le") == ["Martin Léa", "Lemaire Max"]


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("category", Player.Category.values)
def test_chosen_line_is_read_as_that_person(language, category, club, director):
    with translation.override(language):
        words = str(Player.Category(category).label)
        keep(club, director, [LIST[0], ["0012345", "LE GOFF", "Anaïs", words, "2", "Brest"]])
        line = find_people(club, read_asked("goff"))[0].line
    assert read_line(line) == RosterLine("Le Goff", "Anaïs", "0012345", category, "Brest", "2")


def test_chosen_line_of_a_player_is_that_player(club):
    line = find_people(club, read_asked("lemaire"))[0].line
    row = read_list(line, known_of(club))[0]
    assert (row.state, row.suggested) == (LineState.SURE, club.players.get(last_name="Lemaire").pk)


def test_own_club_is_no_club_of_origin(club):
    assert "Club" not in find_people(club, read_asked("dumas"))[0].line.split("; ")[-1]


def browse(club, by):
    client = Client(headers={"accept-language": "en"})
    client.force_login(by)
    return lambda text: client.get(reverse("find_people", args=[club.slug]), {"q": text})


def test_page_shows_licence_category_series_and_club_as_options(club, director):
    html = " ".join(browse(club, director)("goff").content.decode().split())
    assert html.count('role="option"') == 1
    assert "0012345 · series 2 · senior · Brest" in html
    assert 'data-told="1 person found.' in html


@pytest.mark.nightly("story")
def test_each_director_searches_sixty_times_a_minute(club, director, monkeypatch):
    cache.clear()
    now = dt.datetime(2026, 11, 28, 20, 0, 0, tzinfo=dt.UTC)
    monkeypatch.setattr("clubs.guard.counting.clock", now.timestamp)
    search = browse(club, director)
    assert [search("go").status_code for _ in range(61)] == [200] * 60 + [429]
    assert browse(club, make_director(club, "autre"))("go").status_code == 200


def test_director_of_another_club_gets_404(club):
    assert browse(club, make_director(make_club("autre"), "autre"))("go").status_code == 404
