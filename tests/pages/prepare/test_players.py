"""The page of the club's players: found, corrected, put away, deleted, merged."""

import pytest
from django.urls import reverse

from clubs.models import Player
from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.sessions.setup import create_session
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import DATE, make_director, make_tournament, published_session
from tests.pages.browsing import browser_of, fields, press_preview
from tests.pages.reading import words

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(tournament):
    return tournament.club


@pytest.fixture
def user(club):
    return make_director(club)


director = shared_evenings.browser_of_user


@pytest.fixture
def player(club):
    (player,) = add_players(club=club, lines=[RosterLine("Saint-Jean", "Élise")])
    return player


def at(player):
    return reverse("club_player", args=[player.club.slug, player.pk])


@pytest.mark.parametrize("query", ["elise saint jean", "SAINT-JEAN Élise", "jean elise", "saint"])
def test_player_is_found_whatever_the_order_the_accents_and_the_hyphens(director, club, player, query):
    add_players(club=club, lines=[RosterLine("Blanc", "Zoé")])
    page = words(director.get(reverse("players", args=[club.slug]), {"q": query}))
    assert "1 player" in page
    assert "Saint-Jean" in page


@pytest.mark.nightly("crawl")
def test_three_thousand_players_come_in_pages_and_cost_the_queries_of_a_few(director, club, django_assert_num_queries):
    url = reverse("players", args=[club.slug])
    for count in (10, 3000):
        add_players(club=club, lines=[RosterLine(f"Nom{number:04}", "Zoé") for number in range(count)])
        with django_assert_num_queries(7):
            page = director.get(url, {"page": "2"})
    assert "3000 players" in words(page)
    assert "Nom0100" in words(page)
    assert "Nom0200" not in words(page)
    assert "2 / 30" in words(page)


def test_corrected_name_shows_at_once_in_published_pages_too(director, user, tournament):
    session = published_session(tournament, by=user)
    player = session.entrants.get(line="N", number=1).player
    address = reverse("ranking", args=[tournament.club.slug, tournament.slug, session.number])
    reader = browser_of()
    assert player.last_name in words(reader.get(address))
    data = fields(director.get(at(player))) | {"last_name": "Corrigé", "action": "save"}
    assert director.post(at(player), data).status_code == 302
    assert "Zoé Corrigé" in words(reader.get(address))


def test_licence_and_name_of_somebody_else_are_refused_and_what_was_typed_kept(director, club, player):
    add_players(club=club, lines=[RosterLine("Blanc", "Zoé", "123456"), RosterLine("Noir", "Alex")])
    taken = director.post(at(player), {"action": "save", "last_name": "Saint-Jean", "licence": "123456"})
    assert "Zoé Blanc already has this licence" in words(taken)
    assert fields(taken)["licence"] == "123456"
    named = director.post(at(player), {"action": "save", "last_name": "Noir", "first_name": "Alex"})
    assert "Alex Noir is already on the list" in words(named)
    player.refresh_from_db()
    assert (player.last_name, player.licence) == ("Saint-Jean", "")


def test_player_put_away_is_offered_no_more_and_comes_back(director, club, player, tournament):
    session = create_session(tournament=tournament, date=DATE)
    director.post(at(player), {"action": "away"})
    assert "Saint-Jean" not in words(director.get(session_url("entrants", session)))
    assert "Saint-Jean" not in words(director.get(reverse("players", args=[club.slug])))
    assert "Saint-Jean" in words(director.get(reverse("players", args=[club.slug]), {"away": ""}))
    director.post(at(player), {"action": "back"})
    assert "Saint-Jean" in words(director.get(session_url("entrants", session)))


def test_player_put_away_who_is_on_a_list_again_is_back(director, club, player, tournament):
    session = create_session(tournament=tournament, date=DATE)
    director.post(at(player), {"action": "away"})
    press_preview(director, session_url("entrants", session), {"action": "join", "text": "Saint-Jean, Élise"})
    player.refresh_from_db()
    assert (session.entrants.get().player, player.put_away_at) == (player, None)


def test_player_who_was_never_seated_is_deleted_and_nobody_else(director, club, player, tournament):
    session = create_session(tournament=tournament, date=DATE)
    director.post(session_url("entrants", session), {"action": "join", "players": [player.pk]})
    refused = director.post(at(player), {"action": "delete"})
    assert "has played or has a seat" in words(refused)
    session.entrants.all().delete()
    director.post(at(player), {"action": "delete"})
    assert not Player.objects.filter(pk=player.pk).exists()
    assert director.get(at(player)).status_code == 404


@pytest.mark.nightly("story")
def test_merge_is_offered_shown_made_and_undone(director, club, player):
    (other,) = add_players(club=club, lines=[RosterLine("St-Jean", "Élise", "123456")])
    (nearly,) = add_players(club=club, lines=[RosterLine("Sain-Jean", "Élise")])
    page = director.get(at(player))
    assert reverse("player_merge", args=[club.slug, player.pk, nearly.pk]) in page.content.decode()
    assert str(other.licence) in words(director.get(at(player), {"q": "st elise"}))
    address = reverse("player_merge", args=[club.slug, player.pk, other.pk])
    assert "licence number: 123456" in words(director.get(address))
    assert Player.objects.real().count() == 3
    director.post(address)
    player.refresh_from_db()
    assert (player.licence, Player.objects.real().count()) == ("123456", 2)
    assert director.get(at(other)).url == at(player)
    listed = director.get(reverse("players", args=[club.slug]))
    assert "St-Jean Élise is now Saint-Jean Élise" in words(listed)
    undo = next(line for line in listed.content.decode().split('"') if "/merges/" in line)
    director.post(undo)
    assert Player.objects.real().count() == 3
    assert director.post(undo).status_code == 302


def test_player_of_another_club_is_not_found(director, player):
    elsewhere = make_tournament(name="Ailleurs").club
    assert elsewhere.slug != player.club.slug
    assert director.get(reverse("club_player", args=[player.club.slug, 999999])).status_code == 404
    assert director.post(reverse("player_merge_undo", args=[player.club.slug, 999999])).status_code == 404
