"""The tables for four of the tests, with people who play as the policy of the bots would."""

import datetime as dt
from dataclasses import dataclass, field

from deals.domain.cards import Seat
from referee.views import view
from rooms.classic.driving import drive_table
from rooms.classic.halls import TermsAsked, make_own_room
from rooms.classic.holding import HeldTable, find_table
from rooms.classic.playing import make_classic_move
from rooms.classic.sitting import take_seat
from rooms.models import Room, RoomTable, Visitor
from rooms.record.tables import find_waited
from tests.rooms.tables import choose_token_of, make_visitor

START = dt.datetime(2026, 11, 26, 12, 5, tzinfo=dt.UTC)
SECOND = dt.timedelta(seconds=1)
SEATS = (Seat.S, Seat.N, Seat.E, Seat.W)


def make_room_for_four(now: dt.datetime = START, **terms: object) -> Room:
    """Return a room by link whose bots play by their policy."""
    room = make_own_room(TermsAsked(**terms), now=now)
    Room.objects.filter(pk=room.pk).update(level=0)
    room.refresh_from_db()
    return room


@dataclass
class Four:
    """A table for four, its people by their seats, and a clock that only the test moves."""

    room: Room
    table: RoomTable
    people: dict[Seat, Visitor]
    now: dt.datetime = field(default=START)

    @property
    def held(self) -> HeldTable:
        return find_table(self.table.pk)

    def drive(self, seconds: float = 0) -> HeldTable:
        """Let some seconds pass, and do what is due until nothing is."""
        self.now += seconds * SECOND
        for _step in range(200):
            before = self.held
            after = drive_table(before, now=self.now)
            if (length_of(after), after.classic.ended_at, len(after.games), len(after.present)) == (
                length_of(before),
                before.classic.ended_at,
                len(before.games),
                len(before.present),
            ):
                return after
        raise AssertionError("the table does not come to rest")

    def waited(self) -> Seat | None:
        held = self.held
        return find_waited(held.hold(Seat.S).position) if held.is_playing else None

    def token(self) -> tuple[Seat, str]:
        """Return the seat at turn, and the move that the policy would make for it. The first player bids a garde."""
        position = self.held.hold(Seat.S).position
        seat = find_waited(position)
        if not position.tokens:
            return seat, "G"
        return seat, choose_token_of(view(position.state, seat), asks_chelem=position.awaits_chelem)

    def move(self, seat: Seat, token: str, at: tuple[int, int] | None = None):
        held = self.held
        return make_classic_move(
            table_id=self.table.pk,
            visitor=self.people[seat],
            at=at or (len(held.games), held.game.length),
            move=token,
            now=self.now,
        )

    def play(self, moves: int = 100) -> HeldTable:
        """Let the people play, at most so many moves, to the end of the deal."""
        for _move in range(moves):
            held = self.drive()
            if not held.is_playing:
                return held
            seat, token = self.token()
            if seat not in self.people or seat not in held.present:
                raise AssertionError("a bot has not moved")
            self.move(seat, token)
        return self.drive()


def length_of(held: HeldTable) -> int:
    return held.game.length if held.game else -1


def seat_people(people: int = 4, room: Room | None = None, **terms: object) -> Four:
    """Return a table of a room for four with so many people, whose first deal is begun by `drive`."""
    room = room or make_room_for_four(**terms)
    four, number = Four(room, None, {}), None
    for seat in SEATS[:people]:
        visitor = make_visitor()
        four.table = take_seat(
            room_id=room.pk, visitor=visitor, now=START, where=(number, str(seat)), link=room.terms.link
        )
        four.people[seat], number = visitor, four.table.number
    return four
