"""The kind of play "rooms" of the site's leaderboards: the ranked results of accounts that are players of a club.

The rating is that of `rooms.record.strengths`: it weighs the strength of the others who played in the same rooms.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction

from django.db.models import Count, Max, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from rankings.leaderboards.kinds import BoardSession, BoardSource, register_board_source
from rooms.models import Game, Room, RoomSeat, Visitor
from rooms.results.rating import rate_rooms, read_players

KIND = "rooms"
TOP = "100"
ROOMS_AT_ONCE = 500


def ranked_seats() -> Q:
    """Return the condition for seats that count. Tables for four, where people meet people, do not."""
    return Q(rank__isnull=False, is_guest=False, deals__gt=0, is_program=False, is_solo=True)


def read_room_basis() -> Iterator[object]:
    """Yield values that change whenever a result of a room changes, or the player of an account."""
    yield from read_players()
    yield Room.objects.aggregate(count=Count("closed_at"), last=Max("closed_at"))
    yield RoomSeat.objects.filter(ranked_seats()).aggregate(count=Count("pk"), last=Max("left_out_at"))
    yield Visitor.objects.filter(forgotten_at__isnull=False).count()


def read_room_sessions() -> Iterable[BoardSession]:
    """Return each closed room with the sums of its players, sorted by date and id."""
    players = dict(read_players())
    seats = RoomSeat.objects.filter(ranked_seats(), visitor__in=players).select_related("room")
    tops = dict(Game.objects.filter(note=TOP).order_by().values_list("table").annotate(Count("pk")))
    rooms: defaultdict[Room, list[list[int]]] = defaultdict(list)
    for seat in seats.order_by("room__opens_at", "room", "pk").iterator(ROOMS_AT_ONCE):
        notes = Fraction(seat.notes_sum or 0)
        row = [players[seat.visitor_id or 0], seat.deals, tops.get(seat.table_id, 0), notes.denominator]
        rooms[seat.room].append([*row, 0, 0, 0, 0, seat.deals, notes.numerator])
    dated_rooms = ((timezone.localdate(room.opens_at), room.pk, rows) for room, rows in rooms.items())
    return [BoardSession(pk, 0, KIND, date, rows) for date, pk, rows in sorted(dated_rooms)]


def register_rooms() -> None:
    """Let the leaderboards have the lists of rooms. The app calls it once when the site starts."""
    register_board_source(
        BoardSource(
            kind=KIND,
            title=_("In rooms"),
            names_taker=False,
            read_sessions=read_room_sessions,
            read_basis=read_room_basis,
            rate=rate_rooms,
        )
    )
