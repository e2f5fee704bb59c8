"""A tournament's settings: who is ranked, how equals are told apart, how long a ranking is provisional."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.ties import TieBreak
from tournaments.api.base import Shape, View, operation, read
from tournaments.api.sessions import author_and_time
from tournaments.models import Tournament
from tournaments.permissions import Can, get_tournament_for
from tournaments.sessions.ranking_rules import change_rules


class RulesIn(Shape):
    """What is left out stays as it is."""

    least_share = serializers.IntegerField(
        min_value=0,
        max_value=100,
        required=False,
        help_text="per cent of what the others have played, below which a player is shown unranked",
    )
    substitutes_ranked = serializers.BooleanField(
        required=False, help_text="whether those are ranked who took a seat for percentages of their own"
    )
    ties = serializers.ListField(
        child=serializers.ChoiceField([tie.value for tie in TieBreak]),
        max_length=len(TieBreak),
        required=False,
        help_text="what tells equals apart, in order; none: they share their rank",
    )
    window_hours = serializers.IntegerField(
        min_value=0, max_value=720, required=False, help_text="for how long a publication is provisional"
    )


class RulesOut(serializers.ModelSerializer[Tournament]):
    ties = serializers.ListField(child=serializers.ChoiceField([tie.value for tie in TieBreak]))

    class Meta:
        model = Tournament
        fields = ("least_share", "substitutes_ranked", "ties", "window_hours")


class RulesView(View):
    open_to_all = frozenset({"GET"})

    @operation("tournaments_rules", "Who is ranked in a tournament, and how", answer=RulesOut)
    def get(self, request: Request, pk: int) -> Response:
        return Response(RulesOut(get_tournament_for(request.user, Can.READ, pk=pk)).data)

    @operation(
        "tournaments_change_rules",
        "Change who is ranked and how, also while the tournament is played: its rankings follow",
        request=RulesIn,
        answer=RulesOut,
    )
    def patch(self, request: Request, pk: int) -> Response:
        get_tournament_for(request.user, Can.DIRECT, pk=pk)
        changes: dict[str, Any] = read(RulesIn, request.data)
        return Response(RulesOut(change_rules(tournament_id=pk, **author_and_time(request), **changes)).data)
