"""The views of a tournament's teams, for directors: make and change teams, their members, their line-ups."""

from typing import Any, cast

from django.db.models import Prefetch
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Id, ReasonIn, Shape, View, operation, read_shape
from api.sessions import EntrantOut, author_and_time, entrants_data
from clubs.models import User, validate_name
from clubs.roster import MAX_NAME, RosterLine
from clubs.teams import MOST_TEAMS
from evenings.changes.line_ups import choose_line_up
from evenings.changes.quarters import hand_in_quarter
from evenings.plans.teams.seating import seat_teams
from evenings.teams.changing import (
    add_member,
    change_team,
    dissolve_team,
    leave_tournament,
    remove_member,
    return_to_tournament,
)
from evenings.teams.common import MOST_NUMBER, size_of_teams
from evenings.teams.lineups import SeenLineUp, read_line_ups
from evenings.teams.making import make_team
from evenings.teams.quarters import list_quarters, read_quarters
from evenings.teams.substitutes import replace_member, undo_substitute
from scoring.formats import find_format
from tournaments.errors import ActionRefused
from tournaments.models import MOST_POSITIONS, Session, Team, TeamMember, Tournament
from tournaments.permissions import Can, get_session_for, get_tournament_for, require_found
from tournaments.rules.formats import require_offered


class MemberOut(serializers.Serializer[Any]):
    """A player's membership in a team. It is active while `ended_at` is null."""

    id = serializers.IntegerField()
    player = serializers.IntegerField(source="player_id")
    name = serializers.CharField(source="player.name")
    place = serializers.IntegerField(help_text="in triplettes the badge: 1 blue, 2 white, 3 red")
    from_session = serializers.IntegerField(source="from_session_id", allow_null=True, help_text="null: from the start")
    from_position = serializers.IntegerField()
    until_session = serializers.IntegerField(source="until_session_id", allow_null=True)
    until_position = serializers.IntegerField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    replaces = serializers.IntegerField(
        source="replaces_id", allow_null=True, help_text="the membership that a substitute took over"
    )
    reason = serializers.CharField(allow_blank=True)


class TeamOut(serializers.Serializer[Any]):
    """A team of a tournament, with its members: active ones by place, then former ones."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True, help_text="empty: the team is shown by its number")
    captain = serializers.IntegerField(source="captain_id", allow_null=True, help_text="the id of a player")
    complete = serializers.SerializerMethodField(help_text="whether it has all the members it needs to play")
    left_at = serializers.DateTimeField(allow_null=True, help_text="since when it takes part no more")
    left_reason = serializers.CharField(allow_blank=True)
    members = MemberOut(many=True, source="all_members")

    def get_complete(self, team: Team) -> bool:
        active = [member for member in cast(Any, team).all_members if member.ended_at is None]
        return len(active) >= size_of_teams(team.tournament).least


class TeamIn(Shape):
    players = serializers.ListField(child=Id(), min_length=1, max_length=6, help_text="ids of players of the club")
    name = serializers.CharField(max_length=60, allow_blank=True, default="", validators=[validate_name])
    captain = Id(required=False, help_text="the first player if left out")


class TeamChangeIn(Shape):
    """The changes of a team. Fields that are left out stay as they are."""

    name = serializers.CharField(max_length=60, allow_blank=True, required=False, validators=[validate_name])
    number = serializers.IntegerField(
        min_value=1, max_value=MOST_NUMBER, required=False, help_text="fixed once a session has begun"
    )
    captain = Id(required=False, help_text="the id of a member's player")


class MemberIn(Shape):
    player = Id()


class SubstituteMemberIn(Shape):
    """The substitute for a member: a player of the club, or the name of somebody new, who needs a reason."""

    player = Id(required=False)
    last_name = serializers.CharField(max_length=MAX_NAME, required=False, validators=[validate_name])
    first_name = serializers.CharField(max_length=MAX_NAME, default="", allow_blank=True, validators=[validate_name])
    session = Id(required=False, help_text="if left out, from now on: the position being played, or the next session")
    position = serializers.IntegerField(min_value=1, max_value=MOST_POSITIONS, required=False)
    reason = serializers.CharField(max_length=300, default="", allow_blank=True, validators=[validate_name])


class SessionTeamsIn(Shape):
    """The teams that play in a session, in the order of their numbers."""

    teams = serializers.ListField(
        child=Id(), required=False, max_length=MOST_TEAMS, help_text="ids; if left out, all that can play"
    )
    draw = serializers.BooleanField(default=False, help_text="draw the numbers by lot")


def read_teams_of(tournament: Tournament) -> list[Team]:
    """Return the tournament's teams by number, with their members. This takes two queries."""
    order = TeamMember.objects.select_related("player").order_by("ended_at", "place", "pk")
    members = Prefetch("members", queryset=order, to_attr="all_members")
    teams: list[Team] = list(tournament.teams.order_by("number").prefetch_related(members))
    for team in teams:
        team.tournament = tournament
        cast(Any, team).all_members.sort(key=lambda member: (member.ended_at is not None, member.place, member.pk))
    return teams


