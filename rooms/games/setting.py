"""A game as the database has it, read or begun; and the étuis of a room as one visitor finds them."""

import datetime as dt
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Value

from bots.secrets import bot_secret
from deals.domain.cards import Seat
from deals.domain.deal import Deal, loads
from deals.models import DealSet, Etui
from rooms.errors import RoomRefused
from rooms.models import Game, Room, RoomSeat, RoomTable, Visitor, VisitorEtui
from rooms.opening import first_moves, require_open
from rooms.record.replaying import GamePosition, replay_record
from tournaments.permissions import MOST_ID
from tournaments.prepared import JoinedRelation, PreparedJoined, PreparedRows

# Each move of a player reads these rows.
SEAT_OF_VISITOR = PreparedJoined(
    lambda room, visitor: RoomSeat.objects.filter(room=room, visitor=visitor, is_solo=True).order_by(),
    JoinedRelation("room", Room),
    JoinedRelation("room__deal_set", DealSet),
    JoinedRelation("table", RoomTable),
)
ETUI_OF_SET = PreparedRows(
    lambda deal_set, number: Etui.objects.filter(deal_set=deal_set, number=Value(number)).order_by()
)
GAME_OF_TABLE = PreparedRows(lambda table, etui: Game.objects.filter(table=table, etui=etui).order_by())


@dataclass(frozen=True)
class HeldGame:
    """A game with everything that is needed to go on with it.

    `person`: the seat of the person at the table. `position`: the state after the moves that are stored.
    """

    room: Room
    table: RoomTable
    person: Seat
    etui: Etui
    game: Game
    position: GamePosition

    @property
    def secret(self) -> bytes:
        """The secret of the bots for this étui."""
        return bot_secret(bytes.fromhex(self.room.deal_set.seed), self.etui.number)

    def reload(self) -> "HeldGame":
        """Return the game as the database has it now."""
        game = Game.objects.get(pk=self.game.pk)
        return replace(self, game=game, position=read_position(self.etui, game))


def read_position(etui: Etui, game: Game) -> GamePosition:
    """Return the position to which the record of a game leads."""
    return replay_record(load_deal(etui.cards), Seat(etui.dealer), game.record)


@lru_cache(maxsize=256)
def load_deal(cards: str) -> Deal:
    """Return the deal of an étui. Those that are played now stay in the process."""
    return loads(cards)


def find_seat(room_id: int, visitor: Visitor) -> RoomSeat:
    """Return the visitor's seat in a room. Raise RoomRefused if there is no such room or seat."""
    for seat, room, deal_set, table in SEAT_OF_VISITOR(min(room_id, MOST_ID), visitor.pk):
        seat.room, seat.table, seat.visitor, room.deal_set = room, table, visitor, deal_set
        own_seat: RoomSeat = seat
        return own_seat
    if Room.objects.filter(pk=room_id).exists():
        raise RoomRefused("not_in_room")
    raise RoomRefused("room_unknown")


def hold_game(*, room_id: int, visitor: Visitor, number: int, now: dt.datetime) -> HeldGame:
    """Return the visitor's game on an étui of an open room. The first call begins it.

    Raise RoomRefused if the room is not open, or if the étui cannot be played now.
    """
    seat = find_seat(room_id, visitor)
    require_open(seat.room, now)
    etui = next(iter(ETUI_OF_SET(seat.room.deal_set_id, min(number, MOST_ID))), None)
    if etui is None:
        raise RoomRefused("etui_unknown", "etui", number=number)
    game = next(iter(GAME_OF_TABLE(seat.table_id, etui.pk)), None) or begin_game(seat, visitor, etui, now=now)
    return HeldGame(seat.room, seat.table, Seat(seat.letter), etui, game, read_position(etui, game))


def begin_game(seat: RoomSeat, visitor: Visitor, etui: Etui, *, now: dt.datetime) -> Game:
    """Begin an étui, and store that the visitor has met it, before a card of it is shown.

    Raise RoomRefused if another étui comes first, or if the visitor has met this one elsewhere.
    """
    waiting = find_waiting(seat, visitor, etui.number)
    if waiting is not None:
        raise RoomRefused("etui_before", "etui", number=waiting)
    try:
        with transaction.atomic():
            require_open(Room.objects.select_for_update().get(pk=seat.room_id), now)  # perhaps it was closed meanwhile
            VisitorEtui.objects.create(visitor=visitor, etui=etui, shown_at=now)
            return Game.objects.create(table=seat.table, begun_at=now, **first_moves(seat.room, etui))
    except IntegrityError:
        begun = Game.objects.filter(table=seat.table, etui=etui).first()  # by another device, at the same time
        if begun is None:
            raise RoomRefused("etui_met", "etui", number=etui.number) from None
        return begun


def find_waiting(seat: RoomSeat, visitor: Visitor, number: int) -> int | None:
    """Return the number of the étui that comes before étui `number`: a begun one, or a lower one not met yet."""
    begun = Game.objects.filter(table=seat.table_id, finished_at=None).exclude(etui__number=number)
    lower = Etui.objects.filter(deal_set=seat.room.deal_set_id, number__lt=number).exclude(visitors__visitor=visitor)
    first = begun.order_by("etui__number").values_list("etui__number", flat=True).first()
    return first if first is not None else lower.order_by("number").values_list("number", flat=True).first()


class EtuiStage(StrEnum):
    """The stages of an étui for one visitor. MET: the visitor has met it elsewhere, so it is not offered."""

    OVER = "over"
    BEGUN = "begun"
    NEXT = "next"
    LATER = "later"
    MET = "met"


class EtuiState(NamedTuple):
    """An étui of a room for one visitor. `score` and `finished_by` are set once the étui is over."""

    number: int
    state: EtuiStage
    score: int | None = None
    finished_by: str = ""


def list_games(*, room_id: int, visitor: Visitor) -> tuple[EtuiState, ...]:
    """Return all étuis of a room by number, with the stage of each for the visitor. At most one is begun or next.

    Raise RoomRefused if there is no such room, or if the visitor has no table in it.
    """
    seat = find_seat(room_id, visitor)
    numbers = dict(Etui.objects.filter(deal_set=seat.room.deal_set_id).order_by("number").values_list("pk", "number"))
    games = {game.etui_id: game for game in Game.objects.filter(table=seat.table_id).defer("record", "result")}
    met = set(VisitorEtui.objects.filter(visitor=visitor, etui__in=numbers).values_list("etui", flat=True))
    is_busy = any(game.finished_at is None for game in games.values())
    states = []
    for pk, number in numbers.items():
        game = games.get(pk)
        if game is not None:
            stage = EtuiStage.BEGUN if game.finished_at is None else EtuiStage.OVER
            states.append(EtuiState(number, stage, game.score, game.finished_by))
        elif pk in met:
            states.append(EtuiState(number, EtuiStage.MET))
        else:
            states.append(EtuiState(number, EtuiStage.LATER if is_busy else EtuiStage.NEXT))
            is_busy = True
    return tuple(states)
