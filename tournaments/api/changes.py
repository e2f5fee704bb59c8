"""The plan of a session under way and its changes: what an operation would mean, carried out, undone.

The plan is for everybody, as its page is; the rest is for directors.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, cast

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.models import User
from tournaments.api.base import Id, Shape, View, operation, read
from tournaments.api.clubs import MOST_PLAYERS
from tournaments.api.errors import told
from tournaments.api.movements import CsvIn, FiguresOut, NamesField, NumbersField, PlanIn, PlanOut, read_body
from tournaments.change_preview import Names, Preview, Spot, exchanged, say_operation, say_version
from tournaments.changes import outcomes, running_evening
from tournaments.domain.movements import LINES
from tournaments.domain.planning import Member, PlanError, to_data
from tournaments.messages import announcement, say_worth
from tournaments.models import PlanVersion, Tournament
from tournaments.operations import Operation, from_data
from tournaments.permissions import Can, get_session_for
from tournaments.plan_data import exempt_data, figures_data, name_of
from tournaments.plans import Evening, figures_of
from tournaments.services.changes import change_session, number_of_plan, undo_change
from tournaments.services.planning import choose_plan, import_plan, shape_of

MOST_NAMED = 60
MOST_POSITIONS = 60


def kind_field(kind: str) -> serializers.Field[Any, Any, Any, Any]:
    """The name of an operation, which its shape has for its only value."""
    schema = extend_schema_field({"type": "string", "pattern": f"^{kind}$"})
    field: type[serializers.CharField] = schema(type("KindField", (serializers.CharField,), {}))
    return field()


class PositionField(serializers.IntegerField):
    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": MOST_POSITIONS} | options)


class IdsField(serializers.ListField):
    def __init__(self, **options: Any) -> None:
        super().__init__(child=Id(), min_length=1, max_length=MOST_NAMED, **options)


class ArriveIn(Shape):
    """These players of the club join after that position; 0: from the first on."""

    kind = kind_field("arrive")
    players = IdsField()
    after = PositionField(min_value=0)


class LeaveIn(Shape):
    """These entrants go after that position. `unplayed`: what their tables owe up to then is not played."""

    kind = kind_field("leave")
    entrants = IdsField()
    after = PositionField(min_value=0)
    unplayed = serializers.BooleanField(required=False, default=False)


class ReturnIn(Shape):
    """These entrants, who had gone, are back after that position, with what they have played before."""

    kind = kind_field("return")
    entrants = IdsField()
    after = PositionField(min_value=0)


class SubstituteIn(Shape):
    """A player of the club takes an entrant's seat, with percentages of his `own` or for the entrant's."""

    kind = kind_field("substitute")
    entrant = Id()
    player = Id()
    position = PositionField()
    own = serializers.BooleanField(required=False, default=True)


class SwapIn(Shape):
    """In that position two entrants sat on each other's seat."""

    kind = kind_field("swap")
    position = PositionField()
    one = Id()
    other = Id()


