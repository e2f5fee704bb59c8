"""The views of a player's career, and of the comparison of two players.

Without an account, only players who are shown by name can be read.
"""

from typing import Any

from django.http import Http404
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Percent, PublicView, Shape, operation, read_shape
from api.kept import READ, answer_published
from api.public.lists import PageShape, cut_page, read_filters
from rankings.careers.head_to_head import HeadToHead
from rankings.careers.reading import Career, find_appearances
from rankings.careers.rows import ALTERNE, SIZE
from rankings.careers.subjects import Subject, find_subject, look_at
from tournaments.models import Appearance
from tournaments.permissions import require_found

FIRST, LAST = 1900, 9000  # seasons


class IntervalOut(serializers.Serializer[Any]):
    """The interval that holds the mean in 95 of 100 cases (Student)."""

    low = serializers.FloatField()
    high = serializers.FloatField()


class FigureOut(serializers.Serializer[Any]):
    mean = Percent()
    deals = serializers.IntegerField()
    interval = IntervalOut(allow_null=True, help_text="the interval, if there are few deals")


class CellOut(serializers.Serializer[Any]):
    """The figures of the deals with one number of bouts in the attack, or with one contract."""

    key = serializers.CharField(help_text="the number of bouts, or the contract")
    attack = FigureOut(source="cell.attack.figure")
    made = serializers.IntegerField(source="cell.made", help_text="the number of these contracts that were made")
    defence = FigureOut(source="cell.defence.figure")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        key, cell = instance
        return super().to_representation({"key": key, "cell": cell})


class MateOut(serializers.Serializer[Any]):
    """The notes of the player in deals with another player at the same table."""

    deals = serializers.IntegerField()
    together = FigureOut(source="together.figure", help_text="deals in which both defended")
    against = FigureOut(source="against.figure", help_text="deals in which one of the two took")


class CompanionOut(serializers.Serializer[Any]):
    player = serializers.IntegerField(source="player.pk")
    name = serializers.CharField(source="player.name")
    mate = MateOut()


class BestOut(serializers.Serializer[Any]):
    session = serializers.IntegerField(source="session.pk")
    etui = serializers.IntegerField(source="best.etui")
    note = Percent(source="best.note")
    compared = serializers.IntegerField(source="best.compared", help_text="the number of plays that were compared")


class PointOut(serializers.Serializer[Any]):
    date = serializers.DateField()
    percentage = Percent()
    interval = IntervalOut(allow_null=True)
    sessions = serializers.IntegerField()


class CareerOut(serializers.Serializer[Any]):
    player = serializers.IntegerField(
        source="career.subject.player.pk",
        help_text="the player’s own number, even if you asked by another number of the same player",
    )
    name = serializers.CharField(source="career.subject.player.name")
    clubs = serializers.ListField(child=serializers.CharField())
    seasons = serializers.ListField(
        source="career.seasons",
        child=serializers.IntegerField(),
        help_text="2026 is the season from September 2026 to August 2027",
    )
    sessions = serializers.IntegerField(source="career.sessions")
    deals = serializers.IntegerField(source="totals.deals")
    overall = FigureOut(source="totals.overall")
    attack = FigureOut(source="totals.attack")
    defence = FigureOut(source="totals.defence")
    notes = serializers.ListField(
        source="totals.heights",
        child=serializers.IntegerField(),
        help_text="the number of notes in each of several equally wide bands from 0 to 100. There are as many bands as"
        " the possible notes fill evenly: five if five plays are compared",
    )
    by_bouts = CellOut(source="totals.by_bouts", many=True)
    by_contract = CellOut(source="totals.by_contract", many=True)
    best = BestOut(source="career.best_etuis", many=True)
    companions = CompanionOut(source="career.companions", many=True, help_text="tablemates who are shown by name")
    curve = PointOut(
        source="career.points",
        many=True,
        help_text="one point for each session, month or season, depending on how many there are",
    )


class CareerSessionOut(serializers.Serializer[Any]):
    """A session that the player played, from its newest publication."""

    session = serializers.IntegerField()
    club = serializers.CharField()
    tournament_name = serializers.CharField()
    number = serializers.IntegerField()
    date = serializers.DateField()
    entrant = serializers.IntegerField(help_text="id of the entrant, for the feuille de route")
    version = serializers.IntegerField()
    is_stand_in = serializers.BooleanField(help_text="whether the player played for somebody else")
    deals = serializers.IntegerField()
    overall = Percent()
    rank = serializers.IntegerField(
        allow_null=True, help_text="the rank in the ranking that the session’s page shows first"
    )
    rank_general = serializers.IntegerField(allow_null=True)
    rank_alterne = serializers.IntegerField(allow_null=True)
    ranked = serializers.IntegerField(help_text="the number of ranked players")
    table_size = serializers.IntegerField(
        allow_null=True, help_text="3 or 5 if the étuis were for so many players at each table, otherwise null"
    )


