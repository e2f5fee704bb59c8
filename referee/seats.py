"""The players of a table as numbers, in the direction of play. Four sit N W S E, three N S E, five N F W S E."""

from functools import cache

from deals.domain.cards import Seat
from deals.domain.etui import to_the_right


@cache
def order_of_play(players: int) -> tuple[Seat, ...]:
    """Return the seats in the direction of play, from North. The place of a seat is its player's number."""
    return tuple(to_the_right(Seat.N, steps, players) for steps in range(players))


def seat_of(player: int, players: int) -> Seat:
    """Return the seat of a player's number."""
    return order_of_play(players)[player]


def player_at(seat: Seat, players: int) -> int:
    """Return the number of the player on a seat."""
    return order_of_play(players).index(seat)


def first_to_play(dealer: int, players: int) -> int:
    """Return the player on the dealer's right, who bids first and leads first."""
    return (dealer + 1) % players
