"""Writes to the seating of a session in preparation: who joins, who moves, who leaves, and closing the gaps.

Each change names the seat or the player it is about, so that doing it twice is doing it once.
"""

from collections.abc import Iterable, Sequence
from itertools import count

from django.db import transaction

from deals.models import Line
from tournaments.errors import Refused
from tournaments.models import Entrant
from tournaments.services.setup import Seat, locked_draft, seats_in_order, set_entrants


@transaction.atomic
def seat_players(*, session_id: int, player_ids: Sequence[int]) -> list[Entrant]:
    """Seats the players who have no seat yet on the first free ones, table after table, in the order given."""
    seats = current_seats(session_id)
    taken = {(seat.line, seat.number) for seat in seats}
    free = ((line.value, number) for number in count(1) for line in Line if (line.value, number) not in taken)
    seated = {seat.player_id for seat in seats}
    new = [player_id for player_id in dict.fromkeys(player_ids) if player_id not in seated]
    seats += [Seat(player_id, *place) for player_id, place in zip(new, free, strict=False)]
    return set_entrants(session_id=session_id, seats=seats)


@transaction.atomic
def move_player(*, session_id: int, player_id: int, line: str, number: int) -> list[Entrant]:
    """Puts a player on a seat; whoever sits there takes the seat that becomes free."""
    seats = current_seats(session_id)
    here = seat_of(player_id, seats)
    moved = [
        Seat(player_id, line, number)
        if seat == here
        else Seat(seat.player_id, here.line, here.number)
        if (seat.line, seat.number) == (line, number)
        else seat
        for seat in seats
    ]
    return set_entrants(session_id=session_id, seats=moved)


@transaction.atomic
def unseat_player(*, session_id: int, player_id: int) -> list[Entrant]:
    """Takes a player out; the seat stays empty for whoever comes next."""
    seats = [seat for seat in current_seats(session_id) if seat.player_id != player_id]
    return set_entrants(session_id=session_id, seats=seats)


@transaction.atomic
def close_gaps(*, session_id: int) -> list[Entrant]:
    """Seats everybody anew from table 1 on, in the present order."""
    seats = current_seats(session_id)
    return set_entrants(session_id=session_id, seats=seats_in_order([seat.player_id for seat in seats]))


def current_seats(session_id: int) -> list[Seat]:
    """The seats of a session in preparation, table after table; the session is locked until the change is written."""
    entrants = locked_draft(session_id).entrants.all()
    return in_order(Seat(entrant.player_id, entrant.line, entrant.number) for entrant in entrants)


def in_order(seats: Iterable[Seat]) -> list[Seat]:
    lines = Line.values
    return sorted(seats, key=lambda seat: (seat.number, lines.index(seat.line)))


def seat_of(player_id: int, seats: Iterable[Seat]) -> Seat:
    for seat in seats:
        if seat.player_id == player_id:
            return seat
    raise Refused("player_unknown", "players", player=player_id)
