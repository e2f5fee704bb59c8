"""The views to run a session: weekly sessions, calls of positions, last calls, and the end of the evening.

At the end they list the open points, close or reopen the session, and make the arbiter's report.
"""

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

from api.base import ReasonIn, Shape, View, operation, read_shape
from api.reading import require_start
from api.sessions import (
    MOST_NUMBER,
    SessionIn,
    SessionOut,
    answer_session_state,
    author_and_time,
    session_data,
)
from clubs.models import User
from evenings.plays.desk_state import desk_plays, hidden_etuis
from evenings.plays.state import SET_ASIDE
from evenings.sessions.running import (
    call_position,
    close_session,
    last_call,
    reopen_session,
    take_back_call,
    take_back_last_call,
)
from evenings.sessions.weekly import create_weekly_sessions
from outgoing.paper.evening_report import evening_report
from rankings.publication.publishing import open_points
from tournaments.permissions import Can, get_session_for, get_tournament_for
from tournaments.words.desk_sentences import OPEN_POINTS
from tournaments.words.messages import sentence


class PositionIn(Shape):
    position = serializers.IntegerField(min_value=1, max_value=MOST_NUMBER)


class TableIn(PositionIn):
    table = serializers.IntegerField(
        min_value=1, max_value=MOST_NUMBER, required=False, help_text="if left out, every table"
    )


class LastCallIn(TableIn):
    unstarted = serializers.ChoiceField(
        [kind.value for kind in SET_ASIDE],
        required=False,
        help_text="what happens to étuis that have not begun; if left out, they stay missing",
    )


class OpenPointOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    count = serializers.IntegerField()
    open = serializers.BooleanField(source="is_open", help_text="false if it is settled and counted in the ranking")
    text = serializers.CharField()


class WeeklyIn(SessionIn):
    until = serializers.DateField(help_text="the last possible day of a session; at most 60 sessions are created")


class WeeklyView(View):
    @operation(
        "sessions_create_weekly",
        "Create a session each week until a date. A date that already has a session gets no second one."
        " Answers with the created sessions",
        request=WeeklyIn,
        answer=SessionOut(many=True),
        statuses=(201,),
    )
    def post(self, request: Request, pk: int) -> Response:
        get_tournament_for(request.user, Can.DIRECT, pk=pk)
        body = read_shape(WeeklyIn, request.data)
        made = create_weekly_sessions(tournament_id=pk, **author_and_time(request), **body)
        sessions = [session_data(session, Can.DIRECT, progress=None) for session in made]
        return Response(sessions, status=status.HTTP_201_CREATED)


class CallView(View):
    @operation(
        "positions_call",
        "Call the next position and start its clock. Changes nothing if it is already called",
        request=PositionIn,
        answer=SessionOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        return carry_out(request, pk, call_position, PositionIn)


class UncallView(View):
    @operation(
        "positions_uncall",
        "Undo the call of the newest position, as long as none of its étuis has begun",
        request=PositionIn,
        answer=SessionOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        return carry_out(request, pk, take_back_call, PositionIn)


class LastCallView(View):
    @operation(
        "last_calls_make",
        "Give the last call: no table begins another étui of this position",
        request=LastCallIn,
        answer=SessionOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        return carry_out(request, pk, last_call, LastCallIn)


class LastCallBackView(View):
    @operation(
        "last_calls_take_back",
        "Undo a last call: the étuis that it kept to play later are expected again",
        request=TableIn,
        answer=SessionOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        return carry_out(request, pk, take_back_last_call, TableIn)


class OpenPointsView(View):
    @operation(
        "open_points_list",
        "List what is still open before a publication, and what was decided, each with a count",
        answer=OpenPointOut(many=True),
    )
    def get(self, request: Request, pk: int) -> Response:
        session = require_start(get_session_for(request.user, Can.DIRECT, pk=pk))
        plays = desk_plays(session, flags=True, user=request.user, people=False)
        points = open_points(session, plays)
        described = [
            asdict(point) | {"text": sentence(OPEN_POINTS, point.code, {"count": point.count})} for point in points
        ]
        return Response(OpenPointOut(described, many=True).data)


class CloseView(View):
    @operation(
        "sessions_close",
        "Close the evening: tables can no longer enter results. Changes nothing if it is already closed",
        answer=SessionOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        get_session_for(request.user, Can.DIRECT, pk=pk)
        close_session(session_id=pk, **author_and_time(request))
        return answer_session_state(request, pk)


class ReopenEveningView(View):
    @operation(
        "sessions_reopen",
        "Open a closed evening again, with a reason. What is published stays",
        request=ReasonIn,
        answer=SessionOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        return carry_out(request, pk, reopen_session, ReasonIn)


class ReportView(View):
    @operation(
        "reports_read",
        "Download the arbiter’s report of the evening as a PDF, in the requested language",
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
    """Call the service with the values of the body, for a director. Return the session with its progress."""
    get_session_for(request.user, Can.DIRECT, pk=pk)
    service(session_id=pk, by=cast(User, request.user), now=timezone.now(), **read_shape(shape, request.data))
    return answer_session_state(request, pk)
