"""The views of rulings on a play, with the fields that all rulings have, and the preview of the effect on a ranking."""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import MAX_ID, MarksFigure, Percent, TakerField, View, operation, query, read_shape
from api.plays import PlayInFullOut, full_answer, get_open_play
from api.results import ReasonShape
from api.shown import are_marks
from clubs.models import User, validate_name
from evenings.plays.adjusting import adjust_play
from evenings.plays.desk_state import hidden_etuis
from evenings.plays.entering import annul_play, restore_play, withdraw_result
from evenings.standings.preview import RankShift, preview_ruling
from tournaments.models import Session
from tournaments.permissions import Can, get_play_for
from tournaments.rules.entry import BIGGEST_SHEET


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
    figures = {"overall": pair, "marks": nothing}
    if are_marks(shift.overall):
        figures = {"overall": nothing, "marks": pair}
    return data | ranks | figures


SCORE = 32_767


class AdjustmentIn(RulingIn):
    """The arbiter's decision on a play. The regulation of the FFT has no rule for it."""

    score = serializers.IntegerField(
        min_value=-SCORE,
        max_value=SCORE,
        required=False,
        allow_null=True,
        default=None,
        help_text="the base score, signed for the taker, that replaces the entered one",
    )
    taker = TakerField(required=False, help_text="needed in a free auction, if no taker is entered")
    partner = TakerField(required=False, help_text="only where the tables deal, and five play: the taker’s partner")
    marks = serializers.DictField(
        child=serializers.IntegerField(min_value=-BIGGEST_SHEET, max_value=BIGGEST_SHEET),
        required=False,
        help_text="only where the tables deal: the marks of each seat, in place of a base score",
    )
    notes = serializers.DictField(
        child=serializers.CharField(max_length=30),
        required=False,
        default=dict,
        help_text='fixed notes, by line: "60", "175/2", or "better 60" for the better of 60 and the player\'s own mean',
    )
    compared = serializers.BooleanField(
        required=False, default=True, help_text="whether its score counts in the topage of the other plays"
    )


class PlayRulingIn(AdjustmentIn):
    """A ruling on a play, of any kind. `seen_version` is for a result that is withdrawn."""

    kind = serializers.ChoiceField(["annulled", "adjusted", "withdrawn", "restored"])
    seen_version = serializers.IntegerField(min_value=1, max_value=32_767, required=False)


class AnnulmentView(View):
    @operation(
        "annulments_set",
        "Annul a play: it no longer counts in the topage and the means",
        request=RulingIn,
        answer=PlayInFullOut,
    )
    def put(self, request: Request, pk: int) -> Response:
        return rule(request, pk, annul_play, RulingIn)

    @operation(
        "annulments_delete",
        "Restore an annulled play. Send the reason in the address, or in a body if your client can send one",
        answer=PlayInFullOut,
        query=WORDS,
    )
    def delete(self, request: Request, pk: int) -> Response:
        return rule(request, pk, restore_play, RulingIn)


class AdjustmentView(View):
    @operation(
        "adjustments_set",
        "Rule on a play: assign a base score, fix notes, or both. The FFT has no rule for this",
        request=AdjustmentIn,
        answer=PlayInFullOut,
    )
    def put(self, request: Request, pk: int) -> Response:
        return rule(request, get_open_play(request, pk).pk, adjust_play, AdjustmentIn)

    @operation(
        "adjustments_delete",
        "Withdraw the ruling on a play: the entered result counts again. Send the reason in the address, or"
        " in a body if your client can send one",
        answer=PlayInFullOut,
        query=WORDS,
    )
    def delete(self, request: Request, pk: int) -> Response:
        return rule(request, pk, restore_play, RulingIn)


class PlayPreviewView(View):
    @operation(
        "plays_rulings_preview",
        "Preview how a ruling on a play would change the ranking. Changes nothing",
        request=PlayRulingIn,
        answer=RankingPreviewOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        play = get_open_play(request, pk)
        body = read_shape(PlayRulingIn, request.data)
        kind, adjustment = body.pop("kind"), {name: body.pop(name, None) for name in ("score", "notes", "compared")}
        adjustment |= {name: body.pop(name) for name in ("partner", "marks") if name in body}
        taker, seen = body.pop("taker", ""), body.pop("seen_version", 0)
        services: dict[str, Callable[..., object]] = {
            "annulled": annul_play,
            "restored": restore_play,
            "withdrawn": partial(withdraw_result, seen_version=seen),
            "adjusted": partial(adjust_play, taker=taker, **adjustment),
        }
        said = {"play_id": pk, "by": cast(User, request.user), "now": timezone.now()} | body
        return answer_preview(request, play.session, partial(services[kind], **said))


def rule(request: Request, pk: int, service: Callable[..., object], shape: type[RulingIn]) -> Response:
    """Carry out a ruling by this service, for a director. Return the play with its history."""
    play = get_play_for(request.user, Can.DIRECT, pk=pk)
    body = read_shape(shape, request.query_params.dict() or request.data)
    service(play_id=pk, by=cast(User, request.user), now=timezone.now(), **body)
    return full_answer(request, play)
