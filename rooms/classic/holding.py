"""A table for four as the database has it: its room and terms, who sits where, and the deal that is played."""

import datetime as dt
from dataclasses import dataclass, field

from deals.domain.cards import LINES, Seat
from deals.models import DealSet, Etui
from rooms.errors import RoomRefused
from rooms.games.setting import HeldGame, read_position
from rooms.models import ClassicTable, ClassicTerms, Game, Room, RoomSeat, RoomTable, Visitor
from rooms.record.tables import FinishedDeal, add_marks, find_waited, is_match_over
from tournaments.permissions import MOST_ID
from tournaments.prepared import JoinedRelation, PreparedJoined

BETWEEN = dt.timedelta(seconds=20)  # how long the result of a deal stays, unless everybody wants the next one
NO_CLOCK = dt.timedelta(minutes=5)  # the wait of a table without a clock; then a bot takes the seat
# Each player of a table reads it after each card.
TABLE_OF_FOUR = PreparedJoined(
    lambda table: ClassicTable.objects.filter(table=table).order_by(),
    JoinedRelation("table", RoomTable),
    JoinedRelation("table__room", Room),
    JoinedRelation("table__room__terms", ClassicTerms),
    JoinedRelation("table__room__deal_set", DealSet),
)
SEATS_NOW = PreparedJoined(
    lambda table: RoomSeat.objects.filter(table=table, left_at=None).order_by(), JoinedRelation("visitor", Visitor)
)
GAMES_OF_TABLE = PreparedJoined(
    lambda table: Game.objects.filter(table=table).order_by("begun_at", "pk"), JoinedRelation("etui", Etui)
)


@dataclass(frozen=True)
class HeldTable:
    """A table for four. `seats`: the visitors who have a seat, by its letter. `games`: all deals, the latest last."""

    room: Room
    terms: ClassicTerms
    table: RoomTable
    classic: ClassicTable
    seats: dict[Seat, RoomSeat]
    games: list[Game] = field(default_factory=list)

    @property
    def present(self) -> frozenset[Seat]:
        """The seats whose visitors play themselves. Bots play all others."""
        return frozenset(seat for seat, row in self.seats.items() if row.away_at is None)

    @property
    def game(self) -> Game | None:
        """The latest deal, which is played or has been played, or None before the first one."""
        return self.games[-1] if self.games else None

    @property
    def is_playing(self) -> bool:
        return self.game is not None and self.game.finished_at is None

    @property
    def finished(self) -> list[FinishedDeal]:
        return [
            FinishedDeal(Seat(game.etui.dealer), game.record, game.score)
            for game in self.games
            if game.score is not None
        ]

    @property
    def totals(self) -> dict[Seat, int]:
        """The points of each seat over the deals that are over."""
        return add_marks(self.finished)

    @property
    def is_match_over(self) -> bool:
        finished = self.finished
        return is_match_over(add_marks(finished), len(finished), deals=self.terms.deals, score=self.terms.score)

    def find_seat_of(self, visitor: Visitor) -> Seat | None:
        """Return the seat of a visitor, also of one who is away, or None."""
        return next((seat for seat, row in self.seats.items() if row.visitor_id == visitor.pk), None)

    def hold(self, seat: Seat) -> HeldGame:
        """Return the latest deal as a game of this seat."""
        assert self.game is not None
        return HeldGame(
            self.room, self.table, seat, self.game.etui, self.game, read_position(self.game.etui, self.game)
        )


def find_table(table_id: int) -> HeldTable:
    """Return a table for four with its seats and games. Raise RoomRefused if there is none. Three queries."""
    row = next(iter(TABLE_OF_FOUR(min(table_id, MOST_ID))), None)
    if row is None:
        raise RoomRefused("table_unknown")
    classic, table, room, terms, deal_set = row
    classic.table, table.room, terms.room, room.deal_set = table, room, room, deal_set
    return HeldTable(room, terms, table, classic, read_seats(classic), read_games(table_id))


def read_seats(classic: ClassicTable) -> dict[Seat, RoomSeat]:
    """Return who sits at a table or, at one that has ended, who sat there at the end."""
    if classic.ended_at is None:
        rows = [hang_visitor(*row) for row in SEATS_NOW(classic.table_id)]
    else:
        last = RoomSeat.objects.filter(table=classic.table_id, left_at=classic.ended_at)
        rows = list(last.select_related("visitor"))
    by_letter = {Seat(row.letter): row for row in rows}
    return {seat: by_letter[seat] for seat in LINES if seat in by_letter}


def hang_visitor(seat: RoomSeat, visitor: Visitor) -> RoomSeat:
    """Return the row of a seat with its visitor."""
    seat.visitor = visitor
    return seat


def read_games(table_id: int) -> list[Game]:
    """Return the deals of a table in the order in which they were played."""
    return [hang_etui(*row) for row in GAMES_OF_TABLE(table_id)]


def hang_etui(game: Game, etui: Etui) -> Game:
    """Return the row of a game with its étui."""
    game.etui = etui
    return game


def find_table_due(held: HeldTable, now: dt.datetime) -> dt.datetime | None:
    """Return when the next automatic step of a table is due: `now` if it is overdue, None if there is none.

    Such steps need no player. A deal begins, or the room closes. Or a bot moves, for itself or for a player whose time
    is over.
    """
    if held.classic.ended_at is not None:
        return None
    if now >= held.room.closes_at:
        return now
    if not held.present:
        return None
    return min(find_next_step(held, now) or held.room.closes_at, held.room.closes_at)


def find_next_step(held: HeldTable, now: dt.datetime) -> dt.datetime | None:
    """Return when a table's deal begins, its bot moves or its clock is over. Return None if it waits for players."""
    if held.game is None:
        return now if len(held.present) == len(LINES) else held.classic.begins_at
    if held.game.finished_at is not None:
        is_ready = held.is_match_over or all(seat in held.classic.ready for seat in held.present)
        return now if is_ready else held.game.finished_at + BETWEEN
    waited = find_waited(held.hold(next(iter(held.present))).position)
    return now if waited not in held.present else find_clock_end(held)


def find_clock_end(held: HeldTable) -> dt.datetime | None:
    """Return the end of the time of the player at turn, or None between two deals.

    A table without a clock waits for NO_CLOCK, because a player may have closed the page.
    """
    if not held.is_playing or held.classic.turn_at is None:
        return None
    limit = dt.timedelta(seconds=held.terms.clock) if held.terms.clock else NO_CLOCK
    return held.classic.turn_at + limit


def find_etui(held: HeldTable) -> Etui | None:
    """Return the étui that the table plays next: the lowest one that nobody who has a seat has met.

    In a room without duplicate deals it is the lowest one that no table has begun. None if there is none left.
    """
    visitors = [row.visitor_id for row in held.seats.values()]
    etuis = Etui.objects.filter(deal_set=held.room.deal_set_id).exclude(games__table=held.table.pk)
    etuis = etuis.exclude(visitors__visitor__in=visitors)
    if not held.terms.is_duplicate:
        etuis = etuis.exclude(games__table__room=held.room.pk)
    return etuis.order_by("number").first()
