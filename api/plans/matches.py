"""The view of the matches of a tournament of team matches: the table of the league, or the tree of the knock-out."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Id, PublicView, Shape, operation, read_shape
from api.sessions import author_and_time
from clubs.models import validate_name
from evenings.changes.quarters import decide_match
from rankings.events.matches import MatchesOfTournament, MatchPair, TeamMeeting, find_matches
from scoring.matches import LeagueStanding
from tournaments.models import Tournament
from tournaments.permissions import Can, get_tournament_for, power_of
from wording.figures import decimal_text

DECIMALS = 3


class LeagueRowOut(serializers.Serializer[Any]):
    rank = serializers.IntegerField()
    team = serializers.IntegerField(help_text="the number of the team in the tournament")
    name = serializers.CharField()
    points = serializers.IntegerField()
    match_points = serializers.CharField(help_text="the sum over all matches, with three decimals")
    played = serializers.IntegerField()
    won = serializers.IntegerField()
    drawn = serializers.IntegerField()
    lost = serializers.IntegerField()


class MeetingOut(serializers.Serializer[Any]):
    """A session in which two teams meet. The points are null before the match is finished.

    `version` is the version of the session's publication that has the result, null before it is published.
    """

    session = serializers.IntegerField(help_text="the number of the session")
    version = serializers.IntegerField(allow_null=True)
    home_points = serializers.CharField(allow_null=True, help_text="match points with three decimals")
    away_points = serializers.CharField(allow_null=True)
    home_bonus = serializers.CharField(allow_null=True, help_text="the starting bonus that is part of the points")
    away_bonus = serializers.CharField(allow_null=True)


class MatchOut(serializers.Serializer[Any]):
    """Two teams of a round, by their numbers. The points are those of their last finished match, or null.

    `winner` is the team that won, or that goes on in a knock-out. It is null after a draw. `meetings` has all sessions
    in which the two teams meet, in their order.
    """

    home = serializers.IntegerField(allow_null=True, help_text="null if the team is not known yet, or if there is none")
    away = serializers.IntegerField(allow_null=True)
    session = serializers.IntegerField(allow_null=True, help_text="the number of the session, or null")
    home_points = serializers.CharField(allow_null=True, help_text="match points with three decimals")
    away_points = serializers.CharField(allow_null=True)
    winner = serializers.IntegerField(allow_null=True)
    decided = serializers.CharField(allow_blank=True, help_text="the reason of a director's decision, or empty")
    meetings = MeetingOut(many=True)


class MatchRoundOut(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    matches = MatchOut(many=True)
    resting = serializers.ListField(child=serializers.IntegerField(), help_text="numbers of teams")


class MatchesOut(serializers.Serializer[Any]):
    """The matches of a tournament. Only a league has a `table`. All is empty if no matches are played in it."""

    meeting = serializers.ChoiceField(Tournament.MeetingKind.choices)
    table = LeagueRowOut(many=True)
    rounds = MatchRoundOut(many=True)


class MatchDecisionIn(Shape):
    """A decision which of two teams (by their ids) goes on in a knock-out, or comes first in a league."""

    winner = Id()
    loser = Id()
    reason = serializers.CharField(max_length=300, validators=[validate_name])


def matches_data(tournament: Tournament, *, in_public: bool) -> dict[str, Any]:
    """Return the matches as data. Readers get those of published sessions, directors also those of closed ones."""
    matches = find_matches(tournament, in_public=in_public)
    if matches is None:
        return {"meeting": tournament.meeting, "table": [], "rounds": []}
    rounds = [
        {"number": each.number, "matches": [match_data(pair) for pair in each.pairs], "resting": each.resting}
        for each in matches.rounds
    ]
    table = [row_data(row, matches) for row in matches.table]
    return {"meeting": tournament.meeting, "table": table, "rounds": rounds}


def row_data(row: LeagueStanding, found: MatchesOfTournament) -> dict[str, Any]:
    team = int(str(row.team))
    counts = {name: getattr(row, name) for name in ("rank", "played", "won", "drawn", "lost")}
    points = {"points": int(row.points), "match_points": decimal_text(row.match_points, DECIMALS)}
    return {"team": team, "name": found.names[team], **counts, **points}


def match_data(pair: MatchPair) -> dict[str, Any]:
    """Return the data of two teams of a round, with the points of their last finished match."""
    last = pair.last
    winner = pair.winner or (last.winner if last else None)
    data: dict[str, Any] = {"home": pair.home, "away": pair.away, "decided": pair.decided, "winner": winner}
    data["session"] = last.session if last else pair.meetings[0].session if pair.meetings else None
    data["meetings"] = [meeting_data(pair, each) for each in pair.meetings]
    points = points_data(pair, last)
    return data | {"home_points": points["home_points"], "away_points": points["away_points"]}


def meeting_data(pair: MatchPair, meeting: TeamMeeting) -> dict[str, Any]:
    return {"session": meeting.session, "version": meeting.version} | points_data(pair, meeting)


def points_data(pair: MatchPair, meeting: TeamMeeting | None) -> dict[str, str | None]:
    """Return the match points and the bonuses of both teams as texts, None before the match is finished."""
    points: dict[str, str | None] = {}
    for side, team in (("home", pair.home), ("away", pair.away)):
        gained = meeting.points_of(team) if meeting else None
        bonus = meeting.bonuses.get(team) if meeting and team else None
        points[f"{side}_points"] = None if gained is None else decimal_text(gained, DECIMALS)
        points[f"{side}_bonus"] = None if bonus is None else decimal_text(bonus, DECIMALS)
    return points


class MatchesView(PublicView):
    @operation(
        "tournaments_matches",
        "Read the matches of a tournament of team matches: the table of its league, or the tree of its knock-out",
        answer=MatchesOut,
    )
    def get(self, request: Request, pk: int) -> Response:
        tournament = get_tournament_for(request.user, Can.READ, pk=pk)
        in_public = power_of(request.user, tournament.club) < Can.DIRECT
        return Response(MatchesOut(matches_data(tournament, in_public=in_public)).data)

    @operation(
        "tournaments_decide_match",
        "Decide which of two teams goes on in a knock-out, or which of two equal teams comes first in a league",
        request=MatchDecisionIn,
        answer=MatchesOut,
        statuses=(201,),
    )
    def post(self, request: Request, pk: int) -> Response:
        tournament = get_tournament_for(request.user, Can.DIRECT, pk=pk)
        body = read_shape(MatchDecisionIn, request.data)
        decision = {"winner_id": body["winner"], "loser_id": body["loser"], "reason": body["reason"]}
        decide_match(tournament_id=pk, **decision, **author_and_time(request))
        return Response(MatchesOut(matches_data(tournament, in_public=False)).data, status=201)