def answer_team(tournament: Tournament, team_id: int, **given: Any) -> Response:
    """Return the answer with one team of the tournament, or raise `Http404`."""
    shown = next((team for team in read_teams_of(tournament) if team.pk == team_id), None)
    return Response(TeamOut(require_found(shown)).data, **given)


def find_tournament_for(request: Request, pk: int, team: int | None = None) -> Tournament:
    """Return the tournament for a director. Raise `Http404` if it has no team with this id."""
    tournament = get_tournament_for(request.user, Can.DIRECT, pk=pk)
    if team is not None:
        require_found(tournament.teams.filter(pk=team).first())
    return tournament


class TeamsView(View):
    @operation("teams_list", "List the teams of a tournament, with their members", answer=TeamOut(many=True))
    def get(self, request: Request, pk: int) -> Response:
        return Response(TeamOut(read_teams_of(find_tournament_for(request, pk)), many=True).data)

    @operation(
        "teams_make",
        "Make a team. It may lack players for now; a team of the same players and name is found, not made twice",
        request=TeamIn,
        answer=TeamOut,
        statuses=(201,),
    )
    def post(self, request: Request, pk: int) -> Response:
        tournament = find_tournament_for(request, pk)
        team = make_team(tournament_id=pk, **read_shape(TeamIn, request.data), **author_and_time(request))
        return answer_team(tournament, team.pk, status=status.HTTP_201_CREATED)


