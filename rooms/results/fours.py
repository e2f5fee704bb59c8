"""The tables of a room for four as its page lists them: the visitors, the free seats, and the seat of the reader."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from django.db.models import Count, Exists, OuterRef, Window
from django.db.models.functions import RowNumber

from deals.domain.cards import LINES
from rooms.classic.sitting import KEPT_SEAT
from rooms.models import ClassicTable, Game, Room, RoomSeat, Visitor
from rooms.results.ranking import NumberedPage
from rooms.visitors.names import ShownName, show_visitor_names

TABLES_A_PAGE = 20


class SeatLine(NamedTuple):
    """A seat of a table: its letter and its visitor. `shown` is None without one. `is_away`: a bot plays for them."""

    letter: str
    shown: ShownName | None
    is_away: bool
    is_free: bool
    is_own: bool


class TableLine(NamedTuple):
    """A table of a room for four that still plays. `deals`: how many it has begun. `id` is in the address."""

    id: int
    number: int
    deals: int
    seats: list[SeatLine]

    @property
    def is_own(self) -> bool:
        return any(seat.is_own for seat in self.seats)

    @property
    def has_free(self) -> bool:
        return any(seat.is_free for seat in self.seats)


@dataclass(frozen=True, kw_only=True)
class TablePage(NumberedPage):
    """A page of the tables of a room for four at which somebody sits. A page that is not there has no tables."""

    size: ClassVar[int] = TABLES_A_PAGE
    tables: list[TableLine]


def list_tables(
    rooms: Iterable[Room], visitor: Visitor | None, now: dt.datetime, *, number: int = 1
) -> dict[int, TablePage]:
    """Return a page of the tables of each of these rooms at which somebody sits, by the room's id. Five queries.

    `number` counts pages from 1.
    """
    ids, first = [room.pk for room in rooms], (number - 1) * TABLES_A_PAGE
    sits = RoomSeat.objects.filter(table=OuterRef("table"), is_solo=False, left_at=None, visitor__isnull=False)
    tables = ClassicTable.objects.filter(Exists(sits), table__room__in=ids, ended_at=None)
    totals = dict(tables.order_by().values_list("table__room").annotate(Count("pk")))
    place = Window(RowNumber(), partition_by="table__room", order_by="table__number")
    shown_rows = tables.annotate(place=place).filter(place__gt=first, place__lte=first + TABLES_A_PAGE)
    rows = list(shown_rows.select_related("table").order_by("table__room", "table__number"))
    on_page = [row.table_id for row in rows]
    taken = RoomSeat.objects.filter(table__in=on_page, is_solo=False, left_at=None).select_related("visitor")
    seats = {(seat.table_id, seat.letter): seat for seat in taken}
    shown = show_visitor_names(seat.visitor for seat in seats.values() if seat.visitor)
    deals = dict(Game.objects.filter(table__in=on_page).order_by().values_list("table").annotate(Count("pk")))
    lines_of_room: dict[int, list[TableLine]] = {pk: [] for pk in ids}
    for row in rows:
        lines = [show_seat_line(seats.get((row.table_id, str(seat))), str(seat), shown, visitor, now) for seat in LINES]
        lines_of_room[row.table.room_id].append(
            TableLine(row.table_id, row.table.number, deals.get(row.table_id, 0), lines)
        )
    return {pk: TablePage(total=totals.get(pk, 0), number=number, tables=lines) for pk, lines in lines_of_room.items()}


def show_seat_line(
    seat: RoomSeat | None, letter: str, shown: dict[int, ShownName], visitor: Visitor | None, now: dt.datetime
) -> SeatLine:
    if seat is None or seat.visitor_id is None:
        return SeatLine(letter, None, False, True, False)
    is_own = visitor is not None and seat.visitor_id == visitor.pk
    is_long_away = seat.away_at is not None and now - seat.away_at >= KEPT_SEAT
    return SeatLine(letter, shown[seat.visitor_id], seat.away_at is not None, is_long_away and not is_own, is_own)


def find_own_table(visitor: Visitor | None, now: dt.datetime) -> int | None:
    """Return the id of the table for four at which a visitor sits, or None."""
    if visitor is None:
        return None
    mine = RoomSeat.objects.filter(visitor=visitor, is_solo=False, left_at=None, table__classic__ended_at=None)
    return mine.filter(room__closed_at=None, room__closes_at__gt=now).values_list("table", flat=True).first()
