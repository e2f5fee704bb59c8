"""The view of the matches of a tournament of team matches: the table of the league, or the tree of the knock-out."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.teams import LeagueStanding
from texts.decimals import decimal_text
from tournaments.api.base import Id, Shape, View, operation, read_shape
from tournaments.api.sessions import author_and_time
from tournaments.changes.match_decisions import decide_match
from tournaments.events.matches import MatchesOfTournament, PlayedMatch, has_matches, read_matches
from tournaments.models import Tournament
from tournaments.permissions import Can, get_tournament_for, power_of

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


class MatchOut(serializers.Serializer[Any]):
    """A match of two teams, by their numbers. The points are null before the match is finished.

    `winner` is the team that won, or that goes on in a knock-out. It is null after a draw.
    """

    home = serializers.IntegerField(allow_null=True, help_text="null if the team is not known yet, or if there is none")
    away = serializers.IntegerField(allow_null=True)
    session = serializers.IntegerField(allow_null=True, help_text="the number of the session, or null")
    home_points = serializers.CharField(allow_null=True, help_text="match points with three decimals")
    away_points = serializers.CharField(allow_null=True)
    winner = serializers.IntegerField(allow_null=True)
    decided = serializers.CharField(allow_blank=True, help_text="the reason of a director's decision, or empty")


class MatchRoundOut(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    matches = MatchOut(many=True)
    resting = serializers.ListField(child=serializers.IntegerField(), help_text="numbers of teams")


class MatchesOut(serializers.Serializer[Any]):
    """The matches of a tournament. `table` is empty in a knock-out. All is empty if no matches are played in it."""

    meeting = serializers.ChoiceField(Tournament.MeetingKind.choices)
    table = LeagueRowOut(many=True)
    rounds = MatchRoundOut(many=True)


class MatchDecisionIn(Shape):
    """A decision which of two teams (by their ids) goes on in a knock-out."""

    winner = Id()
    loser = Id()
    reason = serializers.CharField(max_length=300)


def matches_data(tournament: Tournament, *, in_public: bool) -> dict[str, Any]:
    """Return the matches as data. Readers get those of published sessions, directors also those of closed ones."""
    if not has_matches(tournament):
        return {"meeting": tournament.meeting, "table": [], "rounds": []}
    found = read_matches(tournament, in_public=in_public)
    rounds: list[dict[str, Any]] = [
        {
            "number": each.number,
            "matches": [match_data(found, one.home, one.away, one.played) for one in each.fixtures],
            "resting": each.resting,
        }
        for each in found.rounds
    ]
    for number, nodes in enumerate(found.tree, start=1):
        matches = []
        for node in nodes:
            met = [one for one in found.played if {one.result.home, one.result.away} == {node.home, node.away}]
            loser = node.away if node.winner == node.home else node.home
            reason = found.reasons.get((node.winner, loser), "") if node.decided else ""
            told = match_data(found, node.home, node.away, met[-1] if met else None)
            matches.append(told | {"winner": node.winner, "decided": reason})
        rounds.append({"number": number, "matches": matches, "resting": ()})
    table = [row_data(row, found) for row in found.table]
    return {"meeting": tournament.meeting, "table": table, "rounds": rounds}


def row_data(row: LeagueStanding, found: MatchesOfTournament) -> dict[str, Any]:
    team = int(str(row.team))
    counts = {name: getattr(row, name) for name in ("rank", "played", "won", "drawn", "lost")}
    points = {"points": int(row.points), "match_points": decimal_text(row.match_points, DECIMALS)}
    return {"team": team, "name": found.names[team], **counts, **points}


def match_data(
    found: MatchesOfTournament, home: int | None, away: int | None, played: PlayedMatch | None
) -> dict[str, Any]:
    """Return the data of a match of two teams, with the points of each if it is finished."""
    told: dict[str, Any] = {"home": home, "away": away, "decided": "", "session": None, "winner": None}
    if home is not None and away is not None:
        told["session"] = found.find_session(home, away)
    points: list[str | None] = [None, None]
    if played is not None:
        result = played.result
        both = {result.home: result.home_points, result.away: result.away_points}
        points = [decimal_text(both[home], DECIMALS), decimal_text(both[away], DECIMALS)]
        told["winner"] = result.winner
    return told | {"home_points": points[0], "away_points": points[1]}


class MatchesView(View):
    open_to_all = frozenset({"GET"})

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
        "Decide which of two teams goes on in a knock-out, after a draw or without a match",
        request=MatchDecisionIn,
        answer=MatchesOut,
        statuses=(201,),
    )
    def post(self, request: Request, pk: int) -> Response:
        tournament = get_tournament_for(request.user, Can.DIRECT, pk=pk)
        given = read_shape(MatchDecisionIn, request.data)
        told = {"winner_id": given["winner"], "loser_id": given["loser"], "reason": given["reason"]}
        decide_match(tournament_id=pk, **told, **author_and_time(request))
        return Response(MatchesOut(matches_data(tournament, in_public=False)).data, status=201)
