"""The players of a club: each joins the list once, however often they are pasted."""

import pytest
from django.utils import timezone

from clubs.models import Club
from clubs.players import add_players
from clubs.roster import RosterLine, read_roster

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return Club.objects.create(name="Club", slug="club", created_at=timezone.now())


def test_players_come_back_in_the_order_of_the_lines(club):
    players = add_players(club=club, lines=read_roster("Zoé Blanc\nAlex Noir"))
    assert [player.name for player in players] == ["Zoé Blanc", "Alex Noir"]


def test_same_player_pasted_again_is_found(club):
    first = add_players(club=club, lines=read_roster("BLANC Zoé"))
    again = add_players(club=club, lines=read_roster("Blanc, zoé"))
    assert first == again
    assert club.players.count() == 1


def test_licence_is_added_to_a_known_name(club):
    (player,) = add_players(club=club, lines=read_roster("Zoé Blanc"))
    assert add_players(club=club, lines=read_roster("Zoé Blanc 123456")) == [player]
    player.refresh_from_db()
    assert player.licence == "123456"


def test_two_people_of_one_name_are_told_apart_by_licence(club):
    add_players(club=club, lines=read_roster("Zoé Blanc 111111\nZoé Blanc 222222"))
    assert sorted(club.players.values_list("licence", flat=True)) == ["111111", "222222"]


def test_same_name_in_another_club_is_another_player(club):
    other = Club.objects.create(name="Autre", slug="autre", created_at=timezone.now())
    add_players(club=club, lines=read_roster("Zoé Blanc"))
    add_players(club=other, lines=read_roster("Zoé Blanc"))
    assert (club.players.count(), other.players.count()) == (1, 1)


def test_a_licence_comes_to_a_name_of_the_same_list(club):
    players = add_players(club=club, lines=read_roster("Zoé Blanc\nZoé Blanc 123456"))
    assert players[0] is players[1]
    assert [(player.name, player.licence) for player in club.players.all()] == [("Zoé Blanc", "123456")]


def test_a_long_list_costs_the_queries_of_a_short_one(club, django_assert_num_queries):
    for count in (1, 200):
        lines = [RosterLine(f"Nom{count}-{number}", "Zoé") for number in range(count)]
        with django_assert_num_queries(6):
            add_players(club=club, lines=lines)