class TallyOut(serializers.Serializer[Any]):
    """The number of times that the first of the two did better, equally well, and worse."""

    better = serializers.IntegerField()
    equal = serializers.IntegerField()
    worse = serializers.IntegerField()


class DifferenceOut(serializers.Serializer[Any]):
    mean = Percent(help_text="difference of the notes; above 0 if the first player did better")
    interval = IntervalOut(allow_null=True)


class NamedOut(serializers.Serializer[Any]):
    player = serializers.IntegerField(source="pk")
    name = serializers.CharField()


class HeadToHeadOut(serializers.Serializer[Any]):
    one = NamedOut(source="one.player")
    other = NamedOut(source="other.player")
    sessions = serializers.IntegerField(
        source="page.paginator.count", help_text="the number of sessions that both played"
    )
    ranks = TallyOut(source="sessions")
    etuis = TallyOut(help_text="étuis that both played in the same seat")
    difference = DifferenceOut(help_text="the difference on these étuis")
    mate = MateOut(help_text="the deals at the same table, from the first player’s side")


class CareerFilters(Shape):
    season = serializers.IntegerField(
        min_value=FIRST, max_value=LAST, required=False, help_text="if left out, all seasons"
    )


class CareerSessionFilters(PageShape, CareerFilters):
    pass


class CareerView(PublicView):
    @operation(
        "careers_read",
        "Read a player’s figures over all published sessions, or over one season",
        answer=CareerOut,
        query=[CareerFilters],
        statuses=READ,
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        season = read_shape(CareerFilters, request.query_params.dict()).get("season", 0)
        subject = subject_for(request, pk)
        career = look_at(subject)
        if season not in career.seasons:
            season = FIRST if season else 0  # all seasons without a session share one cached answer

        def build() -> Any:
            shown = Career(subject, career, season=season)
            clubs = [club.slug for club in shown.clubs]
            return CareerOut({"career": shown, "totals": shown.totals, "clubs": clubs}).data

        return answer_published(
            request, ("career", season, career.stamp), build, private=not subject.is_public, counted=True
        )


class CareerSessionsView(PublicView):
    @operation(
        "careers_sessions",
        "List the published sessions of a player, newest first",
        answer=CareerSessionOut(many=True),
        query=[CareerSessionFilters],
        statuses=READ,
    )
    def get(self, request: Request, pk: int) -> Response:
        filters = read_filters(CareerSessionFilters, request)
        rows = find_appearances(subject_for(request, pk), filters.get("season", 0)).order_by("-date", "-session_id")
        page = cut_page(request, rows.defer("plays").select_related("session__tournament__club"), filters)
        return page.answer(CareerSessionOut([describe_row(row) for row in page.rows], many=True).data)


class HeadToHeadView(PublicView):
    @operation("careers_compare", "Compare two players", answer=HeadToHeadOut, statuses=READ)
    def get(self, request: Request, pk: int, other: int) -> HttpResponseBase:
        subjects = subject_for(request, pk), subject_for(request, other)
        if subjects[0].player == subjects[1].player:
            raise Http404
        career = look_at(*subjects)

        def build() -> Any:
            return HeadToHeadOut(HeadToHead(*subjects, career)).data

        private = not all(subject.is_public for subject in subjects)
        return answer_published(request, ("head to head", career.stamp), build, private=private, counted=True)


def subject_for(request: Request, number: int) -> Subject:
    """Return the person with this player id. Raise `Http404` if the reader may not see the person."""
    return require_found(find_subject(request.user, number))


def describe_row(row: Appearance) -> dict[str, Any]:
    """Return a row of a career, read with its session, in the shape of `CareerSessionOut`."""
    tournament, size = row.session.tournament, row.figures.get(SIZE)
    return vars(row) | {
        "session": row.session_id,
        "club": tournament.club.slug,
        "tournament_name": tournament.name,
        "number": row.session.number,
        "overall": row.percentage,
        "rank_alterne": None if size else row.figures.get(ALTERNE, row.rank),
        "table_size": size,
    }
