"""The planner, open to everybody: it proposes plans for a number of players or tables, and finds the faults of a plan.

It needs no database.
"""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import exceptions, serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Shape, Throttle, View, operation, query, read_shape
from api.errors import describe_error
from api.plans.answers import FiguresOut, NamesField, PlanOut, ProposalsOut
from evenings.plans.data import exempt_data, figures_data, read_plan_csv, show_proposal
from evenings.plans.proposals import PlanQuestion, SearchBusy, find_proposals, take_turn
from movements import (
    LinePlan,
    PlanError,
    Proposal,
    compute_figures,
    find_faults,
    most_perfect,
    plan_tables,
    read_line_plan,
)
from movements.plan.bounds import MAX_TABLES
from movements.plan.plan import SEATS
from tournaments.words.messages import say_fault, say_worth

# Larger values would take minutes. The command `manage.py movement` accepts them.
MOST_POSITIONS = 20
MOST_PLAYS = MAX_TABLES * MOST_POSITIONS
MOST_SPANS = 200
MOST_FAULTS = 100


class Wish(Shape):
    players = serializers.IntegerField(required=False)
    tables = serializers.IntegerField(required=False)
    positions = serializers.IntegerField(required=False)
    etuis = serializers.IntegerField(required=False, default=4)
    barometer = serializers.BooleanField(required=False, default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("players" in attrs) == ("tables" in attrs):
            raise serializers.ValidationError({"players": [_("Give either players or tables, and not both.")]})
        return attrs


class PlanIn(PlanOut):
    """A plan in the format of the proposals. Only `plays` is required."""

    def get_fields(self) -> Any:
        fields = super().get_fields()
        for name, field in fields.items():
            field.required = name == "plays"
        return fields


class CsvIn(serializers.Serializer[Any]):
    csv = serializers.CharField(help_text="CSV with the columns position, table, N, E, S, W, etuis")


class FaultOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    text = serializers.CharField()
    params = serializers.DictField()


class VerdictOut(serializers.Serializer[Any]):
    """The result of a verification. A plan that can be played has no faults, and has figures."""

    faults = FaultOut(many=True, help_text=f"the first {MOST_FAULTS}")
    worth = serializers.ListField(child=serializers.CharField())
    figures = FiguresOut(allow_null=True)
    exempt = NamesField(allow_null=True)


A_MOMENT = 0.5  # seconds; a longer wait would hold a thread that other requests need


class Busy(exceptions.APIException):
    """An error for a request while the server searches for another plan."""

    status_code = status.HTTP_429_TOO_MANY_REQUESTS
    default_code = "busy"
    wait = 5  # seconds, sent as Retry-After


class OpenView(View):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (Throttle,)
    throttle_scope = "score"


class MovementsView(OpenView):
    throttle_scope = "plans"

    @operation(
        "movements",
        "Propose plans for a number of players, best first, or a plan for full tables",
        answer=ProposalsOut,
        query=[
            query("players", text="4 to 600; or give tables"),
            query("tables", text="1 to 150 full ones; or give players"),
            query("positions", text="1 to 20; 5 for players, as many as stay perfect for tables"),
            query("etuis", text="étuis a position, 1 to 24; 4 if not given"),
            query("barometer", OpenApiTypes.BOOL, text="all tables play the position's étuis"),
        ],
    )
    def get(self, request: Request) -> Response:
        wish = read_shape(Wish, request.query_params.dict())
        try:
            offered = propose_for_tables(**wish) if "tables" in wish else propose_for_players(**wish)
        except SearchBusy:
            raise Busy(_("Another plan is being searched for: ask again in a few seconds.")) from None
        return Response(ProposalsOut({"proposals": [*map(show_proposal, offered)]}).data)


def propose_for_players(*, players: int, etuis: int, barometer: bool, positions: int = 5) -> tuple[Proposal, ...]:
    """Return proposals for this number of players, the best first. Raise `SearchBusy` if another search is running."""
    return find_proposals(PlanQuestion(players, in_bounds(positions), etuis, barometer), patience=A_MOMENT)


def propose_for_tables(
    *, tables: int, etuis: int, barometer: bool, positions: int | None = None
) -> tuple[Proposal, ...]:
    """Return the simplest plan for full tables, as a tuple of one proposal. Raise `SearchBusy` if a search is running.

    Without `positions`, the plan has the most positions in which no two players meet twice, at most MOST_POSITIONS.
    """
    with take_turn(A_MOMENT):
        if positions is None:
            plan_tables(tables, 1, etuis)  # raises `PlanError` for numbers out of range
            positions = min(MOST_POSITIONS, most_perfect(tables, barometer=barometer))
        plan = plan_tables(tables, in_bounds(positions), etuis, barometer=barometer)
        worth = compute_figures(plan)
    params = {"players": SEATS * tables, "tables": tables, "positions": positions, "fillers": 0}
    return (Proposal("barometer" if plan.barometer else "tables", params, plan, worth),)


def in_bounds(positions: int) -> int:
    """Return the number of positions. Raise `PlanError` if it is too large."""
    if positions > MOST_POSITIONS:
        raise PlanError("positions", found=positions, most=MOST_POSITIONS)
    return positions


class VerifyMovementView(OpenView):
    @operation(
        "verify_movement",
        "Verify a plan, as data or as CSV. Answers with its faults or its figures",
        request=PolymorphicProxySerializer("MovementToVerify", [PlanIn, CsvIn], resource_type_field_name=None),
        answer=VerdictOut,
    )
    def post(self, request: Request) -> Response:
        try:
            plan = read_body(request.data)
        except PlanError as error:
            return Response({"error": describe_error(error)}, status=status.HTTP_400_BAD_REQUEST)
        return Response(verdict(plan))


def read_body(body: Any) -> LinePlan:
    """Return the plan in a body, given as data or as CSV. Raise `PlanError` if it is too large or cannot be read."""
    if isinstance(body, dict) and "csv" in body:
        if not isinstance(body["csv"], str):
            raise PlanError("data", field="csv", expected="a text")
        plan = read_plan_csv(body["csv"])
    else:
        plan = read_line_plan(body)
    for field, items, most in (("plays", plan.stops, MOST_PLAYS), ("spans", plan.stays, MOST_SPANS)):
        if len(items) > most:
            raise PlanError("data", field=field, expected=f"at most {most} entries")
    return plan


def verdict(plan: LinePlan) -> dict[str, Any]:
    """Return the faults of a plan, or its figures if it has none, in the shape of `VerdictOut`."""
    faults = [
        {"code": fault.code, "text": say_fault(fault), "params": fault.params}
        for fault in find_faults(plan)[:MOST_FAULTS]
    ]
    if faults:
        return {"faults": faults, "worth": [], "figures": None, "exempt": None}
    figures = compute_figures(plan)
    return {
        "faults": [],
        "worth": say_worth(plan, figures),
        "figures": figures_data(figures),
        "exempt": exempt_data(plan),
    }
