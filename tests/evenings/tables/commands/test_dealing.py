"""The deals of a table that deals its own cards, without a database: their numbers, dealers, and who sits there."""

import pytest

from deals.models import Etui
from evenings.tables import state
from scoring.formats import FREE_DEALS
from tests.evenings.tables.values import make_entrant, make_play, make_session

ONE, TWO, THREE, FOUR = (make_entrant(pk) for pk in range(1, 5))
FIVE = make_entrant(1)
FIVE.pk = 5
SESSION = make_session(FREE_DEALS)


def make_deal(number, people=(ONE, TWO, THREE, FOUR), *, fifth=None, resting="", dealer=""):
    shown = make_play(SESSION, people=people, etui=Etui(pk=number, number=number, taker="", dealer=dealer))
    shown.play.fifth, shown.play.resting = fifth, resting
    return shown


GAME = [make_deal(6), make_deal(5), make_deal(7, (ONE, TWO, THREE))]


def names(*seats):
    return {seat: {"name": name} for seat, name in seats}


def test_play_of_an_etui_has_nothing_of_a_deal():
    stop = [make_deal(8, dealer="N")]
    assert state.is_dealt_here(stop[0].play) is False
    assert state.find_seats_of_stop(stop) == {"N": ONE, "E": TWO, "S": THREE, "W": FOUR}
    assert list(state.find_seats_of_stop(stop)) == ["N", "E", "S", "W"]
    assert state.dealing_data(stop[0].play, stop, by_name=True) == {}


def test_seats_of_a_game_are_those_of_its_last_deal_in_the_order_of_turn():
    assert state.is_dealt_here(GAME[0].play) is True
    found = state.find_seats_of_stop(GAME)
    assert list(found.items()) == [("N", ONE), ("S", THREE), ("E", TWO)]


@pytest.mark.parametrize(
    ("place", "told"),
    [
        (1, {"deal": 1, "dealer": "N"}),
        (0, {"deal": 2, "dealer": "W"}),
        (2, {"deal": 3, "dealer": "E"}),
    ],
)
def test_deals_are_numbered_in_their_game_and_name_seats_that_have_changed(place, told):
    before = names(("N", "Ada Roux"), ("W", "Max Brun"), ("S", "Zoé Blanc"), ("E", "Léo Petit"))
    expected = told if place == 2 else told | {"seats": before}
    found = state.dealing_data(GAME[place].play, GAME, by_name=True)
    assert found == expected
    assert list(found.get("seats", before)) == ["N", "W", "S", "E"]


@pytest.mark.parametrize(
    ("resting", "told", "opener"),
    [
        ("", {"deal": 2, "dealer": "F"}, "W"),
        ("F", {"deal": 2, "dealer": "F", "resting": "F"}, "W"),
        ("W", {"deal": 2, "dealer": "F", "resting": "W"}, "S"),
    ],
)
def test_opener_is_the_next_after_the_dealer_who_plays_the_deal(resting, told, opener):
    stop = [make_deal(number, fifth=FIVE, resting=resting) for number in (5, 6)]
    assert state.dealing_data(stop[1].play, stop, by_name=True) == told
    assert state.find_first_player(stop[1].play, stop) == opener
