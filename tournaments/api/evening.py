"""Evenings made for every week; an evening as it goes: calling positions, last calls; its end: what is open, closing,
opening again, the report."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, cast

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.models import User
from tournaments.api.base import ReasonIn, Shape, View, operation, read
from tournaments.api.reading import require_start
from tournaments.api.sessions import MOST_NUMBER, SessionIn, SessionOut, author_and_time, session_data, state_of
from tournaments.paper.evening_report import evening_report
from tournaments.permissions import Can, get_session_for, get_tournament_for
from tournaments.plays.desk_state import desk_plays, hidden_etuis
from tournaments.plays.state import SET_ASIDE
from tournaments.publication.open_points import open_points, read_ruled
from tournaments.sessions.closing import close_session, reopen_session
from tournaments.sessions.running import call_position, last_call, take_back_call, take_back_last_call
from tournaments.sessions.weekly import create_weekly_sessions
from tournaments.words.desk_sentences import OPEN_POINTS
from tournaments.words.messages import sentence


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


class OpenPointOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    count = serializers.IntegerField()
    open = serializers.BooleanField(source="is_open", help_text="false for what is settled, and in the ranking")
    text = serializers.CharField()


class WeeklyIn(SessionIn):
    until = serializers.DateField(help_text="the last day on which a session may be; at most 60 sessions")


class WeeklyView(View):
    @operation(
        "sessions_create_weekly",
        "Create a session for each week until a date. A date that has one already gets no other: the answer has those"
        " that were created",
        request=WeeklyIn,
        answer=SessionOut(many=True),
        statuses=(201,),
    )
    def post(self, request: Request, pk: int) -> Response:
        get_tournament_for(request.user, Can.DIRECT, pk=pk)
        given = read(WeeklyIn, request.data)
        made = create_weekly_sessions(tournament_id=pk, **author_and_time(request), **given)
        told = [session_data(session, Can.DIRECT, progress=None) for session in made]
        return Response(told, status=status.HTTP_201_CREATED)


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


class OpenPointsView(View):
    @operation(
        "open_points_list",
        "What is open before a publication, and what was decided, each with a count",
        answer=OpenPointOut(many=True),
    )
    def get(self, request: Request, pk: int) -> Response:
        session = require_start(get_session_for(request.user, Can.DIRECT, pk=pk))
        plays = desk_plays(session, flags=True, user=request.user, people=False)
        found = open_points(plays, read_ruled(session))
        told = [asdict(point) | {"text": sentence(OPEN_POINTS, point.code, {"count": point.count})} for point in found]
        return Response(OpenPointOut(told, many=True).data)


class CloseView(View):
    @operation(
        "sessions_close",
        "Close the evening: tables enter nothing more. Closed already, it changes nothing",
        answer=SessionOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        close_session(session_id=pk, **author_and_time(request))
        return state_of(request, pk)


class ReopenView(View):
    @operation(
        "sessions_reopen",
        "Open a closed evening again, for a reason; what is published stays",
        request=ReasonIn,
        answer=SessionOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        return carry_out(request, pk, reopen_session, ReasonIn)


class ReportView(View):
    @operation(
        "reports_read",
        "The arbiter’s report of the evening as a PDF, in the language asked for",
        answer=OpenApiTypes.BINARY,
        statuses=((200, "application/pdf"),),
    )
    def get(self, request: Request, pk: int) -> HttpResponse:
        session = require_start(get_session_for(request.user, Can.DIRECT, pk=pk))
        hidden = hidden_etuis(session, request.user)
        language = (get_language() or "fr")[:2]
        pdf = evening_report(session, language=language, now=timezone.now(), hidden=hidden)
        return HttpResponse(pdf, content_type="application/pdf")


def carry_out(request: Request, pk: int, service: Callable[..., object], shape: type[Shape]) -> Response:
    get_session_for(request.user, Can.DIRECT, pk=pk)
    service(session_id=pk, by=cast(User, request.user), now=timezone.now(), **read(shape, request.data))
    return state_of(request, pk)
