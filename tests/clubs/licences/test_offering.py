"""The licences of the federation's list that are offered for the new names of a pasted list."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.answers import RowQuestion, take_settled
from clubs.licences import is_held, offer_licences, read_licences, store_list
from clubs.lists import read_pasted
from clubs.matching import LICENSED, NEW, LineState, read_list
from clubs.players import add_players, known_of, take_list
from clubs.roster import RosterLine
from clubs.teams import WANTED
from evenings.sessions.setup import create_tournament
from evenings.teams.making import make_pasted_teams, match_teams
from tests.factories import make_club, make_director
from tests.pages.browsing import fields
from tests.pages.reading import words
from wording.table import write_cells

pytestmark = pytest.mark.django_db
LIST = [
    ["Licence", "Nom", "Prénom", "Catégorie", "Série", "Club"],
    ["0012345", "LE GOFF", "ANAIS", "Sénior", "2", "Brest"],
    ["0012346", "MALLE", "Léo", "", "", "Club des Étuis"],
    ["0012347", "DEUX", "Zoé", "", "", ""],
    ["0012348", "DEUX", "Zoé", "", "", ""],
    ["0000100", "MARTIN", "Léa", "", "1", ""],
]


@pytest.fixture
def club():
    club = make_club()
    add_players(club=club, lines=[RosterLine("Durand", "Léa", "100"), RosterLine("Connu", "Max")])
    by = make_director(club)
    store_list(club=club, file=read_licences(write_cells(LIST)), name="liste.csv", by=by, now=timezone.now())
    return club


@pytest.fixture
def by(club):
    return club.memberships.get().user


def offered(club, text):
    return offer_licences(club, read_list(text, known_of(club)))


def test_new_name_of_one_person_of_the_list_is_asked_about_with_the_licence(club, django_assert_num_queries):
    rows = read_list("Anaïs Le Goff\nLéo Malle; catégorie: junior", known_of(club))
    with django_assert_num_queries(2):
        rows = offer_licences(club, rows)
    assert [(row.state, row.likely) for row in rows] == [(LineState.DOUBTFUL, LICENSED)] * 2
    assert [row.licensed for row in rows] == [
        RosterLine("Le Goff", "Anaïs", "0012345", "senior", "Brest", "2"),
        RosterLine("Malle", "Léo", "0012346", "junior"),
    ]
    for answer, licence in ((NEW, ""), (LICENSED, "0012345")):
        questions = [RowQuestion(rows[0], answer)]
        (player,) = take_list(club=club, taken=[*take_settled(questions).values()])
        assert (player.last_name, player.first_name, player.licence) == ("Le Goff", "Anaïs", licence)


@pytest.mark.parametrize(
    "text",
    [
        "Zoé Deux",  # two people of the list have this name
        "Léa Martin",  # a player of the club has this licence
        "Anaïs Le Goff 777",
        "Paul Autre 12345\nAnaïs Le Goff",
        "Max Connu",
        "Anaïs",
    ],
)
def test_nothing_is_offered_if_the_person_is_not_clear_or_the_licence_is_taken(club, text):
    assert [row.licensed for row in offered(club, text) if row.licensed] == []


def test_nothing_is_offered_of_another_clubs_list_or_if_it_is_switched_off(club, settings):
    assert [row.licensed for row in offered(make_club("autre"), "Anaïs Le Goff")] == [None]
    settings.LICENCE_SEARCH = False
    assert [row.licensed for row in offered(club, "Anaïs Le Goff")] == [None]


def test_page_asks_about_the_licence_and_one_press_adds_it(club, by):
    browser = Client(headers={"accept-language": "en"})
    browser.force_login(by)
    address = reverse("players", args=[club.slug])
    page = browser.post(address, {"text": "Anaïs Le Goff\nTom Brun"})
    told = words(page)
    assert "The federation’s list has one person of this name." in told
    assert "somebody new: Le Goff Anaïs · 0012345 senior · series 2 · Brest" in told
    assert "somebody new: Le Goff Anaïs without licence" in told
    browser.post(address, fields(page))
    assert set(club.players.filter(series="2").values_list("last_name", "licence")) == {("Le Goff", "0012345")}


def test_player_of_a_pasted_team_gets_the_licence(club, by):
    tournament = create_tournament(club=club, name="Triplettes", format="triplettes", now=timezone.now())
    pasted = read_pasted("Anaïs Le Goff; Tom Brun; Ida Roux", WANTED)
    (team,) = match_teams(tournament, pasted, {})
    assert [(player.row.licensed is not None, player.asks) for player in team.players] == [(True, True)] + [
        (False, False)
    ] * 2
    teams = match_teams(tournament, pasted, {team.players[0].row.key: LICENSED})
    make_pasted_teams(tournament_id=tournament.pk, teams=teams, by=by, now=timezone.now())
    assert club.players.get(last_name="Le Goff").licence == "0012345"


@pytest.mark.parametrize(
    ("line", "held"),
    [
        (RosterLine("Le Goff", "Anaïs", "12345"), True),
        (RosterLine("Le Goff", "Anaïs", "12346"), False),
        (RosterLine("Le Goff", "Anne", "12345"), False),
        (RosterLine("Le Goff", "Anaïs"), False),
    ],
    ids=["hers", "another's", "another name", "none"],
)
def test_licence_is_held_by_the_name_that_the_list_gives_it(club, line, held):
    assert is_held(club, line) is held
    assert not is_held(make_club("Autre"), line)
