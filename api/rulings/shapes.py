"""The fields that all rulings have, and the preview of a ruling's effect on the ranking."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import MAX_ID, MarksFigure, Percent, query
from api.results import ReasonShape
from clubs.models import validate_name
from evenings.plays.desk_state import hidden_etuis
from evenings.standings.preview import RankShift, preview_ruling
from scoring.formats import MarkPoints
from tournaments.models import Session


class RulingIn(ReasonShape):
    article = serializers.CharField(
        max_length=60,
        required=False,
        default="",
        allow_blank=True,
        validators=[validate_name],
        help_text="article of the regulation, if there is one",
    )
    seen_ruling = serializers.IntegerField(
        min_value=0,
        max_value=MAX_ID,
        required=False,
        allow_null=True,
        help_text="id of the newest ruling that you have seen, 0 for none; a newer one is a conflict (409)",
    )


# The fields of `RulingIn` as query parameters, for requests that withdraw a ruling.
WORDS = (query("reason", OpenApiTypes.STR), query("article", OpenApiTypes.STR), query("seen_ruling"))


class RankPair(serializers.Serializer[Any]):
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)


class PercentPair(serializers.Serializer[Any]):
    before = Percent()
    after = Percent()


class MarksPair(serializers.Serializer[Any]):
    before = MarksFigure()
    after = MarksFigure()


class ShiftOut(serializers.Serializer[Any]):
    """A player whose rank or percentage changes."""

    entrant = serializers.IntegerField()
    name = serializers.CharField()
    line = serializers.CharField()
    number = serializers.IntegerField()
    rank_alterne = RankPair()
    rank_general = RankPair()
    overall = PercentPair(help_text="in donnes libres both are null")
    marks = MarksPair(help_text="the sums of the marks in donnes libres; else both are null")


class RankingPreviewOut(serializers.Serializer[Any]):
    """The effect of a ruling on the ranking.

    `moving` has the players whose rank changes, `staying` has those whose percentage changes but not their rank. If
    `hidden` is true, you still have étuis to play, and both lists are empty.
    """

    hidden = serializers.BooleanField()
    moving = ShiftOut(many=True)
    staying = ShiftOut(many=True)


def answer_preview(request: Request, session: Session, rule: Callable[[], object]) -> Response:
    """Return the response with the change of the ranking that calling `rule` would cause. Nothing is stored."""
    if hidden_etuis(session, request.user):
        return Response(RankingPreviewOut({"hidden": True, "moving": [], "staying": []}).data)
    seen = preview_ruling(session.pk, rule)
    data = {
        name: list(map(shift_data, shifts)) for name, shifts in (("moving", seen.moving), ("staying", seen.staying))
    }
    return Response(RankingPreviewOut({"hidden": False} | data).data)


def shift_data(shift: RankShift) -> dict[str, Any]:
    """Return a change of one player in the shape of `ShiftOut`."""
    who, pairs = shift.entrant, {"alterne": shift.alterne, "general": shift.general}
    ranks = {f"rank_{name}": {"before": before, "after": after} for name, (before, after) in pairs.items()}
    before, after = shift.overall
    data = {"entrant": who.pk, "name": who.name, "line": who.line, "number": who.number}
    pair, nothing = {"before": before, "after": after}, {"before": None, "after": None}
    in_marks = any(isinstance(figure, MarkPoints) for figure in shift.overall)
    figures = {"overall": nothing, "marks": pair} if in_marks else {"overall": pair, "marks": nothing}
    return data | ranks | figures
