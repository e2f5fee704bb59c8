"""The games of a room for programs: the étuis, a game, and a move. A guest's device may ask too, by its cookie."""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Percent, Shape, Throttle, operation, read_shape
from api.errors import describe_error
from api.scopes import apply_scopes
from clubs.models import Scope
from deals.domain.cards import LINES
from rooms.api.base import RoomView, find_api_visitor, require_visitor
from rooms.closing.ranks import find_note_against_bots
from rooms.errors import MoveConflict
from rooms.games import EtuiStage, PlayedGame, list_games, make_move, read_game

MOST_MOVES, MOST_LETTERS = 1000, 200
BOT, YOU = "bot", "you"  # the names of the seats in a game


class EtuiStageOut(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    state = serializers.ChoiceField([str(stage) for stage in EtuiStage], help_text="met: you have met it elsewhere")
    score = serializers.IntegerField(allow_null=True, help_text="the base score, once it is over")
    finished_by = serializers.ChoiceField(["", "hand", "bot"])


class GamesOut(serializers.Serializer[Any]):
    etuis = EtuiStageOut(many=True)


class GameOut(serializers.Serializer[Any]):
    """A game as you see it from your seat."""

    etui = serializers.IntegerField()
    of = serializers.IntegerField(help_text="the number of étuis in the room")
    length = serializers.IntegerField(help_text="the number of moves so far: send it as `at`")
    is_thinking = serializers.BooleanField(help_text="a bot has still to move: ask again")
    is_over = serializers.BooleanField()
    asks_chelem = serializers.BooleanField(help_text="you take and do not lead: send `x` or `n`")
    score = serializers.IntegerField(allow_null=True, help_text="the base score, once the étui is over")
    finished_by = serializers.ChoiceField(["", "hand", "bot"])
    percent_against_bots = Percent(help_text="once you and the seven tables of bots have played the étui; else null")
    table = serializers.DictField(help_text="the hand, what is asked, the bids, the tricks and the points")


class MoveIn(Shape):
    at = serializers.IntegerField(min_value=0, max_value=MOST_MOVES, help_text="the number of moves that you have seen")
    move = serializers.CharField(max_length=MOST_LETTERS, help_text="a move, or several separated by spaces")


class PlayThrottle(Throttle):
    """A limit for each visitor, because a whole club may play as guests behind one address."""

    def get_ident(self, request: Request) -> str:
        visitor = find_api_visitor(request)
        return super().get_ident(request) if visitor is None else f"visitor {visitor.pk}"


class GamesView(RoomView):
    open_to_all = frozenset({"GET"})

    @operation("rooms_games", "Read how far you are in an open room", answer=GamesOut)
    def get(self, request: Request, pk: int) -> Response:
        with_room = list_games(room_id=pk, visitor=require_visitor(request))
        return Response(GamesOut({"etuis": [each._asdict() for each in with_room]}).data)


# The base class of the views of a game. A look may begin an étui, so it needs the scope of a move.
class RoomPlayView(RoomView):
    open_to_all = frozenset({"GET", "POST"})
    throttle_classes = [PlayThrottle]
    throttle_scope = "rooms-play"

    def perform_authentication(self, request: Request) -> None:
        super().perform_authentication(request)
        apply_scopes(request, Scope.ENTER, closed=True)


class GameView(RoomPlayView):
    @operation("rooms_game", "Read your game on an étui; the first time begins it", answer=GameOut)
    def get(self, request: Request, pk: int, etui: int) -> Response:
        visitor = require_visitor(request)
        return Response(describe_game(read_game(room_id=pk, visitor=visitor, etui=etui, now=timezone.now())))

    @operation("rooms_move", "Make a move; the bots answer", answer=GameOut, request=MoveIn)
    def post(self, request: Request, pk: int, etui: int) -> Response:
        body, visitor = read_shape(MoveIn, request.data), require_visitor(request)
        now = timezone.now()
        try:
            game = make_move(room_id=pk, visitor=visitor, etui=etui, at=body["at"], move=body["move"], now=now)
        except MoveConflict as conflict:
            conflict_answer = {"error": describe_error(conflict), "game": describe_game(conflict.game)}
            return Response(conflict_answer, status.HTTP_409_CONFLICT)
        return Response(describe_game(game))


def describe_game(game: PlayedGame) -> Mapping[str, Any]:
    """Return a game in the shape of `GameOut`. But for one note, all follows from the view of the visitor's seat."""
    names = {str(seat): YOU if seat == game.seat else BOT for seat in LINES}
    note = find_note_against_bots(game.table, game.etui) if game.is_over else None
    return {
        "etui": game.etui,
        "of": game.of,
        "length": game.length,
        "is_thinking": game.is_thinking,
        "is_over": game.is_over,
        "asks_chelem": game.asks_chelem,
        "score": game.score,
        "finished_by": game.finished_by,
        "percent_against_bots": None if note is None else Percent().to_representation(note),
        "table": game.describe(names),
    }