class TeamView(View):
    @operation("teams_read", "Read a team", answer=TeamOut)
    def get(self, request: Request, pk: int, team: int) -> Response:
        return answer_team(find_tournament_for(request, pk), team)

    @operation("teams_change", "Change the name, number or captain of a team", request=TeamChangeIn, answer=TeamOut)
    def patch(self, request: Request, pk: int, team: int) -> Response:
        tournament = find_tournament_for(request, pk, team)
        changes = read_shape(TeamChangeIn, request.data)
        change_team(tournament_id=pk, team_id=team, **changes, **author_and_time(request))
        return answer_team(tournament, team)

    @operation("teams_dissolve", "Dissolve a team that has not played", answer=None, statuses=(204,))
    def delete(self, request: Request, pk: int, team: int) -> Response:
        find_tournament_for(request, pk)
        dissolve_team(tournament_id=pk, team_id=team, **author_and_time(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class LeavingView(View):
    @operation("teams_leave", "Let a team leave the tournament. Its results stay", request=ReasonIn, answer=TeamOut)
    def post(self, request: Request, pk: int, team: int) -> Response:
        tournament = find_tournament_for(request, pk, team)
        body = read_shape(ReasonIn, request.data)
        leave_tournament(tournament_id=pk, team_id=team, **body, **author_and_time(request))
        return answer_team(tournament, team)

    @operation("teams_return", "Let a team that had left take part again", answer=TeamOut)
    def delete(self, request: Request, pk: int, team: int) -> Response:
        tournament = find_tournament_for(request, pk, team)
        return_to_tournament(tournament_id=pk, team_id=team, **author_and_time(request))
        return answer_team(tournament, team)


class MembersView(View):
    @operation("members_add", "Add a player to a team that lacks one", request=MemberIn, answer=TeamOut)
    def post(self, request: Request, pk: int, team: int) -> Response:
        tournament = find_tournament_for(request, pk, team)
        player = read_shape(MemberIn, request.data)["player"]
        add_member(tournament_id=pk, team_id=team, player=player, **author_and_time(request))
        return answer_team(tournament, team)


class MemberView(View):
    @operation(
        "members_replace",
        "Replace a member by a substitute, who takes over the place",
        request=SubstituteMemberIn,
        answer=TeamOut,
    )
    def put(self, request: Request, pk: int, team: int, member: int) -> Response:
        tournament = find_tournament_for(request, pk, team)
        body = read_shape(SubstituteMemberIn, request.data)
        require_member(tournament, team, member)
        last, first = body.get("last_name", ""), body["first_name"]
        if bool(last) == ("player" in body):
            raise ActionRefused("substitute_one_way", "player")
        replace_member(
            tournament_id=pk,
            member_id=member,
            player=RosterLine(last, first) if last else body["player"],
            session_id=body.get("session"),
            position=body.get("position"),
            reason=body["reason"],
            **author_and_time(request),
        )
        return answer_team(tournament, team)

    @operation("members_remove", "Take a player out of a team that has not played", answer=TeamOut)
    def delete(self, request: Request, pk: int, team: int, member: int) -> Response:
        tournament = find_tournament_for(request, pk, team)
        row = require_member(tournament, team, member)
        remove_member(tournament_id=pk, team_id=team, player_id=row.player_id, **author_and_time(request))
        return answer_team(tournament, team)


class SubstitutionView(View):
    @operation("members_replace_undo", "Undo the substitution that made this membership", answer=TeamOut)
    def delete(self, request: Request, pk: int, team: int, member: int) -> Response:
        tournament = find_tournament_for(request, pk, team)
        require_member(tournament, team, member)
        undo_substitute(tournament_id=pk, member_id=member, **author_and_time(request))
        return answer_team(tournament, team)


def require_member(tournament: Tournament, team: int, member: int) -> TeamMember:
    """Return the membership with this id in the team, or raise `Http404`."""
    return require_found(tournament.team_members.filter(team=team, pk=member).first())


class SessionTeamsView(View):
    @operation(
        "session_teams_set",
        "Say which teams play in a session in preparation, and give or draw their numbers",
        request=SessionTeamsIn,
        answer=EntrantOut(many=True),
    )
    def put(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        body = read_shape(SessionTeamsIn, request.data)
        by = cast(User, request.user)
        author = author_and_time(request) | {"by": by}
        seat_teams(session_id=pk, teams=body.get("teams"), draw=body["draw"], **author)
        return Response(entrants_data(session))


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
    line_ups = read_line_ups(session)
    rows = session.entrants.filter(team__in=line_ups).order_by("number").values_list("team_id", "number")
    return [
        {
            "team": pk,
            "number": number,
            "chosen": line_ups[pk].chosen,
            "members": {seat: member.pk for seat, member in line_ups[pk].members.items()},
            "quarter": None,
        }
        for pk, number in rows
    ]


class LineUpsView(View):
    @operation("line_ups_list", "List the line-ups of a session's teams", answer=LineUpOut(many=True))
    def get(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        require_offered(session.tournament.format, ActionRefused("line_ups_not_played"))
        return Response(LineUpOut(list_line_ups(session), many=True).data)


class LineUpView(View):
    @operation("line_ups_choose", "Choose the line-up of a team", request=LineUpIn, answer=LineUpOut)
    def put(self, request: Request, pk: int, team: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        body = read_shape(LineUpIn, request.data)
        author: dict[str, Any] = author_and_time(request) | {"by": cast(User, request.user)}
        author |= {"session_id": pk, "team_id": team, "members": dict(body["members"]), "reason": body["reason"]}
        if "seen" in body:
            author["seen"] = SeenLineUp(None if body["seen"] is None else dict(body["seen"]))
        quarter = body.get("quarter")
        if find_format(session.tournament.format).has_matches:
            hand_in_quarter(quarter=quarter or 0, **author)
        else:
            choose_line_up(**author)
            quarter = None
        chosen = next(each for each in list_line_ups(session) if (each["team"], each["quarter"]) == (team, quarter))
        return Response(LineUpOut(chosen).data)
