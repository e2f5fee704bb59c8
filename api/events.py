"""The views of the ranking of a tournament with several sessions.

Directors read the current ranking. Everybody reads the published versions; `rankings` lists and publishes them.
"""

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import MarksFigure, Percent, PublicView, View, operation
from api.rankings import OF_TOURNAMENTS, PublicationBrief, answer_version, brief, make_reading_views
from api.shown import OF_TEAMS, PERCENTAGES, RowOut, SummedTeamOut, TotalOut, for_readers, read_field_values
from evenings.plays.desk_state import hidden_etuis
from rankings.columns import RankingShape
from rankings.events.counting import is_tournament_fresh
from rankings.events.report import TournamentRanking, read_tournament
from rankings.events.standings_file import write_tournament_csv
from scoring.formats import Unit
from tournaments.models import PlayingDirector, TournamentPublication, TournamentStandings
from tournaments.permissions import Can, get_tournament_for, require_found


class RoundSessionOut(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    date = serializers.DateField(source="day")
    section = serializers.CharField(allow_blank=True)
    version = serializers.IntegerField(
        help_text="the version of its publication that counts; 0 if its current results count"
    )


class RoundOut(serializers.Serializer[Any]):
    """A round of a tournament: one session, or all its sections."""

    coefficient = serializers.CharField(help_text="an exact number, as text")
    stage = serializers.CharField(allow_blank=True)
    level = serializers.IntegerField(help_text="how many cuts were before it")
    sessions = RoundSessionOut(many=True)


class RoundResultOut(TotalOut):
    """A result of a player. In donnes libres it has `marks`, and the percentages are null."""

    percentages = PERCENTAGES

    session = serializers.IntegerField(help_text="the number of the session in which the player sat")
    overall = Percent()
    attack = Percent()
    defence = Percent()
    marks = MarksFigure(help_text="the sum of the marks in donnes libres; else null")
    counts = serializers.BooleanField(help_text="whether this result is part of the total")
    unranked = serializers.CharField(
        allow_blank=True, help_text="why the session does not rank the player; empty if it does"
    )


class RankedOut(TotalOut, RowOut):
    """A player in the ranking. Players come in the order of the ranking; those without a rank come last."""

    shape = RankingShape(unit=Unit.PER_CENT, over_steps=True)

    marks = MarksFigure(help_text="the total of donnes libres; else null")
    results = serializers.ListField(
        child=RoundResultOut(allow_null=True), help_text="one for each round; null if the player missed it"
    )


class TournamentRankingOut(serializers.Serializer[Any]):
    unit = serializers.ChoiceField([str(unit) for unit in Unit], help_text="the unit of results and totals")
    counting = serializers.CharField(help_text="sum or mean")
    best_of = serializers.IntegerField(allow_null=True)
    least_sessions = serializers.IntegerField()
    carry_over = serializers.IntegerField(allow_null=True)
    ties = serializers.ListField(child=serializers.CharField(), help_text="what separates tied players, in order")
    rounds = RoundOut(many=True)
    players = RankedOut(many=True)
    teams = SummedTeamOut(many=True, help_text=OF_TEAMS)


class TournamentStandingsOut(TournamentRankingOut):
    fresh = serializers.BooleanField()
    computed_at = serializers.DateTimeField()


class TournamentPublicationOut(PublicationBrief, TournamentRankingOut):
    """A version of a tournament's ranking."""


def ranking_data(ranking: TournamentRanking) -> dict[str, Any]:
    """Return the rules, rounds and players of a ranking as data."""
    settings = read_field_values(ranking.rules) | {"unit": ranking.shape.unit}
    return settings | {"rounds": ranking.steps, "players": ranking.rows, "teams": ranking.team_sums}


class TournamentStandingsView(View):
    @operation(
        "tournaments_standings",
        "Read the ranking of a tournament from the results entered so far",
        answer=TournamentStandingsOut,
    )
    def get(self, request: Request, pk: int) -> Response:
        tournament = get_tournament_for(request.user, Can.DIRECT, pk=pk)
        playing = PlayingDirector.objects.filter(session__tournament=pk, user=request.user.pk, lifted_at=None)
        if any(hidden_etuis(row.session, request.user) for row in playing.select_related("session")):
            raise PermissionDenied
        standings = TournamentStandings.objects.filter(tournament=pk).exclude(computed_at=None).first()
        kept: TournamentStandings = require_found(standings)
        data = ranking_data(read_tournament(kept.data, in_public=False))
        stamp = {"fresh": is_tournament_fresh(tournament, kept), "computed_at": kept.computed_at}
        return Response(TournamentStandingsOut(data | stamp).data)


class TournamentFileView(PublicView):
    @operation(
        "tournament_publications_file",
        "Download a version of a tournament's ranking with every play of its sessions, as CSV"
        " (docs/standings-file.md), while all these sessions show their ranking and étuis (feuilles in donnes libres)",
        answer=OpenApiTypes.STR,
        statuses=((200, "text/csv"), 304),
    )
    def get(self, request: Request, pk: int, version: int) -> HttpResponseBase:
        tournament = get_tournament_for(request.user, Can.READ, pk=pk)
        stamp = OF_TOURNAMENTS.find_readable(tournament, version)
        if not stamp.offers_file:
            raise NotFound

        def build() -> HttpResponse:
            publication = TournamentPublication.objects.get(pk=stamp.publication)
            return HttpResponse(write_tournament_csv(publication), content_type="text/csv; charset=utf-8")

        return OF_TOURNAMENTS.answer_kept(request, tournament, stamp, build, "file")


def write_tournament(publication: TournamentPublication, _stamp: object) -> Any:
    """Return a version in the shape of `TournamentPublicationOut`."""
    data = ranking_data(read_tournament(publication.data, publication.sessions))
    return TournamentPublicationOut(data | brief(publication) | {"players": for_readers(data["players"])}).data


LatestTournamentView, TournamentPublicationView = make_reading_views(
    TournamentPublicationOut,
    partial(answer_version, OF_TOURNAMENTS, write_tournament),
    ("tournament_publications_latest", "Read the newest published ranking of a tournament"),
    ("tournament_publications_read", "Read a version of a tournament's ranking"),
)
