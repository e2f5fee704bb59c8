"""The turn at a table of three, four or five: play goes from North over West to South and East."""

import pytest

from scoring.free import find_dealer, find_opener, name_seats


@pytest.mark.parametrize(("people", "turn"), [(3, "NSE"), (4, "NWSE"), (5, "NFWSE")])
def test_north_deals_first_and_then_the_others_in_turn(people, turn):
    assert set(name_seats(people)) == set(turn)
    for seats in (people, name_seats(people)):  # by their number, and by the seats themselves
        assert [find_dealer(seats, deal) for deal in range(1, 2 * people + 1)] == [*turn, *turn]


@pytest.mark.parametrize(
    ("seats", "openers"),
    [
        ("NES", {"N": "S", "S": "E", "E": "N"}),
        ("NESW", {"N": "W", "W": "S", "S": "E", "E": "N"}),
        ("NESWF", {"N": "F", "F": "W", "W": "S", "S": "E", "E": "N"}),
        ("ESWF", {"N": "F"}),  # the dealer rests
        ("NESF", {"W": "S"}),
    ],
)
def test_player_after_the_dealer_speaks_first(seats, openers):
    assert {dealer: find_opener(seats, dealer) for dealer in openers} == openers
