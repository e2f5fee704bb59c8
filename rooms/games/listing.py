"""The étuis of a room as one visitor finds them: over, begun, next, later, or met elsewhere."""

from enum import StrEnum
from typing import NamedTuple

from deals.models import Etui
from rooms.games.setting import find_seat
from rooms.models import Game, Visitor, VisitorEtui


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
