"""The views of the plan of a session that teams play: read it, choose it, let a team leave or come late."""

from typing import Any, cast

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Id, Shape, View, operation, read_shape
from api.plans.answers import PlanVersionOut, version_data
from api.plans.movements import NumbersField
from api.sessions import author_and_time
from clubs.teams import MOST_TEAMS
from evenings.changes.preview import OperationNames
from evenings.changes.teams import let_team_arrive, let_team_leave
from evenings.plans.current import current_version
from evenings.plans.teams.choosing import choose_team_plan, propose_for_teams, team_shape
from evenings.plans.teams.current import TeamEvening
from evenings.teams.naming import read_public_names
from movements import compute_figures, read_figures, read_plan
from tournaments.errors import ActionRefused
from tournaments.models import MOST_POSITIONS, Entrant, PlanVersion, Session
from tournaments.permissions import Can, get_session_for, power_of
from tournaments.rules.formats import require_offered
from tournaments.words.team_plans import say_team_plan, say_team_worth


class TeamStopOut(serializers.Serializer[Any]):
    """The two teams of a table in a position, by their numbers in the plan.

    A number of 0 means that a team is missing: the other team rests.
    """

    position = serializers.IntegerField()
    table = serializers.IntegerField()
    first = serializers.IntegerField(help_text="the team North-South")
    second = serializers.IntegerField(help_text="the team East-West")
    etuis = NumbersField()


class TeamSeatOut(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="the number in the plan")
    entrant = serializers.IntegerField()
    team = serializers.IntegerField()
    name = serializers.CharField()
    first_position = serializers.IntegerField()
    last_position = serializers.IntegerField(allow_null=True)


class TeamProposalOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    text = serializers.CharField()
    worth = serializers.ListField(child=serializers.CharField(), help_text="the figures, as sentences")


class TeamPlanOut(serializers.Serializer[Any]):
    """The plan of a session of teams. Before the choice, `version` is 0 and `stops` is empty.

    `proposals` is for directors before the start: the plans that the teams can play, the best first.
    """

    version = serializers.IntegerField()
    code = serializers.CharField(allow_blank=True)
    text = serializers.CharField(allow_blank=True)
    worth = serializers.ListField(child=serializers.CharField(), help_text="the figures, as sentences")
    first_etui = serializers.IntegerField(help_text="the number, in the set, of the plan's étui 1")
    teams = TeamSeatOut(many=True)
    stops = TeamStopOut(many=True)
    proposals = TeamProposalOut(many=True)


class TeamChoiceIn(Shape):
    """The choice of a proposal for a number of teams, by its place in the list of proposals, from 0."""

    choice = serializers.IntegerField(min_value=0, max_value=100)
    teams = serializers.IntegerField(min_value=1, max_value=MOST_TEAMS)


class TeamChangeOfPlanIn(Shape):
    """A team that leaves a running session after a position, or one that comes late."""

    kind = serializers.ChoiceField(["leave", "arrive"])
    team = Id()
    after = serializers.IntegerField(min_value=0, max_value=MOST_POSITIONS)
    seen = serializers.IntegerField(min_value=0, max_value=9999, help_text="the version of the plan that you have seen")


def require_session_of_teams(session: Session) -> Session:
    """Return the session. Raise `ActionRefused` if single players play in it."""
    require_offered(session.tournament.format, ActionRefused("teams_not_played", "teams"))
    return session


class TeamPlanView(View):
    open_to_all = frozenset({"GET"})

    @operation("team_plan_read", "Read the plan of a session of teams", answer=TeamPlanOut)
    def get(self, request: Request, pk: int) -> Response:
        session = require_session_of_teams(get_session_for(request.user, Can.READ, pk=pk))
        power = power_of(request.user, session.tournament.club)
        draft = session.status == Session.Status.DRAFT
        version = None if draft and power < Can.DIRECT else current_version(session)
        shown = describe_plan(session, version, public=power < Can.ENTER)
        offered = propose_for_teams(session) if draft and power >= Can.DIRECT and session.entrants.exists() else ()
        shown["proposals"] = [
            {"code": each.code, "text": say_team_plan(each.code), "worth": say_team_worth(each.plan, each.figures)}
            for each in offered
        ]
        return Response(TeamPlanOut(shown).data)

    @operation(
        "team_plan_choose",
        "Before the start: choose one of the proposals",
        request=TeamChoiceIn,
        answer=PlanVersionOut,
    )
    def put(self, request: Request, pk: int) -> Response:
        session = require_session_of_teams(get_session_for(request.user, Can.DIRECT, pk=pk))
        body = read_shape(TeamChoiceIn, request.data)
        shape = team_shape(session, body["teams"])
        version = choose_team_plan(session_id=pk, choice=body["choice"], shape=shape, **author_and_time(request))
        return Response(version_data(version, OperationNames(session)))


class TeamChangesView(View):
    @operation(
        "team_changes_make",
        "Let a team leave a running session, or come late; 409 if the plan has changed in the meantime",
        request=TeamChangeOfPlanIn,
        answer=PlanVersionOut,
        statuses=(201,),
    )
    def post(self, request: Request, pk: int) -> Response:
        session = require_session_of_teams(get_session_for(request.user, Can.DIRECT, pk=pk))
        body = read_shape(TeamChangeOfPlanIn, request.data)
        options = {"session_id": pk, "after": body["after"], "seen": body["seen"]} | author_and_time(request)
        if body["kind"] == "arrive":
            version = let_team_arrive(team_id=body["team"], **options)
        else:
            entrant = session.entrants.filter(team=body["team"]).values_list("pk", flat=True).first()
            version = let_team_leave(entrant_id=entrant or 0, **options)
        return Response(version_data(version, OperationNames(session)), status=status.HTTP_201_CREATED)


def describe_plan(session: Session, version: PlanVersion | None, *, public: bool) -> dict[str, Any]:
    """Return the plan in the shape of `TeamPlanOut`. With `public`, the names are those that everybody may see."""
    if version is None:
        data: dict[str, Any] = {"version": 0, "code": "", "text": "", "worth": [], "stops": []}
    else:
        plan = read_plan(version.data)
        data = {
            "version": version.number,
            "code": version.code,
            "text": say_team_plan(version.code),
            "worth": say_team_worth(plan, read_figures(plan.seating, version.figures) or compute_figures(plan)),
            "stops": [
                {
                    "position": stop.position,
                    "table": stop.table,
                    "first": stop.first or 0,
                    "second": stop.second or 0,
                    "etuis": list(stop.etuis),
                }
                for stop in sorted(plan.stops)
            ],
        }
    entrants = [] if version is None else sorted(list_entrants(session, version), key=lambda each: each.number)
    teams = [each.team for each in entrants if each.team is not None]
    names = read_public_names(teams) if public else {team.pk: team.shown_name for team in teams}
    data["teams"] = [
        {
            "number": each.number,
            "entrant": each.pk,
            "team": each.team_id,
            "name": names[cast(int, each.team_id)],
            "first_position": each.first_position,
            "last_position": each.last_position,
        }
        for each in entrants
    ]
    return data | {"first_etui": session.first_etui}


def list_entrants(session: Session, version: PlanVersion) -> list[Entrant]:
    return list(TeamEvening(session, read_plan(version.data)).entrants.values())
