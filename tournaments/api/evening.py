"""An evening as it goes: calling positions, and last calls."""

from collections.abc import Callable
from typing import cast

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.models import User
from tournaments.api.base import Shape, View, operation, read
from tournaments.api.sessions import MOST_NUMBER, SessionOut, state_of
from tournaments.permissions import Can, get_session_for
from tournaments.plays.state import SET_ASIDE
from tournaments.sessions.running import call_position, last_call, take_back_call, take_back_last_call


class PositionIn(Shape):
    position = serializers.IntegerField(min_value=1, max_value=MOST_NUMBER)


class TableIn(PositionIn):
    table = serializers.IntegerField(
        min_value=1, max_value=MOST_NUMBER, required=False, help_text="every table if not given"
    )


class LastCallIn(TableIn):
    unstarted = serializers.ChoiceField(
        [kind.value for kind in SET_ASIDE],
        required=False,
        help_text="what becomes of étuis not begun; they stay missing if not given",
    )


class CallView(View):
    @operation(
        "positions_call",
        "Call the next position: its clock starts. Called already, it changes nothing",
        request=PositionIn,
        answer=SessionOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        return carry_out(request, pk, call_position, PositionIn)


class UncallView(View):
    @operation(
        "positions_uncall",
        "Take the last call of a position back while nothing of it is begun",
        request=PositionIn,
        answer=SessionOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        return carry_out(request, pk, take_back_call, PositionIn)


class LastCallView(View):
    @operation(
        "last_calls_make",
        "Last call: no étui of the position called is begun any more",
        request=LastCallIn,
        answer=SessionOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        return carry_out(request, pk, last_call, LastCallIn)


class LastCallBackView(View):
    @operation(
        "last_calls_take_back",
        "Take a last call back: what it set aside is waited for again",
        request=TableIn,
        answer=SessionOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        return carry_out(request, pk, take_back_last_call, TableIn)


def carry_out(request: Request, pk: int, service: Callable[..., object], shape: type[Shape]) -> Response:
    get_session_for(request.user, Can.DIRECT, pk=pk)
    service(session_id=pk, by=cast(User, request.user), now=timezone.now(), **read(shape, request.data))
    return state_of(request, pk)