@extend_schema_field({"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 2, "maxItems": 2})
class PairField(serializers.ListField):
    def __init__(self, **options: Any) -> None:
        super().__init__(child=Id(), min_length=2, max_length=2, **options)


class WrongEtuisIn(Shape):
    """A table played other étuis: pairs of the one planned and the one played. `exchange`: it was an exchange.
    `later`: what the table has not played it plays later, else not at all."""

    kind = kind_field("wrong_etuis")
    position = PositionField()
    table = serializers.IntegerField(min_value=1, max_value=999)
    pairs = serializers.ListField(child=PairField(), min_length=1, max_length=MOST_NAMED)
    exchange = serializers.BooleanField(required=False, default=True)
    later = serializers.BooleanField(required=False, default=False)


class ResizeIn(Shape):
    """The evening has so many positions instead."""

    kind = kind_field("resize")
    positions = PositionField()


SHAPES: Mapping[str, type[Shape]] = {
    "arrive": ArriveIn,
    "leave": LeaveIn,
    "return": ReturnIn,
    "substitute": SubstituteIn,
    "swap": SwapIn,
    "wrong_etuis": WrongEtuisIn,
    "resize": ResizeIn,
}


@extend_schema_field(PolymorphicProxySerializer("Operation", cast(Any, dict(SHAPES)), "kind"))
class OperationField(serializers.Field[Any, Any, Any, Any]):
    """One of the operations, by its `kind`."""

    def to_internal_value(self, data: Any) -> Operation:
        kind = data.get("kind") if isinstance(data, Mapping) else None
        if not isinstance(kind, str) or kind not in SHAPES:
            known = ", ".join(SHAPES)
            raise serializers.ValidationError(
                {"kind": [_("An operation has one of these kinds: %(known)s.") % {"known": known}]}
            )
        return from_data(read(SHAPES[kind], data))


class PreviewIn(Shape):
    operation = OperationField()


class ChangeIn(PreviewIn):
    choice = serializers.IntegerField(min_value=0, max_value=99, help_text="place in the list of outcomes, from 0")
    seen = serializers.IntegerField(min_value=0, max_value=9999, help_text="version of the plan that was looked at")


class UndoIn(Shape):
    seen = serializers.IntegerField(min_value=0, max_value=9999, help_text="version to be undone")


class SpotOut(serializers.Serializer[Any]):
    table = serializers.IntegerField(allow_null=True, help_text="null: rests")
    etuis = NumbersField()


class StopOut(SpotOut):
    position = serializers.IntegerField()


class SeatOut(serializers.Serializer[Any]):
    name = serializers.CharField()
    line = serializers.CharField()
    number = serializers.IntegerField()


class MoveOut(SeatOut):
    before = SpotOut(allow_null=True, help_text="null: not there")
    after = SpotOut(allow_null=True, help_text="null: not there")


class ChangedPositionOut(serializers.Serializer[Any]):
    position = serializers.IntegerField()
    added = serializers.BooleanField()
    dropped = serializers.BooleanField()
    moves = MoveOut(many=True, help_text="all others keep table and étuis")
    resting = serializers.ListField(child=serializers.CharField())


class NewcomerOut(SeatOut):
    way = StopOut(many=True)


class UnplayedOut(serializers.Serializer[Any]):
    position = serializers.IntegerField()
    table = serializers.IntegerField()
    etui = serializers.IntegerField()
    names = serializers.ListField(child=serializers.CharField(), help_text="who has had the étui")
    counted = serializers.BooleanField(help_text="it has a result, which no longer counts")


class OutcomeOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    text = serializers.CharField()
    worth = serializers.ListField(child=serializers.CharField(), help_text="the figures in words")
    figures = FiguresOut()
    etuis_short = serializers.IntegerField(help_text="étuis that the session's set lacks for it")
    unplayed = UnplayedOut(many=True, help_text="plays left out, since somebody there has had the étui")
    newcomers = NewcomerOut(many=True)
    positions = ChangedPositionOut(many=True)
    exempt = NamesField(help_text="who rests in each position")
    plan = PlanOut()


class PreviewOut(serializers.Serializer[Any]):
    seen = serializers.IntegerField(help_text="version of the plan that this starts from")
    text = serializers.CharField()
    outcomes = OutcomeOut(many=True, help_text="the best first")


class PlanVersionOut(serializers.Serializer[Any]):
    version = serializers.IntegerField()
    kind = serializers.CharField(help_text="choice, or the operation's")
    text = serializers.CharField()
    made_at = serializers.DateTimeField()
    undone_at = serializers.DateTimeField(allow_null=True)


class HolderOut(serializers.Serializer[Any]):
    """Who holds a starting number, from one position to another; null: to the end."""

    seat = serializers.CharField(help_text="as in the plan: N8")
    entrant = serializers.IntegerField()
    name = serializers.CharField()
    ranked = serializers.BooleanField()
    first_position = serializers.IntegerField()
    last_position = serializers.IntegerField(allow_null=True)


class CurrentPlanOut(serializers.Serializer[Any]):
    version = serializers.IntegerField(help_text="0: nobody chose or changed it")
    announcement = serializers.CharField(allow_null=True, help_text="what the arbiter says; null: guide cards")
    worth = serializers.ListField(child=serializers.CharField(), help_text="the figures in words")
    figures = FiguresOut()
    exempt = NamesField(help_text="who rests in each position")
    first_etui = serializers.IntegerField(help_text="the étui of the set that is the plan's étui 1")
    seats = HolderOut(many=True)
    plan = PlanOut()


class ChoiceIn(Shape):
    """A proposal for so many ranked players, by its place in the list of proposals, the best being 0."""

    choice = serializers.IntegerField(min_value=0, max_value=100)
    players = serializers.IntegerField(min_value=1, max_value=MOST_PLAYERS)


class PlanView(View):
    open_to_all = frozenset({"GET"})

    @operation("plan_read", "The plan of a session under way, with who sits where", answer=CurrentPlanOut)
    def get(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.READ, pk=pk)
        evening = running_evening(session)
        plan = evening.plan
        found = figures_of(plan, takers=evening.takers)
        shown = {
            "version": number_of_plan(session),
            "announcement": None if plan.shifts is None else announcement(plan.shifts),
            "worth": say_worth(plan, found, imposed=session.tournament.auction == Tournament.Auction.IMPOSED),
            "figures": figures_data(found),
            "exempt": exempt_data(plan),
            "first_etui": session.first_etui,
            "seats": seats_data(evening),
            "plan": to_data(plan),
        }
        return Response(CurrentPlanOut(shown).data)

    @operation(
        "plan_choose",
        "Before the start: play one of the proposals, or a plan of your own, which is verified",
        request=PolymorphicProxySerializer("PlanToPlay", [ChoiceIn, PlanIn, CsvIn], resource_type_field_name=None),
        answer=PlanVersionOut,
    )
    def put(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        chosen: dict[str, Any] = {"session_id": pk, "by": cast(User, request.user), "now": timezone.now()}
        if isinstance(request.data, Mapping) and "choice" in request.data:
            wish = read(ChoiceIn, request.data)
            version = choose_plan(choice=wish["choice"], shape=shape_of(session, wish["players"]), **chosen)
        else:
            try:
                plan = read_body(request.data)
            except PlanError as error:
                return Response({"error": told(error)}, status=status.HTTP_400_BAD_REQUEST)
            version = import_plan(plan=plan, **chosen)
        return Response(version_data(version, Names(session)))


def seats_data(evening: Evening) -> list[dict[str, Any]]:
    """Who holds each starting number, one after the other; who went and came back holds one each time."""
    stays = [
        (Member(LINES.index(entrant.line), number), first, entrant.pk, last, entrant)
        for entrant in evening.entrants
        for number, first, last in entrant.stays
    ]
    return [
        {
            "seat": name_of(member),
            "entrant": pk,
            "name": entrant.name,
            "ranked": entrant.ranked,
            "first_position": first,
            "last_position": last,
        }
        for member, first, pk, last, entrant in sorted(stays, key=lambda stay: stay[:3])
    ]


class PreviewView(View):
    @operation(
        "changes_preview", "What an operation would mean; nothing is changed", request=PreviewIn, answer=PreviewOut
    )
    def post(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        asked: Operation = read(PreviewIn, request.data)["operation"]
        seen = number_of_plan(session)
        evening = running_evening(session)
        found = outcomes(session, asked)
        told = [outcome_data(Preview(evening, asked, way, choice)) for choice, way in enumerate(found)]
        shown = {
            "seen": seen,
            "text": " ".join([say_operation(asked, Names(session)), *exchanged(evening, asked)]),
            "outcomes": told,
        }
        return Response(PreviewOut(shown).data)


def outcome_data(preview: Preview) -> dict[str, Any]:
    plan = preview.way.plan
    return {
        "code": preview.way.code,
        "text": preview.text,
        "worth": preview.worth,
        "figures": figures_data(preview.way.figures),
        "etuis_short": preview.way.etuis_short,
        "unplayed": [asdict(one) for one in preview.way.unplayed],
        "newcomers": [
            {
                "name": new.name,
                "line": new.line,
                "number": new.number,
                "way": [{"position": position, **spot_data(spot)} for position, spot in new.stops],
            }
            for new in preview.newcomers
        ],
        "positions": [
            {
                "position": change.position,
                "added": change.added,
                "dropped": change.dropped,
                "moves": [
                    {
                        "name": shift.name,
                        "line": shift.line,
                        "number": shift.number,
                        "before": spot_data(shift.before) if shift.before else None,
                        "after": spot_data(shift.after) if shift.after else None,
                    }
                    for shift in change.shifts
                ],
                "resting": change.resting,
            }
            for change in preview.positions
        ],
        "exempt": exempt_data(plan),
        "plan": to_data(plan),
    }


def spot_data(spot: Spot) -> dict[str, Any]:
    return {"table": spot.table or None, "etuis": list(spot.etuis)}


class ChangesView(View):
    @operation("changes_list", "Every version of the plan, the newest first", answer=PlanVersionOut(many=True))
    def get(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        names = Names(session)
        return Response([version_data(version, names) for version in session.plans.order_by("-number")])

    @operation(
        "changes_make",
        "Carry an operation out as one of its outcomes; 409 where the plan is another by now",
        request=ChangeIn,
        answer=PlanVersionOut,
        statuses=(201,),
    )
    def post(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        by = cast(User, request.user)
        version = change_session(session_id=pk, by=by, now=timezone.now(), **read(ChangeIn, request.data))
        return Response(version_data(version, Names(session)), status=status.HTTP_201_CREATED)


class UndoView(View):
    @operation(
        "changes_undo", "Undo the newest change, unless results depend on it", request=UndoIn, answer=PlanVersionOut
    )
    def post(self, request: Request, pk: int) -> Response:
        session = get_session_for(request.user, Can.DIRECT, pk=pk)
        by = cast(User, request.user)
        version = undo_change(session_id=pk, by=by, now=timezone.now(), **read(UndoIn, request.data))
        return Response(version_data(version, Names(session)))


def version_data(version: PlanVersion, names: Names) -> Any:
    return PlanVersionOut(
        {
            "version": version.number,
            "kind": version.operation.get("kind", ""),
            "text": say_version(version, names),
            "made_at": version.made_at,
            "undone_at": version.undone_at,
        }
    ).data
