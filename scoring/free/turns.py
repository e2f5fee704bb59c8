"""The order of turn at a table of three, four or five players, and who deals and who rests where the table deals.

Play goes around the table to the right (FFT 2012 p. 6), so from North it goes over West to South and East.
"""

from collections.abc import Collection

from scoring.plays import SEATS

TURN = ("N", "F", "W", "S", "E")  # the fifth player sits between West and North


def find_turn(seats: Collection[str]) -> tuple[str, ...]:
    """Return these seats in the order of turn, from North on."""
    return tuple(seat for seat in TURN if seat in seats)


def name_seats(people: int) -> tuple[str, ...]:
    """Return the seats of a table with this number of people, in the order of SEATS."""
    return SEATS[:people]


def find_dealer(seats: Collection[str] | int, deal: int) -> str:
    """Return the seat that deals deal number `deal` of a game, from 1 on: North first, then the others in turn.

    `seats`: the seats of all people at the table, including the one who rests, or the number of these people.
    """
    turn = find_turn(name_seats(seats) if isinstance(seats, int) else seats)
    return turn[(deal - 1) % len(turn)]


def find_opener(seats: Collection[str], dealer: str) -> str:
    """Return the seat that speaks and leads first in a deal: the next after the dealer among those who play it.

    `seats`: the seats of those who play the deal. The dealer may rest.
    """
    after = TURN.index(dealer) + 1
    return next(seat for seat in (*TURN[after:], *TURN[:after]) if seat in seats)


def count_rests(seats: Collection[str], first: str, deals: int, seat: str) -> int:
    """Return in how many of these deals a seat rests, if everybody at the table rests in turn, from `first` on."""
    turn = find_turn(seats)
    start = turn.index(first)
    return sum(turn[(start + place) % len(turn)] == seat for place in range(deals))
