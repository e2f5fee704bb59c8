"""The results of rooms on the site's leaderboards: the kind of play "rooms", and the rating of people.

The rating is that of `rooms.record.strengths`: it weighs the strength of the others who played in the same rooms.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import groupby

from django.db.models import Count, Max, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from rankings.leaderboards.boards import BoardSession, BoardSource, register_board_source
from rankings.leaderboards.ratings import NOBODY, People, RatedFigures, write_digits
from rooms.models import Game, Room, RoomSeat, Visitor
from rooms.record.strengths import RatedRoom, RoomTableMean, find_strengths_in_rooms

SEATS_AT_ONCE = 2000
BOTS = -1  # the number by which the rating knows the bots; visitors without a person have lower ones
MEASURED = ("room", "room__opens_at", "visitor", "notes_sum", "deals", "rank", "is_guest", "is_program")


def read_players() -> list[tuple[int, int]]:
    """Return the visitor and the player of each account that plays in rooms and is a player of a club."""
    rows = Player.objects.real().filter(account__visitor__isnull=False).order_by("-pk")
    return sorted(dict(rows.values_list("account__visitor", "pk")).items())


def rate_rooms(people: People) -> dict[int, RatedFigures]:
    """Return the rating of each person with a ranked result in rooms, by id.

    Guests, programs, accounts without a club and bots are among the tables with which the others are compared.
    """
    players = dict(read_players())
    persons = {visitor: people.find_person(player) for visitor, player in players.items()}
    rooms = list(read_rated_rooms({visitor: person for visitor, person in persons.items() if person != NOBODY}))
    strengths = find_strengths_in_rooms(rooms)
    counted = Counter(table.player for room in rooms for table in room.tables if table.player > 0)
    shown = {person: people.player_of[players[visitor]] for visitor, person in persons.items() if person != NOBODY}
    lowest: dict[int, int] = {}
    ratings: dict[int, RatedFigures] = {}
    for person, strength in sorted(strengths.items()):
        if person > 0:
            group = lowest.setdefault(strength.group, person)  # instead of the number of a guest or of the bots
            figure, within = write_digits(strength.figure), write_digits(strength.within)
            figures = RatedFigures(shown[person], figure, None, None, within, counted[person], strength.deals, group)
            ratings[person] = figures
    return ratings


def read_rated_rooms(persons: dict[int, int]) -> Iterator[RatedRoom]:
    """Yield the closed rooms with the mean note of each table: of people who are ranked, and of bots. One query."""
    seats = RoomSeat.objects.filter(letter="S", is_solo=True, deals__gt=0, room__closed_at__isnull=False)
    rows = seats.order_by("room", "pk").values_list(*MEASURED).iterator(SEATS_AT_ONCE)
    for _room, seats_of_room in groupby(rows, key=lambda row: row[0]):
        tables, day = [], 0
        for _pk, opens_at, visitor, notes, deals, rank, is_guest, is_program in seats_of_room:
            day = timezone.localdate(opens_at).toordinal()
            if visitor is not None and rank is None:
                continue
            is_person = visitor in persons and not is_guest and not is_program
            number = BOTS if visitor is None else persons[visitor] if is_person else BOTS - visitor
            tables.append(RoomTableMean(number, float(Fraction(notes) / deals), deals))
        yield RatedRoom(day, tuple(tables))


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
