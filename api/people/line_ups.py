"""The views of the line-ups of teams in a session or in a quarter: read them, choose one. Only directors may."""

from typing import Any, cast

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Id, Shape, View, operation, read_shape
from api.sessions import author_and_time
from clubs.models import User, validate_name
from evenings.changes.line_ups import choose_line_up
from evenings.changes.quarters import hand_in_quarter
from evenings.teams.lineups import SeenLineUp, read_line_ups
from evenings.teams.quarters import list_quarters, read_quarters
from scoring.formats import find_format
from tournaments.errors import ActionRefused
from tournaments.models import Session
from tournaments.permissions import Can, get_session_for


class LineUpSeatsOut(serializers.Serializer[Any]):
    """The ids of the members (not of the players) in the four seats. South attacks."""

    S = serializers.IntegerField()
    N = serializers.IntegerField()
    E = serializers.IntegerField()
    W = serializers.IntegerField()


class LineUpOut(serializers.Serializer[Any]):
    """The line-up of a team. If `chosen` is false, it is a proposal, and counts until the team chooses another one."""

    team = serializers.IntegerField()
    number = serializers.IntegerField(help_text="the number in the session")
    chosen = serializers.BooleanField()
    members = LineUpSeatsOut()
    quarter = serializers.IntegerField(
        allow_null=True, help_text="the quarter of a team match; null: the whole session"
    )


class LineUpSeatsIn(Shape):
    """The ids of four members of the team. South attacks."""

    S = Id()
    N = Id()
    E = Id()
    W = Id()


class LineUpIn(Shape):
    members = LineUpSeatsIn()
    quarter = serializers.IntegerField(
        min_value=1,
        required=False,
        allow_null=True,
        help_text="the quarter of a team match; leave it out in quadrettes",
    )
    seen = LineUpSeatsIn(
        required=False,
        allow_null=True,
        help_text="the chosen line-up that you have read, or null if none was chosen: if another one counts by now,"
        " nothing is stored",
    )
    reason = serializers.CharField(
        max_length=300, default="", allow_blank=True, validators=[validate_name], help_text="needed after the start"
    )


def list_line_ups(session: Session) -> list[dict[str, Any]]:
    """Return the line-ups of the session's teams in the order of their numbers. This takes four queries.

    In team matches each team has one for each quarter that it plays.
    """
    if find_format(session.tournament.format).has_matches:
        return [
            {
                "team": team.team.pk,
                "number": number,
                "chosen": quarter in team.quarters,
                "members": {seat: member.pk for seat, member in team.propose(quarter).members.items()},
                "quarter": quarter,
            }
            for number, team in read_quarters(session).items()
            for quarter in filter(team.is_there, list_quarters(session))
        ]
    found = read_line_ups(session)
    rows = session.entrants.filter(team__in=found).order_by("number").values_list("team_id", "number")
    return [
        {
            "team": pk,
            "number": number,
            "chosen": found[pk].chosen,
            "members": {seat: member.pk for seat, member in found[pk].members.items()},
            "quarter": None,
        }
        for pk, number in rows
    ]


class LineUpsView(View):
    @operation("line_ups_list", "List the line-ups of a session's teams", answer=LineUpOut(many=True))
    def get(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        if not find_format(session.tournament.format).is_mirrored:
            raise ActionRefused("line_ups_not_played")
        return Response(LineUpOut(list_line_ups(session), many=True).data)


class LineUpView(View):
    @operation("line_ups_choose", "Choose the line-up of a team", request=LineUpIn, answer=LineUpOut)
    def put(self, request: Request, pk: int, team: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        asked = read_shape(LineUpIn, request.data)
        given: dict[str, Any] = author_and_time(request) | {"by": cast(User, request.user)}
        given |= {"session_id": pk, "team_id": team, "members": dict(asked["members"]), "reason": asked["reason"]}
        if "seen" in asked:
            given["seen"] = SeenLineUp(None if asked["seen"] is None else dict(asked["seen"]))
        quarter = asked.get("quarter")
        if find_format(session.tournament.format).has_matches:
            hand_in_quarter(quarter=quarter or 0, **given)
        else:
            choose_line_up(**given)
            quarter = None
        chosen = next(each for each in list_line_ups(session) if (each["team"], each["quarter"]) == (team, quarter))
        return Response(LineUpOut(chosen).data)
