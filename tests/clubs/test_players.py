"""The players of a club: each joins the list once, however often they are pasted."""

import pytest
from django.utils import timezone

from clubs.matching import MatchedLine
from clubs.models import Club
from clubs.players import add_players, take_counted, take_list
from clubs.roster import RosterError, RosterLine, read_line

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return Club.objects.create(name="Club", slug="club", created_at=timezone.now())


def test_players_come_back_in_the_order_of_the_lines(club):
    players = add_players(club=club, lines=[read_line("Zoé Blanc"), read_line("Alex Noir")])
    assert [player.name for player in players] == ["Zoé Blanc", "Alex Noir"]


def test_same_player_pasted_again_is_found(club):
    first = add_players(club=club, lines=[read_line("BLANC Zoé")])
    again = add_players(club=club, lines=[read_line("Blanc, zoé")])
    assert first == again
    assert club.players.count() == 1


def test_licence_is_added_to_a_known_name(club):
    (player,) = add_players(club=club, lines=[read_line("Zoé Blanc")])
    assert add_players(club=club, lines=[read_line("Zoé Blanc 123456")]) == [player]
    player.refresh_from_db()
    assert player.licence == "123456"


def test_two_people_of_one_name_are_told_apart_by_licence(club):
    add_players(club=club, lines=[read_line("Zoé Blanc 111111"), read_line("Zoé Blanc 222222")])
    assert sorted(club.players.values_list("licence", flat=True)) == ["111111", "222222"]


def test_same_name_in_another_club_is_another_player(club):
    other = Club.objects.create(name="Autre", slug="autre", created_at=timezone.now())
    add_players(club=club, lines=[read_line("Zoé Blanc")])
    add_players(club=other, lines=[read_line("Zoé Blanc")])
    assert (club.players.count(), other.players.count()) == (1, 1)


def test_a_licence_comes_to_a_name_of_the_same_list(club):
    players = add_players(club=club, lines=[read_line("Zoé Blanc"), read_line("Zoé Blanc 123456")])
    assert players[0] is players[1]
    assert [(player.name, player.licence) for player in club.players.all()] == [("Zoé Blanc", "123456")]


def test_a_long_list_costs_the_queries_of_a_short_one(club, django_assert_num_queries):
    for count in (1, 200):
        lines = [RosterLine(f"Nom{count}-{number}", "Zoé") for number in range(count)]
        with django_assert_num_queries(6):
            add_players(club=club, lines=lines)


ONE_LICENCE = [RosterLine("Martin", "Anne", "4123"), RosterLine("Martin", "Paul", "4123")]


def test_nobody_is_lost_whose_licence_another_player_has(club):
    """Take both as new players: the second has no licence, because it is the one of the first."""
    anne, paul = take_list(club=club, taken=[MatchedLine(line) for line in ONE_LICENCE])
    assert [(anne.name, anne.licence), (paul.name, paul.licence)] == [("Anne Martin", "4123"), ("Paul Martin", "")]
    again = take_list(club=club, taken=[MatchedLine(RosterLine("Anne", "Martin", "4123")), MatchedLine(ONE_LICENCE[1])])
    assert (again, club.players.count()) == ([anne, paul], 2)


def test_two_names_with_one_licence_are_refused_where_nobody_can_be_asked(club):
    with pytest.raises(RosterError) as caught:
        add_players(club=club, lines=ONE_LICENCE)
    assert (caught.value.code, caught.value.params["name"]) == ("roster_licence_twice", "Paul Martin")
    assert not club.players.exists()
    first, second = add_players(club=club, lines=[ONE_LICENCE[0], RosterLine("MARTIN", "Anne", "4123")])
    assert first == second


def test_count_of_new_players_is_the_count_of_rows(club):
    add_players(club=club, lines=[read_line("Zoé Blanc")])
    taken = [MatchedLine(RosterLine("Blanc", "Zoé")), MatchedLine(RosterLine("Noir", "Alex"))]
    assert take_counted(club=club, taken=[*taken, taken[1]])[1].new == 1
    assert club.players.count() == 2
