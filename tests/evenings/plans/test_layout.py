"""The rows of a plan's plays: two entrants who exchange their seats in a position."""

from evenings.plans.layout import swap_seats


def row(position, **seats):
    return {"position": position, **seats}


def test_two_entrants_exchange_their_seats_in_one_position_alone():
    rows = {
        1: row(1, north_id=1, east_id=2, south_id=3, west_id=4),
        2: row(1, north_id=5, east_id=6, south_id=7, west_id=8),
        3: row(1, north_id=9, east_id=10, south_id=11, west_id=12),
        4: row(2, north_id=1, east_id=6, south_id=7, west_id=8),
    }
    assert swap_seats(rows, 1, (2, 8)) == {
        1: row(1, north_id=1, east_id=8, south_id=3, west_id=4),
        2: row(1, north_id=5, east_id=6, south_id=7, west_id=2),
    }
