"""The ranking of a closed room, page by page; and a visitor who is left out of it, or comes back into it.

Nothing else is changed by hand. Notes stay, because the tables of the others are compared with this one.
"""

import datetime as dt
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet

from clubs.models import User
from clubs.names import HIDDEN
from rooms.closing.ranks import GUESTS, PLAYERS, PROGRAMS, find_group_of_seat, find_mean_of_seat, rank_again
from rooms.models import Room, RoomSeat, RoomTable, Visitor
from rooms.visitors.names import ShownName, VisitorRefused, log_of_administration, show_visitor_names
from tournaments.locks import lock_apart


@dataclass(frozen=True, kw_only=True)
class NumberedPage:
    """A page of a list with `total` rows. `number` counts from 1; `size` is the number of rows of a full page."""

    size: ClassVar[int]
    total: int
    number: int

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // self.size))

    @property
    def previous(self) -> int:
        return self.number - 1

    @property
    def next(self) -> int:
        return self.number + 1


A_PAGE = 50
GROUPS = {
    PLAYERS: Q(is_guest=False, is_program=False),
    GUESTS: Q(is_guest=True, is_program=False),
    PROGRAMS: Q(is_program=True),
}
NOBODY_SHOWN = ShownName("–", False, False, False)


class RankedSeat(NamedTuple):
    """A line of a ranking. `mean` is None without a note. `deals` has a note; `own_deals` were played by hand."""

    seat: RoomSeat
    shown: ShownName
    mean: Fraction | None
    is_own: bool

    @property
    def finished_by_bot(self) -> int:
        """The number of étuis that a bot played to their end."""
        return self.seat.deals - self.seat.own_deals


@dataclass(frozen=True, kw_only=True)
class RankingPage(NumberedPage):
    """A page of one of the GROUPS of a closed room."""

    size: ClassVar[int] = A_PAGE
    rows: list[RankedSeat]


class RoomCounts(NamedTuple):
    """The number of seats with a note in each of the GROUPS of a closed room, and of the tables of bots added to it."""

    players: int
    guests: int
    programs: int
    bot_tables: int

    def find_total(self, group: str) -> int:
        totals = {PLAYERS: self.players, GUESTS: self.guests, PROGRAMS: self.programs}
        return totals[group]


def noted_seats(room: Room) -> QuerySet[RoomSeat]:
    """Return the seats of visitors that have a note, the ranked ones first."""
    seats = RoomSeat.objects.filter(room=room, visitor__isnull=False, deals__gt=0)
    return seats.order_by(F("rank").asc(nulls_last=True), "-own_deals", "pk")


def count_seats(room: Room) -> RoomCounts:
    """Return the counts of a closed room. Two queries."""
    counted = {group: Count("pk", filter=which) for group, which in GROUPS.items()}
    seat_counts = noted_seats(room).order_by().aggregate(**counted)
    bots = RoomTable.objects.filter(room=room, is_filler=True).count()
    return RoomCounts(**seat_counts, bot_tables=bots)


def read_ranking(room: Room, group: str, *, total: int, number: int, visitor: Visitor | None) -> RankingPage:
    """Return a page of a group of a closed room. Two queries, or none without seats."""
    if room.closed_at is None or not total:
        return RankingPage(rows=[], total=0, number=1)
    number = min(number, -(-total // A_PAGE))
    first = (number - 1) * A_PAGE
    seats = list(noted_seats(room).filter(GROUPS[group]).select_related("visitor")[first : first + A_PAGE])
    return RankingPage(rows=show_seats(seats, visitor), total=total, number=number)


def show_seats(seats: list[RoomSeat], visitor: Visitor | None) -> list[RankedSeat]:
    """Return the lines of these seats, with names as they are shown now. One query."""
    shown = show_visitor_names(seat.visitor for seat in seats if seat.visitor)
    own = visitor and visitor.pk
    return [
        RankedSeat(
            seat,
            shown.get(seat.visitor_id or 0, NOBODY_SHOWN),
            find_mean_of_seat(seat),
            own is not None and seat.visitor_id == own,
        )
        for seat in seats
    ]


def find_own_seat(room: Room, visitor: Visitor | None) -> RankedSeat | None:
    """Return the reader's own line in a closed room, or None."""
    if visitor is None or room.closed_at is None:
        return None
    seat = noted_seats(room).filter(visitor=visitor).select_related("visitor").first()
    return None if seat is None else show_seats([seat], visitor)[0]


def find_page_of_seat(seat: RoomSeat) -> int:
    """Return the page on which a ranked seat stands. For a seat without a rank it is the first page."""
    if seat.rank is None:
        return 1
    before = noted_seats(seat.room).filter(GROUPS[find_group_of_seat(seat)])
    ahead = before.filter(Q(rank__lt=seat.rank) | Q(rank=seat.rank, own_deals__gt=seat.own_deals))
    equal = before.filter(rank=seat.rank, own_deals=seat.own_deals, pk__lt=seat.pk)
    return (ahead.count() + equal.count()) // A_PAGE + 1


MOST_LETTERS = 200  # of a reason


@transaction.atomic
def leave_out(*, room_id: int, seat_id: int, reason: str, by: User, now: dt.datetime) -> None:
    """Leave a seat out of the ranking of a closed room. Everybody reads the reason.

    Raise `VisitorRefused` if there is no reason, no such seat, or no ranking yet.
    """
    reason = " ".join(HIDDEN.sub(" ", reason).split())[:MOST_LETTERS]
    if not reason:
        raise VisitorRefused("reason_missing", "reason")
    change_place(room_id, seat_id, left_out_at=now, left_out_by=by, left_out_reason=reason)
    log_of_administration(RoomSeat, seat_id, "left out of the ranking", by)


@transaction.atomic
def take_in_again(*, room_id: int, seat_id: int, by: User) -> None:
    """Let a seat that was left out be ranked again. Raise `VisitorRefused` as `leave_out` does."""
    change_place(room_id, seat_id, left_out_at=None, left_out_by=None, left_out_reason="")
    log_of_administration(RoomSeat, seat_id, "ranked again", by)


def change_place(room_id: int, seat_id: int, **values: object) -> None:
    """Change a seat of a closed room, and rank the room again."""
    rooms = lock_apart(Room, [room_id])
    if not rooms or rooms[0].closed_at is None:
        raise VisitorRefused("room_not_ranked")
    if not RoomSeat.objects.filter(pk=seat_id, room=room_id, visitor__isnull=False).update(**values):
        raise VisitorRefused("visitor_unknown")
    rank_again(room_id)
