"""The views of the plan of a session that teams play: read it, choose it, let a team leave or come late."""

from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Id, PublicView, Shape, View, operation, read_shape
from api.plans.answers import NO_PLAN, PlanVersionOut, TeamPlanOut, show_session_plan, version_data
from api.sessions import author_and_time
from clubs.teams import MOST_TEAMS
from evenings.changes.preview import OperationNames
from evenings.changes.teams import let_team_arrive, let_team_leave
from evenings.plans.current import evening_of
from evenings.plans.data import show_proposal
from evenings.plans.teams.choosing import choose_team_plan, propose_for_teams, team_shape
from tournaments.errors import ActionRefused
from tournaments.models import MOST_POSITIONS, Session
from tournaments.permissions import Can, get_session_for, power_of
from tournaments.rules.formats import require_offered


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


class TeamPlanView(PublicView):
    @operation("team_plan_read", "Read the plan of a session of teams", answer=TeamPlanOut)
    def get(self, request: Request, pk: int) -> Response:
        session = require_session_of_teams(get_session_for(request.user, Can.READ, pk=pk))
        power = power_of(request.user, session.tournament.club)
        draft = session.status == Session.Status.DRAFT
        evening = None if draft and power < Can.DIRECT else evening_of(session)
        shown = show_session_plan(evening, public=power < Can.ENTER) if evening else NO_PLAN
        offered = propose_for_teams(session) if draft and power >= Can.DIRECT and session.entrants.exists() else ()
        more = {"first_etui": session.first_etui, "proposals": [*map(show_proposal, offered)]}
        return Response(TeamPlanOut({**shown, **more}).data)

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
