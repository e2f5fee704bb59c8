"""The end of a room for four: begun deals are finished by bots, and players are compared where tables shared an étui.

A deal belongs to a visitor who had the seat from its first card to its last, and for whom no bot has moved. It is
compared with the same seat at the other tables, if there are any. In a room without duplicate deals nobody is ranked.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction

from rooms.closing.notes import find_notes
from rooms.closing.ranks import rank_seats
from rooms.models import ClassicTable, Game, Room, RoomSeat
from rooms.opening.joining import SOLO

FIGURES = ["notes_sum", "deals", "own_deals", "is_guest", "is_program", "rank"]


def settle_fours(room: Room, games: list[Game], *, now: dt.datetime) -> None:
    """Store the notes and ranks of a room for four in which every deal is over. Its tables end.

    The figures of a visitor are stored with the seat that they took last. The caller has locked the room.
    """
    compared = list_compared(games)
    notes = find_notes(compared)
    for game in compared:
        game.note = str(notes[game.pk][SOLO])
    Game.objects.bulk_update(compared, ["note"], batch_size=500)
    seats = list(room.seats.filter(visitor__isnull=False).select_related("visitor").order_by("joined_at", "pk"))
    own: defaultdict[int, list[Fraction]] = defaultdict(list)
    for seat in seats:
        own[seat.visitor_id or 0] += [notes[game.pk][seat.letter] for game in list_own(seat, games) if game.pk in notes]
    latest = {seat.visitor_id: seat for seat in seats}
    for seat in seats:
        own_notes = own[seat.visitor_id or 0] if latest[seat.visitor_id] is seat else []
        seat.deals = seat.own_deals = len(own_notes)
        seat.notes_sum = str(sum(own_notes, Fraction()))
        seat.is_guest = seat.visitor is not None and seat.visitor.account_id is None
        seat.is_program = seat.visitor is not None and seat.visitor.is_program
    rank_seats(room, seats)
    RoomSeat.objects.bulk_update(seats, FIGURES, batch_size=500)
    ClassicTable.objects.filter(table__room=room, ended_at=None).update(ended_at=now)
    room.seats.filter(left_at=None).update(left_at=now)


def list_compared(games: Iterable[Game]) -> list[Game]:
    """Return the games of the étuis that at least two tables have played."""
    games = list(games)
    played = Counter(game.etui_id for game in games)
    return [game for game in games if played[game.etui_id] > 1]


def list_own(seat: RoomSeat, games: Iterable[Game]) -> list[Game]:
    """Return the deals of a table that the visitor of a seat played from the first card to the last."""
    return [
        game
        for game in games
        if game.table_id == seat.table_id
        and seat.letter not in game.bot_seats
        and seat.joined_at <= game.begun_at
        and (seat.left_at is None or game.finished_at is None or game.finished_at <= seat.left_at)
    ]
