"""The views of the line-ups of teams in a session: read them, and choose one. They are secret: directors only."""

from typing import Any, cast

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.models import User, validate_name
from scoring.formats import find_format
from tournaments.api.base import Id, Shape, View, operation, read_shape
from tournaments.api.sessions import author_and_time
from tournaments.changes.line_ups import choose_line_up
from tournaments.errors import ActionRefused
from tournaments.models import Session
from tournaments.permissions import Can, get_session_for
from tournaments.teams.lineups import has_line_ups, read_line_ups


class LineUpSeatsOut(serializers.Serializer[Any]):
    """The ids of the members (not of the players) in the four seats. South attacks."""

    S = serializers.IntegerField()
    N = serializers.IntegerField()
    E = serializers.IntegerField()
    W = serializers.IntegerField()


class LineUpOut(serializers.Serializer[Any]):
    """The line-up of a team. While `chosen` is false nobody has chosen it, and the team plays as is proposed here."""

    team = serializers.IntegerField()
    number = serializers.IntegerField(help_text="the number in the session")
    chosen = serializers.BooleanField()
    members = LineUpSeatsOut()


class LineUpSeatsIn(Shape):
    """The ids of four members of the team. South attacks."""

    S = Id()
    N = Id()
    E = Id()
    W = Id()


class LineUpIn(Shape):
    members = LineUpSeatsIn()
    reason = serializers.CharField(
        max_length=300, default="", allow_blank=True, validators=[validate_name], help_text="needed after the start"
    )


def list_line_ups(session: Session) -> list[dict[str, Any]]:
    """Return the line-ups of the session's teams in the order of their numbers. This takes four queries."""
    found = read_line_ups(session)
    rows = session.entrants.filter(team__in=found).order_by("number").values_list("team_id", "number")
    return [
        {
            "team": pk,
            "number": number,
            "chosen": found[pk].chosen,
            "members": {seat: member.pk for seat, member in found[pk].members.items()},
        }
        for pk, number in rows
    ]


class LineUpsView(View):
    @operation("line_ups_list", "List the line-ups of a session's teams", answer=LineUpOut(many=True))
    def get(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        if not has_line_ups(find_format(session.tournament.format)):
            raise ActionRefused("line_ups_not_played")
        return Response(LineUpOut(list_line_ups(session), many=True).data)


class LineUpView(View):
    @operation("line_ups_choose", "Choose the line-up of a team", request=LineUpIn, answer=LineUpOut)
    def put(self, request: Request, pk: int, team: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        asked = read_shape(LineUpIn, request.data)
        given = author_and_time(request) | {"by": cast(User, request.user)}
        choose_line_up(session_id=pk, team_id=team, members=dict(asked["members"]), reason=asked["reason"], **given)
        chosen = next(each for each in list_line_ups(session) if each["team"] == team)
        return Response(LineUpOut(chosen).data)
