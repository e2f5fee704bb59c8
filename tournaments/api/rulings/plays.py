"""The arbiter's words on a play: annulled, its score or notes decided, and taken back; each shown beforehand."""

from collections.abc import Callable
from functools import partial
from typing import cast

from django.utils import timezone
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.models import User
from tournaments.api.base import LineField, View, operation, read
from tournaments.api.plays import PlayInFullOut, full_answer
from tournaments.api.rulings.shapes import WORDS, RankingPreviewOut, RulingIn, answer_preview
from tournaments.models import Play
from tournaments.permissions import Can, get_play_for
from tournaments.plays.adjusting import adjust_play
from tournaments.plays.desk_state import hidden_etuis
from tournaments.plays.entering import annul_play, restore_play, withdraw_result

SCORE = 32_767


class AdjustmentIn(RulingIn):
    """What the arbiter decides of a play; not settled by the FFT."""

    score = serializers.IntegerField(
        min_value=-SCORE,
        max_value=SCORE,
        required=False,
        allow_null=True,
        default=None,
        help_text="the base score, signed for the taker, in place of what was entered",
    )
    taker = LineField(required=False, help_text="in a free auction, where nobody is entered")
    notes = serializers.DictField(
        child=serializers.CharField(max_length=30),
        required=False,
        default=dict,
        help_text='notes fixed, by line: "60", "175/2", or "better 60": the better of it and the player\'s own mean',
    )
    compared = serializers.BooleanField(
        required=False, default=True, help_text="whether its score counts in the topage of the others"
    )


class PlayRulingIn(AdjustmentIn):
    """Any word on a play; `seen_version` of a result that is withdrawn."""

    kind = serializers.ChoiceField(["annulled", "adjusted", "withdrawn", "restored"])
    seen_version = serializers.IntegerField(min_value=1, max_value=32_767, required=False)


class AnnulmentView(View):
    @operation(
        "annulments_set", "Annul a play: it leaves the topage and the means", request=RulingIn, answer=PlayInFullOut
    )
    def put(self, request: Request, pk: int) -> Response:
        return rule(request, pk, annul_play, RulingIn)

    @operation(
        "annulments_delete",
        "Take an annulment back. The reason stands in the address, or in a body where the client can send one",
        answer=PlayInFullOut,
        query=WORDS,
    )
    def delete(self, request: Request, pk: int) -> Response:
        return rule(request, pk, restore_play, RulingIn)


class AdjustmentView(View):
    @operation(
        "adjustments_set",
        "Decide a play: assign a base score, fix notes, or both. Not settled by the FFT",
        request=AdjustmentIn,
        answer=PlayInFullOut,
    )
    def put(self, request: Request, pk: int) -> Response:
        return rule(request, open_play(request, pk).pk, adjust_play, AdjustmentIn)

    @operation(
        "adjustments_delete",
        "Take back what was decided of a play: what was entered counts again. The reason stands in the address, or in"
        " a body where the client can send one",
        answer=PlayInFullOut,
        query=WORDS,
    )
    def delete(self, request: Request, pk: int) -> Response:
        return rule(request, pk, restore_play, RulingIn)


class PlayPreviewView(View):
    @operation(
        "plays_rulings_preview",
        "What a ruling on a play would make of the ranking; nothing is written",
        request=PlayRulingIn,
        answer=RankingPreviewOut,
    )
    def post(self, request: Request, pk: int) -> Response:
        play = open_play(request, pk)
        given = read(PlayRulingIn, request.data)
        kind, adjustment = given.pop("kind"), {name: given.pop(name, None) for name in ("score", "notes", "compared")}
        taker, seen = given.pop("taker", ""), given.pop("seen_version", 0)
        services: dict[str, Callable[..., object]] = {
            "annulled": annul_play,
            "restored": restore_play,
            "withdrawn": partial(withdraw_result, seen_version=seen),
            "adjusted": partial(adjust_play, taker=taker, **adjustment),
        }
        said = {"play_id": pk, "by": cast(User, request.user), "now": timezone.now()} | given
        return answer_preview(request, play.session, partial(services[kind], **said))


def open_play(request: Request, pk: int) -> Play:
    """Not one of an étui that the director has still to play."""
    play = get_play_for(request.user, Can.DIRECT, pk=pk)
    if play.etui_id in hidden_etuis(play.session, request.user):
        raise PermissionDenied
    return play


def rule(request: Request, pk: int, service: Callable[..., object], shape: type[RulingIn]) -> Response:
    play = get_play_for(request.user, Can.DIRECT, pk=pk)
    given = read(shape, request.query_params.dict() or request.data)
    service(play_id=pk, by=cast(User, request.user), now=timezone.now(), **given)
    return full_answer(request, play)
