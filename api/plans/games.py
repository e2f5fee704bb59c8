"""The views of the games of an evening in games: settings, the next game, who sits where, closing a game.

The director's page of the games calls the same services. Tables are lists of starting numbers.
"""

from typing import Any, cast

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Shape, Throttle, View, operation, read_shape
from api.plans.answers import RowsField, SeatedGameOut, tell_seated_game
from api.sessions import KINDS, Field, author_and_time
from clubs.session_settings import FREE_DEALS_SETTINGS
from evenings.plans.free.closing import close_game, reopen_game
from evenings.plans.free.laying import find_games
from evenings.plans.free.next_game import propose_next_game, take_next_game, undo_next_game
from evenings.plans.free.settings import edit_free_deals
from movements.plan.bounds import MAX_TABLES
from tournaments.errors import ActionRefused
from tournaments.models import Session
from tournaments.permissions import Can, get_session_for
from tournaments.words.messages import say


def make_free_field(name: str, **options: Any) -> Field:
    """Return the field that reads one setting of donnes libres, as its column in the database says."""
    setting, column = FREE_DEALS_SETTINGS[name], cast(Any, Session._meta.get_field(name))
    options |= {"help_text": setting.means}
    if column.choices:
        return serializers.ChoiceField(column.choices, **options)
    if setting.least is not None:
        options |= {"max_digits": column.max_digits, "decimal_places": column.decimal_places}
        options |= {"min_value": setting.least, "max_value": setting.most}
    return cast(Field, KINDS[type(column)](**options))


class FreeDealsIn(Shape):
    """The changes of the settings of donnes libres. Fields that are left out stay as they are."""

    def get_fields(self) -> Any:
        return {name: make_free_field(name, required=False) for name in FREE_DEALS_SETTINGS}


class FreeDealsOut(serializers.Serializer[Any]):
    def get_fields(self) -> Any:
        return {name: make_free_field(name) for name in FREE_DEALS_SETTINGS}


class TakeGameIn(Shape):
    tables = RowsField(
        max_length=MAX_TABLES,
        required=False,
        help_text="the starting numbers at each table, as changed by hand; if left out, as the site proposes now",
    )


class MissingResultsOut(serializers.Serializer[Any]):
    table = serializers.IntegerField()
    results = serializers.IntegerField()


class GameProposalOut(SeatedGameOut):
    repeated = serializers.IntegerField(help_text="how many pairs of players meet again in this game")
    missing = MissingResultsOut(many=True, help_text="the results of the game before that are missing")


class GamesOfEveningOut(serializers.Serializer[Any]):
    settings = FreeDealsOut()
    games = serializers.IntegerField(help_text="how many games the session has")
    seated = SeatedGameOut(many=True, help_text="the games that are seated; none before the start")
    next = GameProposalOut(allow_null=True, help_text="the proposal for the next game; null if there is none")
    problem = serializers.CharField(allow_blank=True, help_text="why the next game cannot be seated, or empty")


class ClosedDealsOut(serializers.Serializer[Any]):
    deals = serializers.IntegerField(help_text="how many deals are not played now, or expected again")


class EveningGamesView(View):
    throttle_classes = (Throttle,)
    throttle_scope = "games"

    @operation("games_read", "Read the games of a session and the proposal for the next one", answer=GamesOfEveningOut)
    def get(self, request: Request, pk: int) -> Response:
        return answer_games(get_session_for(request.user, Can.DIRECT, pk=pk))

    @operation(
        "games_settings",
        "Change how the games of a session in preparation are seated and weighed",
        request=FreeDealsIn,
        answer=GamesOfEveningOut,
    )
    def patch(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        edit_free_deals(session_id=pk, **read_shape(FreeDealsIn, request.data), **author_and_time(request))
        return answer_games(get_session_for(request.user, Can.DIRECT, pk=pk))


class EveningGameView(View):
    throttle_classes = (Throttle,)
    throttle_scope = "games"

    @operation(
        "games_take",
        "Seat the next game, as proposed or with tables made by hand. The same request twice has one effect",
        request=TakeGameIn,
        answer=GamesOfEveningOut,
    )
    def put(self, request: Request, pk: int, game: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        body = read_shape(TakeGameIn, request.data)
        take_next_game(session_id=pk, game=game, tables=body.get("tables"), **author_and_time(request))
        return answer_games(get_session_for(request.user, Can.DIRECT, pk=pk))

    @operation("games_undo", "Undo the seating of the last game, before it begins", answer=None, statuses=(204,))
    def delete(self, request: Request, pk: int, game: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        undo_next_game(session_id=pk, game=game, **author_and_time(request))
        return Response(status=204)


class GameClosingView(View):
    @operation("games_close", "Close a game: deals that no table has begun are not played", answer=ClosedDealsOut)
    def put(self, request: Request, pk: int, game: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        return Response({"deals": len(close_game(session_id=pk, game=game, **author_and_time(request)))})

    @operation("games_reopen", "Expect the deals of a closed game again", answer=ClosedDealsOut)
    def delete(self, request: Request, pk: int, game: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        return Response({"deals": len(reopen_game(session_id=pk, game=game, **author_and_time(request)))})


def answer_games(session: Session) -> Response:
    """Return the settings of the session, its seated games, and the proposal for the next one."""
    games, proposal, problem = find_games(session), None, ""
    try:
        proposal = propose_next_game(session)
    except ActionRefused as error:
        problem = say(error)
    data = {
        "settings": session,
        "games": session.positions,
        "seated": [tell_seated_game(games, game) for game in range(1, games.seated + 1)] if games else [],
        "next": None,
        "problem": problem,
    }
    if proposal is not None:
        data["next"] = tell_seated_game(proposal.games, proposal.game) | {
            "repeated": proposal.repeated,
            "missing": [{"table": table, "results": count} for table, count in proposal.missing.items()],
        }
    return Response(GamesOfEveningOut(data).data)
