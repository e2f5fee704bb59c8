"""The views of championships (series), as their public pages show them: live, or as they were published."""

from typing import Any

from django.http.response import HttpResponseBase
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import MarksFigure, Percent, PublicView, operation
from api.kept import READ
from api.rankings import OF_SERIES, PublicationBrief, brief, make_reading_views, read_fields_of
from api.shown import RowOut, TotalOut, for_readers, read_field_values
from rankings.columns import RankingShape
from rankings.ranking import RankingStep
from rankings.series.choosing import say_no_form, say_series_rules
from rankings.series.publishing import SERIES_OF_CLUBS
from rankings.series.report import (
    STATES,
    SeenSeries,
    SeriesRanking,
    find_seen,
    is_all_at_four,
    read_series,
)
from scoring.formats import Unit
from tournaments.errors import NotShown
from tournaments.models import Series
from tournaments.permissions import Can, get_club_for, get_series_for, require_found
from wording.figures import decimal_text

POINTS = "points"
UNITS = [Unit.PER_CENT, POINTS, Unit.MARKS]


class SeriesOut(serializers.Serializer[Any]):
    slug = serializers.SlugField()
    title = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField()


class SeriesEventOut(serializers.Serializer[Any]):
    """An event of the series, in the order of the results of each player."""

    title = serializers.CharField()
    day = serializers.DateField()
    coefficient = serializers.CharField()
    stage = serializers.CharField(allow_blank=True)
    club = serializers.CharField(allow_blank=True, help_text="the name of the club; empty for a typed list")
    typed_from = serializers.CharField(
        source="source", allow_blank=True, help_text="of a typed list: where the results come from"
    )
    table_size = serializers.IntegerField(
        allow_null=True, help_text="3 or 5 if the étuis were for so many players at each table, otherwise null"
    )


class SeriesResultOut(serializers.Serializer[Any]):
    value = Percent(help_text="the percentage, the marks or the points that it brings")
    rank = serializers.IntegerField(allow_null=True, help_text="in the event")
    counts = serializers.BooleanField(help_text="whether it is part of the total")


class SeriesPlayerOut(TotalOut, RowOut):
    """A player of a series. Players come in the order of the ranking; those without a rank come last."""

    shape = RankingShape(unit=Unit.PER_CENT, over_steps=True, events=True)

    marks = MarksFigure(help_text="the total if the series counts marks; else null")
    results = serializers.ListField(child=SeriesResultOut(allow_null=True))


class SeriesRankingOut(SeriesOut):
    state = serializers.ChoiceField(
        STATES, help_text="“live”: under way; “published”; “held”: it counts an evening no longer shown; “withdrawn”"
    )
    version = serializers.IntegerField(allow_null=True, help_text="of the published ranking")
    status = serializers.CharField(allow_null=True, help_text="provisional, official or withdrawn")
    official_from = serializers.DateTimeField(allow_null=True)
    published_at = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    digest = serializers.CharField(allow_null=True)
    rules = serializers.CharField(help_text="how the series is ranked, in words")
    unit = serializers.ChoiceField(
        UNITS,
        allow_null=True,
        help_text="the unit of the totals; a sum of percentages is in points. Null without players",
    )
    events = SeriesEventOut(many=True)
    players = SeriesPlayerOut(many=True)


class SeriesListView(PublicView):
    @operation("series_list", "List the championships of a club", answer=SeriesOut(many=True), statuses=READ)
    def get(self, request: Request, slug: str) -> Response:
        club = get_club_for(request.user, Can.READ, slug=slug)
        return Response(SeriesOut(club.series.filter(put_away_at=None), many=True).data)


def answer_series(request: Request, slug: str, series: str, version: int | None = None) -> HttpResponseBase:
    """Return a version of the ranking of a series, or the present one. Raise `NotShown` if it was withdrawn since."""
    owner = get_series_for(request.user, Can.READ, club=slug, slug=series)
    stamp = require_found(OF_SERIES.look_up(owner, version))

    if version and stamp.withdrawn:
        raise NotShown("withdrawn")

    def build() -> Any:
        seen = find_seen(owner, stamp)
        if version:
            require_found(seen.data)
        return SeriesRankingOut(describe_series(owner, seen)).data

    return OF_SERIES.answer_kept(request, owner, stamp, build)


SeriesView, SeriesVersionView = make_reading_views(
    SeriesRankingOut,
    answer_series,
    ("series_read", "Read the ranking of a championship"),
    ("series_publications_read", "Read a version of the ranking of a championship"),
)


def describe_series(series: Series, seen: SeenSeries) -> dict[str, Any]:
    """Return the ranking of a series in the shape of `SeriesRankingOut`, with the names that everybody may see."""
    last = seen.publication
    ranking = None if seen.data is None else read_series(seen.data)
    official = seen.is_published and SERIES_OF_CLUBS.is_official(last, timezone.now())
    rules = say_series_rules(ranking.rules, has_final=ranking.has_final) if ranking else ()
    return {
        **read_fields_of(SeriesOut, series),
        "state": seen.state,
        **({**dict.fromkeys(map(str, PublicationBrief().fields)), "reason": ""} if last is None else brief(last)),
        **({"status": "official"} if official else {}),
        "rules": " ".join(map(str, [*rules, *([] if ranking is None or is_all_at_four(ranking) else [say_no_form()])])),
        "unit": name_unit(ranking) if ranking else None,
        "events": [describe_event(event) for event in ranking.steps] if ranking else [],
        "players": for_readers(ranking.rows) if ranking else [],
    }


def describe_event(event: RankingStep) -> dict[str, Any]:
    told = {"coefficient": decimal_text(event.coefficient, 2), "table_size": event.table_size or None}
    return read_field_values(event) | told


def name_unit(ranking: SeriesRanking) -> str:
    """Return the unit of the totals."""
    return POINTS if ranking.shape.points else str(ranking.shape.unit)
