"""The view of the figures by which deals are scored, as the page of the rules shows them. It needs no database."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import View, operation
from api.kept import READ
from scoring.values import RULES


class ScoringRulesOut(serializers.Serializer[Any]):
    """The figures by which deals are scored.

    Coefficients multiply the contract and the petit au bout; poignées and chelems are never multiplied.
    """

    name = serializers.CharField()
    base = serializers.IntegerField()
    targets = serializers.ListField(child=serializers.IntegerField(), help_text="points to make with 0, 1, 2, 3 bouts")
    petit_au_bout = serializers.IntegerField()
    coefficients = serializers.DictField(child=serializers.IntegerField(), help_text="multiplier of each contract")
    poignees = serializers.DictField(child=serializers.IntegerField())
    poignee_trumps = serializers.DictField(
        child=serializers.DictField(child=serializers.IntegerField()), help_text="trumps to show, by number of players"
    )
    chelems = serializers.DictField(child=serializers.IntegerField())


class ScoringRulesView(View):
    authentication_classes = ()
    open_to_all = frozenset({"GET"})

    @operation(
        "scoring_rules",
        "Read the figures of every scoring in use",
        answer=ScoringRulesOut(many=True),
        statuses=READ,
    )
    def get(self, _request: Request) -> Response:
        return Response(ScoringRulesOut([asdict(rules) for rules in RULES.values()], many=True).data)
