"""The rating of people who play alone in rooms, from the stored sums of their seats."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby

from django.utils import timezone

from clubs.models import Player
from rankings.leaderboards.people import NOBODY, People
from rankings.leaderboards.ratings import RatedFigures, write_digits
from rooms.models import RoomSeat
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
