"""What every ruling says beside itself, and what one would make of the ranking."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.models import validate_name
from tournaments.api.base import MAX_ID, Percent, query
from tournaments.api.results import Reasoned
from tournaments.models import Session
from tournaments.plays.desk_state import hidden_etuis
from tournaments.standings.preview import Shift, preview


class RulingIn(Reasoned):
    article = serializers.CharField(
        max_length=60,
        required=False,
        default="",
        allow_blank=True,
        validators=[validate_name],
        help_text="of the regulation, where it has one",
    )
    seen_ruling = serializers.IntegerField(
        min_value=0,
        max_value=MAX_ID,
        required=False,
        allow_null=True,
        help_text="id of the newest ruling that you have seen, 0 for none; another one by now is a conflict (409)",
    )


# Of a ruling that is taken back: `RulingIn` in an address.
WORDS = (query("reason", OpenApiTypes.STR), query("article", OpenApiTypes.STR), query("seen_ruling"))


class RankPair(serializers.Serializer[Any]):
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)


class PercentPair(serializers.Serializer[Any]):
    before = Percent()
    after = Percent()


class ShiftOut(serializers.Serializer[Any]):
    """A player whose place or percentage changes."""

    entrant = serializers.IntegerField()
    name = serializers.CharField()
    line = serializers.CharField()
    number = serializers.IntegerField()
    rank_alterne = RankPair()
    rank_general = RankPair()
    overall = PercentPair()


class RankingPreviewOut(serializers.Serializer[Any]):
    """Who gets another place, and who only another percentage. `hidden`: you have étuis to play yet and are told
    nothing."""

    hidden = serializers.BooleanField()
    moving = ShiftOut(many=True)
    staying = ShiftOut(many=True)


def answer_preview(request: Request, session: Session, rule: Callable[[], object]) -> Response:
    """What calling `rule` would make of the ranking; nothing is written."""
    if hidden_etuis(session, request.user):
        return Response(RankingPreviewOut({"hidden": True, "moving": [], "staying": []}).data)
    seen = preview(session.pk, rule)
    told = {
        name: list(map(shift_data, shifts)) for name, shifts in (("moving", seen.moving), ("staying", seen.staying))
    }
    return Response(RankingPreviewOut({"hidden": False} | told).data)


def shift_data(shift: Shift) -> dict[str, Any]:
    who, pairs = shift.entrant, {"alterne": shift.alterne, "general": shift.general}
    ranks = {f"rank_{name}": {"before": before, "after": after} for name, (before, after) in pairs.items()}
    before, after = shift.overall
    told = {"entrant": who.pk, "name": who.name, "line": who.line, "number": who.number}
    return told | ranks | {"overall": {"before": before, "after": after}}
