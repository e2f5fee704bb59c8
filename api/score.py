"""The calculator, open to everybody: it scores results of deals, and shows the figures by which it does so."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import ErrorDetail, Throttle, View, operation
from api.errors import MalformedBody, describe_error
from api.kept import READ
from scoring.contract import Chelem, Contract, Poignee, ScoreLine, Side, score_deal
from scoring.errors import ScoringError
from scoring.notation import read_result
from scoring.values import RULES
from tournaments.words.messages import say_line

MOST = 1000


@extend_schema_field(
    {"type": "array", "items": {"type": "string", "pattern": f"^({'|'.join(Poignee)})$"}, "maxItems": 4}
)
class PoigneesField(serializers.ListField):
    child = serializers.ChoiceField(list(Poignee))


class FactsIn(serializers.Serializer[Any]):
    """The result of a deal.

    It documents the format of `scoring.notation`. That format also accepts the values of the CSV files:
    `poignee_attack` and `poignee_defence` from 0 to 3, `partner` as yes, no or na.
    """

    contract = serializers.ChoiceField(list(Contract))
    bouts = serializers.IntegerField(min_value=0, max_value=3)
    points = serializers.FloatField(min_value=0, max_value=91, help_text="points of the attack, with halves: 40.5")
    petit_au_bout = serializers.ChoiceField(list(Side), required=False)
    poignees_attack = PoigneesField(required=False)
    poignees_defence = PoigneesField(required=False)
    chelem = serializers.ChoiceField(list(Chelem), required=False)


class ScoreIn(FactsIn):
    players = serializers.IntegerField(min_value=3, max_value=5, required=False, help_text="if left out, 4")
    partner = serializers.BooleanField(
        required=False, allow_null=True, help_text="five players only: whether the taker has a partner"
    )


class LineOut(serializers.Serializer[Any]):
    kind = serializers.CharField(help_text="contract, petit_au_bout, poignee or chelem")
    amount = serializers.IntegerField()
    text = serializers.CharField()
    params = serializers.DictField()


class ScoreOut(serializers.Serializer[Any]):
    """The base score, signed for the taker, with its components and the mark of each seat."""

    base_score = serializers.IntegerField()
    made = serializers.BooleanField()
    target = serializers.IntegerField(help_text="points to make")
    taker = serializers.IntegerField()
    partner = serializers.IntegerField(allow_null=True, help_text="null if the taker has none")
    defender = serializers.IntegerField(help_text="the mark of each defender")
    lines = LineOut(many=True)


class ScoreOrErrorOut(ScoreOut):
    """An element of a list's answer: a score, or only the `error` of a wrong result."""

    error = ErrorDetail()

    def get_fields(self) -> Any:
        fields = super().get_fields()
        for field in fields.values():
            field.required = False
        return fields


class ScoreView(View):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (Throttle,)
    throttle_scope = "score"

    @operation(
        "score",
        "Score one result, or a list of up to 1000. A list is answered by a list in the same order, with an"
        " error for each wrong result",
        request=PolymorphicProxySerializer(
            "ScoreRequest", [ScoreIn, ScoreIn(many=True)], resource_type_field_name=None, many=False
        ),
        answer=PolymorphicProxySerializer(
            "ScoreAnswer", [ScoreOut, ScoreOrErrorOut(many=True)], resource_type_field_name=None, many=False
        ),
    )
    def post(self, request: Request) -> Response:
        if isinstance(request.data, list):
            if len(request.data) > MOST:
                raise MalformedBody("too_many_results", most=MOST, found=len(request.data))
            return Response([score_or_error(fields) for fields in request.data])
        answer = score_or_error(request.data)
        return Response(answer, status=status.HTTP_400_BAD_REQUEST if "error" in answer else status.HTTP_200_OK)


def score_or_error(fields: object) -> dict[str, Any]:
    """Return the score of a result, or a dictionary with only `error` if the result is wrong."""
    try:
        return score(fields)
    except (ScoringError, MalformedBody) as error:
        return {"error": describe_error(error)}


def score(fields: object) -> dict[str, Any]:
    """Return the score of a result, in the shape of `ScoreOut`.

    Raise `ScoringError` or `MalformedBody` if it is wrong.
    """
    if not isinstance(fields, dict):
        raise MalformedBody("not_a_result")
    result = score_deal(read_result(fields))
    return {
        "base_score": result.base_score,
        "made": result.made,
        "target": result.target,
        "taker": result.taker,
        "partner": result.partner,
        "defender": result.defender,
        "lines": [line_data(line) for line in result.lines],
    }


def line_data(line: ScoreLine) -> dict[str, Any]:
    return {"kind": line.kind, "amount": line.amount, "text": say_line(line), "params": dict(line.params)}


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
