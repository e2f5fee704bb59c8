"""The planner, open to all: proposals for a number of players or tables, and the faults of a plan. Reads no row."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import exceptions, serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from deals.domain.cards import LINES
from movements import Plan, PlanError, Proposal, figures, from_data, most_perfect, plan_tables, to_data, verify
from movements.plans.plan import MAX_TABLES, SEATS
from tournaments.api.base import Shape, Throttle, View, operation, query, read
from tournaments.api.errors import describe_error
from tournaments.plans.data import exempt_data, figures_data, proposal_data, read_csv
from tournaments.plans.proposals import Occupied, PlanQuestion, find_proposals, take_turn
from tournaments.words.messages import say_fault, say_worth

# Longer evenings, larger plans and longer lists are for the command line: they take minutes.
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


NUMBERS = {"type": "array", "items": {"type": "integer"}}


@extend_schema_field(NUMBERS)
class NumbersField(serializers.ListField):
    child = serializers.IntegerField()


@extend_schema_field({"type": "array", "items": NUMBERS})
class RowsField(serializers.ListField):
    child = NumbersField()


@extend_schema_field({"type": "array", "items": {"type": "array", "items": {"type": "string", "example": "N8"}}})
class NamesField(serializers.ListField):
    child = serializers.ListField(child=serializers.CharField())


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string", "example": "N3"}], "nullable": True})
class SeatField(serializers.JSONField):
    """A starting number, or a rover of another line."""

    def to_representation(self, value: Any) -> Any:
        return value


class SeatingOut(serializers.Serializer[Any]):
    """One table in one position; a line with null has nobody there, and the others rest. A rover who sits on another
    line than his own is named with his own: "N3"."""

    position = serializers.IntegerField()
    table = serializers.IntegerField()
    etuis = NumbersField()

    def get_fields(self) -> Any:
        return super().get_fields() | {str(line): SeatField(allow_null=True) for line in LINES}


class PlanOut(serializers.Serializer[Any]):
    tables = serializers.IntegerField()
    positions = serializers.IntegerField()
    etuis_per_position = serializers.IntegerField()
    lines = NumbersField(help_text="how many starting numbers N, E, S and W have")
    rule = serializers.CharField(help_text="how the plan was made")
    barometer_after = serializers.IntegerField(
        allow_null=True, help_text="after this position all tables play the same étuis; null: never"
    )
    shifts = NumbersField(allow_null=True, help_text="tables that N, E, S, W and the étuis move up each time")
    fillers = RowsField(help_text="line (0 to 3) and number of those who play unranked")
    spans = RowsField(help_text="line, number, first and last position of those not there all through")
    rovers = RowsField(help_text="line and number of those who may sit on any line")
    plays = SeatingOut(many=True)


class PlanIn(PlanOut):
    """A plan as the proposals have it; only `plays` is needed."""

    def get_fields(self) -> Any:
        fields = super().get_fields()
        for name, field in fields.items():
            field.required = name == "plays"
        return fields


class CsvIn(serializers.Serializer[Any]):
    csv = serializers.CharField(help_text="with the columns position, table, N, E, S, W, etuis")


class FiguresOut(serializers.Serializer[Any]):
    perfect = serializers.BooleanField(help_text="no meeting repeated, no étui replayed")
    most_meetings = serializers.IntegerField(help_text="the most positions two players sit together")
    repeated = serializers.IntegerField(help_text="meetings beyond the first, of all of them")
    replays = serializers.IntegerField(help_text="étuis that somebody plays again")
    exempt = NumbersField(help_text="how many rest in each position")
    least_exempt = serializers.IntegerField()
    most_exempt = serializers.IntegerField()
    balance = serializers.IntegerField(help_text="0 to 100: how alike the players of a line are compared")
    missing = serializers.IntegerField(help_text="the most étuis that somebody does not play")
    bound = serializers.IntegerField(help_text="meetings that are repeated at least, by counting")
    etuis = serializers.IntegerField(help_text="how many étuis are to be filled")
    copies = serializers.IntegerField(help_text="of each étui, so that no table waits")
    least_played = serializers.IntegerField(help_text="the fewest étuis that anybody plays")
    most_played = serializers.IntegerField()
    least_attacks = serializers.IntegerField(help_text="the fewest étuis that anybody takes, in an imposed auction")
    most_attacks = serializers.IntegerField()


class ProposalOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    text = serializers.CharField()
    announcement = serializers.CharField(allow_null=True, help_text="what the arbiter says; null: guide cards")
    worth = serializers.ListField(child=serializers.CharField(), help_text="what it takes and is worth, in words")
    figures = FiguresOut()
    exempt = NamesField(help_text="who rests in each position")
    plan = PlanOut()


class ProposalsOut(serializers.Serializer[Any]):
    proposals = ProposalOut(many=True, help_text="the best first")


class FaultOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    text = serializers.CharField()
    params = serializers.DictField()


class VerdictOut(serializers.Serializer[Any]):
    """A plan that can be played has no fault, and its figures."""

    faults = FaultOut(many=True, help_text=f"the first {MOST_FAULTS}")
    worth = serializers.ListField(child=serializers.CharField())
    figures = FiguresOut(allow_null=True)
    exempt = NamesField(allow_null=True)


A_MOMENT = 0.5  # seconds: a stranger who waited longer would keep a thread from the tables


class Busy(exceptions.APIException):
    status_code = status.HTTP_429_TOO_MANY_REQUESTS
    default_code = "busy"
    wait = 5  # seconds, told as Retry-After


class OpenView(View):
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (Throttle,)
    throttle_scope = "score"


class MovementsView(OpenView):
    throttle_scope = "plans"

    @operation(
        "movements",
        "Propose plans for a number of players, the best first, or plan for full tables",
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
        wish = read(Wish, request.query_params.dict())
        try:
            offered = propose_for_tables(**wish) if "tables" in wish else propose_for_players(**wish)
        except Occupied:
            raise Busy(_("Another plan is being looked for: ask again in a few seconds.")) from None
        return Response({"proposals": [with_plan(proposal) for proposal in offered]})


def propose_for_players(*, players: int, etuis: int, barometer: bool, positions: int = 5) -> tuple[Proposal, ...]:
    return find_proposals(PlanQuestion(players, in_bounds(positions), etuis, barometer), patience=A_MOMENT)


def propose_for_tables(
    *, tables: int, etuis: int, barometer: bool, positions: int | None = None
) -> tuple[Proposal, ...]:
    """The simplest plan for full tables as the only proposal."""
    with take_turn(A_MOMENT):
        if positions is None:
            plan_tables(tables, 1, etuis)  # refuses what is out of range
            positions = min(MOST_POSITIONS, most_perfect(tables, barometer=barometer))
        plan = plan_tables(tables, in_bounds(positions), etuis, barometer=barometer)
        worth = figures(plan)
    params = {"players": SEATS * tables, "tables": tables, "positions": positions, "fillers": 0}
    return (Proposal("barometer" if plan.barometer else "tables", params, plan, worth),)


def in_bounds(positions: int) -> int:
    if positions > MOST_POSITIONS:
        raise PlanError("positions", found=positions, most=MOST_POSITIONS)
    return positions


def with_plan(proposal: Proposal) -> dict[str, Any]:
    return proposal_data(proposal) | {"exempt": exempt_data(proposal.plan), "plan": to_data(proposal.plan)}


class VerifyMovementView(OpenView):
    @operation(
        "verify_movement",
        "Verify a plan, as data or as CSV: its faults, or its figures",
        request=PolymorphicProxySerializer("MovementToVerify", [PlanIn, CsvIn], resource_type_field_name=None),
        answer=VerdictOut,
    )
    def post(self, request: Request) -> Response:
        try:
            plan = read_body(request.data)
        except PlanError as error:
            return Response({"error": describe_error(error)}, status=status.HTTP_400_BAD_REQUEST)
        return Response(verdict(plan))


def read_body(body: Any) -> Plan:
    """A plan of bounded size."""
    if isinstance(body, dict) and "csv" in body:
        if not isinstance(body["csv"], str):
            raise PlanError("data", field="csv", expected="a text")
        plan = read_csv(body["csv"])
    else:
        plan = from_data(body)
    for field, found, most in (("plays", plan.plays, MOST_PLAYS), ("spans", plan.spans, MOST_SPANS)):
        if len(found) > most:
            raise PlanError("data", field=field, expected=f"at most {most} entries")
    return plan


def verdict(plan: Plan) -> dict[str, Any]:
    faults = [
        {"code": fault.code, "text": say_fault(fault), "params": fault.params} for fault in verify(plan)[:MOST_FAULTS]
    ]
    if faults:
        return {"faults": faults, "worth": [], "figures": None, "exempt": None}
    found = figures(plan)
    return {
        "faults": [],
        "worth": say_worth(plan, found),
        "figures": figures_data(found),
        "exempt": exempt_data(plan),
    }
